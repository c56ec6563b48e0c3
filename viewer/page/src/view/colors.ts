// Colours that colour-blind people can tell apart: Okabe and Ito, "Color universal design", 2008. Vermillion is for
// overlaps alone, so no object has it.

import { Color } from "three";

export const kVermillion = "#d55e00";
export const kBlue = "#0072b2";
export const kGreen = "#009e73";
export const kPurple = "#cc79a7";
export const kSky = "#56b4e9";
export const kYellow = "#f0e442";
export const kOrange = "#e69f00";

export const kBodyColors = [kBlue, kGreen, kPurple, kSky, kOrange, kYellow, "#8a8f98"];
export const kLayerColors = [kBlue, kOrange, kGreen, kPurple, kSky, kYellow, "#8a8f98", kVermillion];

// A ramp that grows evenly lighter, from blue to yellow: knots measured off by eye on a scale of equal lightness steps.
export const kRampColors = ["#00224e", "#35456c", "#666970", "#948e77", "#c8b866", "#fee838"];
const kRamp = kRampColors.map((c) => new Color(c));

/** 0: dark blue, 1: light yellow. */
export function ramp(value: number, out: Color): Color {
  const at = Math.max(0, Math.min(1, value)) * (kRamp.length - 1);
  const i = Math.min(kRamp.length - 2, Math.floor(at));
  return out.copy(kRamp[i]).lerp(kRamp[i + 1], at - i);
}

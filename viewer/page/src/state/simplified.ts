// Meshes with fewer faces than their sources: what became of their volumes.

import type { ObjectInfo } from "../engine/types.ts";
import { counted, percent, plural } from "./numbers.ts";

/** A change that spoils what is measured: thin parts lose their volume first. */
const kMuch = 0.05;

/** By what part of it the volume is not that of the source; 0 where this is not known. */
export function volume_change({ volume, simplified, deformed }: ObjectInfo): number {
  const source = simplified?.volume;
  return source === undefined || source === 0 || deformed ? 0 : Math.abs(volume / source - 1);
}

/** What to know of a mesh that was simplified; "" of others. */
export function simplified_text(info: ObjectInfo): string {
  if (!info.simplified) return "";
  const change = volume_change(info);
  const rough = change > kMuch ? ` Its volume is off by ${percent(change)}: what is measured of it here is too.` : "";
  return `Simplified: its source has ${counted(info.simplified.faces)} faces. What is measured here is of this mesh.${rough}`;
}

/** Says of how many objects a report's page can measure little; "" when of none. */
export function rough_text(objects: ObjectInfo[]): string {
  const rough = objects.filter((info) => volume_change(info) > kMuch);
  if (rough.length === 0) return "";
  const names = rough.slice(0, 3).map(({ name }) => name).join(", ") + (rough.length > 3 ? " …" : "");
  return `Of ${plural(rough.length, "object")} the volume here is off by more than 5 %, as so few faces are left: ${names}.`;
}

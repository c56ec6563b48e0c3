// Numbers as people read them.

const kSuper = "⁰¹²³⁴⁵⁶⁷⁸⁹";
const superscript = (n: number): string =>
  (n < 0 ? "⁻" : "") + [...String(Math.abs(n))].map((d) => kSuper[Number(d)]).join("");

/** Groups the digits by three: 12,345. */
export const counted = (n: number): string => Math.round(n).toLocaleString("en-US");

/** A power of ten, a multiple of 3, for what is too small or too large to be read with its zeros. */
function exponent_for(value: number): number {
  const size = Math.abs(value);
  if (size === 0 || (size >= 1e-3 && size < 1e6)) return 0;
  return Math.floor(Math.log10(size) / 3) * 3;
}

function trimmed(value: number, digits: number): string {
  return value.toFixed(Math.max(0, Math.min(12, digits)));
}

/** With so many significant digits. */
export function number_text(value: number, significant = 6): string {
  if (!Number.isFinite(value)) return "not a number";
  if (value === 0) return "0";
  const exponent = exponent_for(value);
  const mantissa = value / 10 ** exponent;
  const digits = significant - 1 - Math.floor(Math.log10(Math.abs(mantissa)));
  const text = trimmed(mantissa, digits).replace(/(\.\d*?)0+$/, "$1").replace(/\.$/, "");
  return sign(exponent === 0 ? text : `${text} × 10${superscript(exponent)}`);
}

const sign = (text: string): string => text.replace(/^-/, "−");

export interface Measured {
  value: string;
  error: string;
  unit: string; // a power of ten that both are times, or ""
}

/** A value and how far off it may be, to the error's second digit. */
export function measured(value: number, error: number): Measured {
  const exponent = exponent_for(value === 0 ? error : value);
  const unit = exponent === 0 ? "" : `× 10${superscript(exponent)}`;
  const factor = 10 ** exponent;
  if (!(error > 0)) return { value: sign(number_text(value / factor, 7)), error: "", unit };
  const digits = Math.max(0, Math.min(12, 1 - Math.floor(Math.log10(error / factor))));
  return { value: sign(trimmed(value / factor, digits)), error: trimmed(error / factor, digits), unit };
}

export const percent = (part: number): string => `${number_text(part * 100, 3)} %`;

/** A length, an angle or a coordinate in a field that can be edited: short, and close enough to be the same. */
export function field_text(value: number): string {
  const rounded = Number(value.toPrecision(7));
  return Math.abs(rounded) < 1e-12 ? "0" : String(rounded);
}

export function bytes_text(bytes: number): string {
  if (bytes < 1e3) return `${bytes} bytes`;
  if (bytes < 1e6) return `${number_text(bytes / 1e3, 3)} kB`;
  if (bytes < 1e9) return `${number_text(bytes / 1e6, 3)} MB`;
  return `${number_text(bytes / 1e9, 3)} GB`;
}

export const plural = (n: number, one: string, many = `${one}s`): string => `${counted(n)} ${n === 1 ? one : many}`;

// What a value is that came from a file or an address: anybody may have written it.

import type { Box, Vec3 } from "../engine/types.ts";

export type Known = Record<string, unknown>;

export const is_number = (value: unknown): value is number => typeof value === "number" && Number.isFinite(value);
export const is_text = (value: unknown): value is string => typeof value === "string";

/** An object with members, no list and no array of numbers. */
export const is_known = (value: unknown): value is Known =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !ArrayBuffer.isView(value);

export const are_numbers = (value: unknown, count: number): boolean =>
  Array.isArray(value) && value.length === count && value.every(is_number);
export const is_vector = (value: unknown): value is Vec3 => are_numbers(value, 3);

export const is_box = (value: unknown): value is Box => is_known(value) && is_vector(value.min) && is_vector(value.max);

/** A whole number from 0 to below `end`. */
export const is_place = (value: unknown, end: number): value is number =>
  is_number(value) && Number.isInteger(value) && value >= 0 && value < end;

export const text_or = (value: unknown, otherwise: string): string => (is_text(value) ? value : otherwise);
export const number_or = (value: unknown, otherwise: number): number => (is_number(value) ? value : otherwise);
export const list_of = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
export const texts_of = (value: unknown): string[] => list_of(value).filter(is_text);

/** What `use` makes of the list's items; those of which it makes nothing are left out. */
export const each_of = <T>(value: unknown, use: (item: Known) => T | null): T[] =>
  list_of(value).flatMap((item) => {
    const used = is_known(item) ? use(item) : null;
    return used === null ? [] : [used];
  });

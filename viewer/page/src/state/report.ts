// What can be used of a report. It comes in a file, which anybody may have written: what is missing or of another kind
// is left out, so that panels and the view need not check it again.

import type { ClashClass, ClashData, ClashFinding, ClashPair, Report, ReportFrames, ReportStep, Vec3 } from "../engine/types.ts";
import {
  each_of, is_box, is_known, is_number, is_place, is_text, is_vector, list_of, number_or, text_or, texts_of, type Known,
} from "./checks.ts";
import { kClashClasses } from "./clash.ts";
import { options_of } from "./link.ts";

export function report_of(value: unknown): Report | null {
  if (!is_known(value)) return null;
  const kind = text_or(value.kind, "");
  return {
    command: text_or(value.command, kind),
    arguments: texts_of(value.arguments),
    kind,
    ...(is_known(value.answer) && { answer: value.answer }),
    text: is_text(value.text) ? value.text : texts_of(value.text),
    objects: list_of(value.objects).map((id) => number_or(id, -1)), // others count their places
    ...(is_known(value.options) && { options: options_of(value.options) }),
    ...(is_text(value.version) && { version: value.version }),
    ...(is_text(value.title) && { title: value.title }),
    notes: texts_of(value.notes),
    simplified: each_of(value.simplified, simplified_of),
    pictures: each_of(value.pictures, picture_of),
    ...points_of(value.points),
    ...frames_of(value.frames),
    ...clash_of(value.clash),
  };
}

function simplified_of({ object, faces, kept }: Known): { object: number; faces: number; kept: number } | null {
  return is_number(object) && is_number(faces) && is_number(kept) ? { object, faces, kept } : null;
}

function picture_of({ title, png }: Known): { title: string; png: Uint8Array } | null {
  return png instanceof Uint8Array ? { title: text_or(title, ""), png } : null;
}

function points_of(value: unknown): Pick<Report, "points"> {
  if (!is_known(value)) return {};
  const { positions, origin, flags, of } = value;
  if (!(positions instanceof Float32Array && flags instanceof Uint8Array && is_vector(origin))) return {};
  if (positions.length !== 3 * flags.length) return {};
  return { points: { positions, origin, flags, ...(is_number(of) && { of }) } };
}

// --- films

/** All frames, or nothing: each leans on the one before. */
function frames_of(value: unknown): Pick<Report, "frames"> {
  if (!is_known(value)) return {};
  const solids = each_of(value.solids, solid_of);
  const dots = each_of(value.dots, ({ color, radius }) => (is_vector(color) && is_number(radius) ? { color, radius } : null));
  if (solids.length !== list_of(value.solids).length || dots.length !== list_of(value.dots).length) return {};
  const steps = each_of(value.steps, (step) => step_of(step, solids.length, dots.length));
  if (steps.length === 0 || steps.length !== list_of(value.steps).length || !fit(solids, steps)) return {};
  const rate = number_or(value.rate, 0);
  const { bounds, looking } = value;
  return {
    frames: { solids, dots, steps, rate: rate > 0 ? rate : 30, ...(is_box(bounds) && { bounds }), ...(is_vector(looking) && { looking }) },
  };
}

function solid_of({ triangles, color, opacity }: Known): ReportFrames["solids"][number] | null {
  if (!(triangles instanceof Uint32Array) || triangles.length % 3 !== 0 || !is_vector(color)) return null;
  return { triangles, color, opacity: number_or(opacity, 1) };
}

const are_positions = (value: unknown): value is Float32Array => value instanceof Float32Array && value.length % 3 === 0;

function step_of(step: Known, solids: number, dots: number): ReportStep | null {
  const positions = list_of(step.positions), places = list_of(step.dots);
  if (positions.length !== solids || !positions.every((p) => p === null || are_positions(p))) return null;
  if (places.length !== dots || !places.every(are_positions)) return null;
  const { poses, colors, figures, note } = step;
  return {
    positions: positions as (Float32Array | null)[],
    ...(poses instanceof Float32Array && poses.length === 7 * solids && { poses }),
    ...(colors instanceof Uint8Array && colors.length === 3 * solids && { colors }),
    dots: places as Float32Array[],
    figures: is_known(figures) ? figures : {},
    ...(is_text(note) && { note }),
  };
}

/** Whether every solid has the same vertices throughout, and its triangles no others. */
function fit(solids: ReportFrames["solids"], steps: ReportStep[]): boolean {
  return solids.every(({ triangles }, k) => {
    const count = steps[0].positions[k]?.length ?? -1;
    const same = steps.every(({ positions }) => positions[k] === null || positions[k].length === count);
    return same && count >= 0 && triangles.every((corner) => 3 * corner < count);
  });
}

// --- clashes

function clash_of(value: unknown): Pick<Report, "clash"> {
  if (!is_known(value)) return {};
  const all = list_of(value.pairs).map((pair) => (is_known(pair) ? pair_of(pair) : null));
  // Findings name pairs by their places: these are others when a pair is left out.
  const places = new Map<number, number>();
  const pairs = all.filter((pair, i): pair is ClashPair => {
    if (pair) places.set(i, places.size);
    return pair !== null;
  });
  const clash: ClashData = {
    unit: text_or(value.unit, ""),
    findings: each_of(value.findings, (finding) => finding_of(finding, places)),
    pairs,
    gone: each_of(value.gone, gone_of),
    simplified: value.simplified === true,
  };
  return { clash };
}

const is_class = (value: unknown): value is ClashClass => kClashClasses.includes(value as ClashClass);

/** What findings and pairs both have. */
const marks_of = ({ allowed, undecided, change }: Known): Pick<ClashPair, "allowed" | "undecided" | "change"> => ({
  ...(allowed === true && { allowed }), ...(undecided === true && { undecided }), ...(is_text(change) && { change }),
});

function pair_of(pair: Known): ClashPair | null {
  const { names, at, target, looking, reach } = pair;
  if (!is_class(pair.class) || !Array.isArray(names) || names.length !== 2 || !names.every(is_text)) return null;
  if (![at, target, looking].every(is_vector) || !is_number(reach)) return null;
  const part = (place: unknown): number | null => (is_place(place, Infinity) ? place : null);
  return {
    a: part(pair.a), b: part(pair.b), names: names as [string, string], class: pair.class,
    volume: number_or(pair.volume, 0), volume_error: number_or(pair.volume_error, 0),
    depth: number_or(pair.depth, 0), distance: number_or(pair.distance, Infinity),
    at: at as Vec3, target: target as Vec3, looking: looking as Vec3, reach, ...marks_of(pair),
  };
}

function finding_of(finding: Known, places: Map<number, number>): ClashFinding | null {
  if (!is_class(finding.class)) return null;
  const pairs = list_of(finding.pairs).flatMap((pair) => places.get(pair as number) ?? []);
  const { distance, png } = finding;
  return {
    title: text_or(finding.title, ""), class: finding.class, places: number_or(finding.places, pairs.length), pairs,
    volume: number_or(finding.volume, 0), total_volume: number_or(finding.total_volume, 0), depth: number_or(finding.depth, 0),
    ...(is_number(distance) && { distance }), lines: texts_of(finding.lines), ...marks_of(finding),
    ...(png instanceof Uint8Array && { png }),
  };
}

function gone_of({ a, b, class: kind, volume }: Known): NonNullable<ClashData["gone"]>[number] | null {
  return is_text(a) && is_text(b) && is_class(kind) ? { a, b, class: kind, volume: number_or(volume, 0) } : null;
}

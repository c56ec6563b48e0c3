// Answers in words and figures.

import type { Answer, Kind, QueryReply, Verdict } from "../engine/types.ts";
import { counted, measured, number_text, percent, plural } from "../state/numbers.ts";
import type { State } from "../state/store.ts";

export const kVerdicts: Record<Verdict, string> = { colliding: "Colliding", clear: "Clear", undecided: "Undecided" };

type Row = [string, string, string?];

export function verdict_of({ answer, undecided }: QueryReply, kind: Kind): Verdict | null {
  if (kind === "contain" || kind === "layers") return null;
  if (answer.verdict) return answer.verdict;
  if (kind !== "scene") return null;
  if ((answer.pairs_detail?.length ?? 0) > 0) return "colliding";
  return (undecided?.length ?? 0) > 0 ? "undecided" : "clear";
}

export interface Figure {
  value: number;
  /** null: `text` is the whole of it. */
  error: number | null;
  text?: string;
  what: string;
}

/** The figure that people came for. */
export function main_figure(kind: Kind, answer: Answer): Figure | null {
  switch (kind) {
    case "intersect":
      return { value: answer.volume ?? 0, error: answer.volume_error ?? 0, what: "shared volume" };
    case "self":
      return { value: answer.volume ?? 0, error: answer.volume_error ?? 0, what: "volume covered twice or more" };
    case "scene": {
      const n = answer.pairs_detail?.length ?? 0;
      return { value: n, error: null, text: counted(n), what: n === 1 ? "colliding pair" : "colliding pairs" };
    }
    case "depth": {
      const length = answer.length ?? answer.separation?.length;
      return length == null ? null : { value: length, error: null, text: number_text(length, 6), what: "shortest way out" };
    }
    case "distance":
      return answer.distance == null ? null : { value: answer.distance, error: null, text: number_text(answer.distance, 7), what: "smallest distance" };
    case "contain":
      return { value: answer.inside ?? 0, error: null, text: counted(answer.inside ?? 0), what: `of ${counted(Number(answer.points ?? 0))} points inside` };
    case "layers":
      return answer.crossings == null ? null : { value: answer.crossings, error: null, text: counted(answer.crossings), what: "crossings" };
  }
}

const vector = (v: readonly number[], digits = 5): string => v.map((x) => number_text(x, digits)).join(", ");

export function facts_of(kind: Kind, answer: Answer, state: State): Row[] {
  const rows: Row[] = [];
  const ids = state.result?.ids ?? [];
  if ((kind === "intersect" || kind === "self" || kind === "depth") && answer.volume !== undefined) {
    if (kind === "depth") {
      const m = measured(answer.volume, answer.volume_error ?? 0);
      rows.push(["Shared volume", `${m.value}${m.error ? ` ± ${m.error}` : ""} ${m.unit}`, String(answer.volume)]);
    }
    for (const id of ids) {
      const info = state.bodies.get(id)?.info;
      if (info && info.volume > 0 && answer.volume > 0) rows.push([`Of ${info.name}`, percent(answer.volume / info.volume)]);
    }
  }
  if (kind === "depth") {
    if (answer.depth != null) rows.push(["Depth of contact", number_text(answer.depth, 6)]);
    const way = answer.translation ?? answer.separation?.translation;
    if (way) rows.push(["Way of the first", vector(way)]);
    if (answer.separation) rows.push(["Afterwards", kVerdicts[answer.separation.verdict] + (answer.separation.certain ? ", proved" : "")]);
  }
  if (kind === "distance") {
    if (answer.on_a) rows.push(["On the first", vector(answer.on_a)]);
    if (answer.on_b) rows.push(["On the second", vector(answer.on_b)]);
  }
  if (kind === "contain" && answer.unknown) rows.push(["Unknown", counted(answer.unknown)]);
  if (answer.centroid && (answer.volume ?? 0) > 0) rows.push(["Centroid", vector(answer.centroid)]);
  if (answer.bounds && (answer.volume ?? 0) > 0)
    rows.push(["From", vector(answer.bounds.min)], ["To", vector(answer.bounds.max)]);
  if (answer.inside_out && answer.inside_out.volume > 0) rows.push(["Inside out", number_text(answer.inside_out.volume, 4)]);
  if (typeof answer.spans === "number") rows.push(["Spans", counted(answer.spans)]);
  if (answer.resolution) rows.push(["Columns", `${answer.resolution.map(counted).join(" × ")}${answer.axis ? ` along ${answer.axis}` : ""}`]);
  if (answer.health) rows.push(["Health", answer.health.ok ? "every column closes" : health_text(answer)]);
  if (kind === "scene" && answer.objects !== undefined) rows.push(["Objects", counted(answer.objects)]);
  if (answer.engine) rows.push(["Engine", answer.engine]);
  const ms = answer.ms?.total;
  if (ms !== undefined) rows.push(["Time", `${number_text(ms, 3)} ms`]);
  return rows;
}

const open_text = (n: number): string => `${plural(n, "column does", "columns do")} not close`;

function health_text(answer: Answer): string {
  const { health } = answer;
  const parts: string[] = [];
  if (!health) return "";
  if (health.open_columns > 0) parts.push(open_text(health.open_columns));
  if (health.inside_out_columns > 0) parts.push(`${plural(health.inside_out_columns, "column")} inside out`);
  if (health.skipped_triangles > 0) parts.push(`${plural(health.skipped_triangles, "face")} left out`);
  return parts.join(", ") || "see above";
}

export function doubts_of({ answer, undecided, defects }: QueryReply, state: State): string[] {
  const doubts = (answer.doubts ?? []).map(String);
  for (const u of undecided ?? []) doubts.push(`${name_of(state, u.a)} and ${name_of(state, u.b)}: ${u.why ?? "undecided"}`);
  for (const d of defects ?? []) {
    const wrong = [
      d.open_columns > 0 && open_text(d.open_columns),
      d.inside_out_columns > 0 && `${plural(d.inside_out_columns, "column")} inside out`,
      d.skipped_triangles > 0 && `${plural(d.skipped_triangles, "face")} left out`,
      d.closed_edges > 0 && `holes of ${plural(d.closed_edges, "edge")} were closed`,
    ].filter((text) => text !== false);
    if (wrong.length > 0) doubts.push(`${name_of(state, d.id)}: ${wrong.join(", ")}`);
  }
  return doubts;
}

/** Whether the answer is of meshes that have fewer faces than their sources. */
export const of_simplified = (state: State): boolean =>
  (state.result?.ids ?? []).some((id) => state.bodies.get(id)?.info.simplified);

/** Of a report whose meshes are not all there is: which answer is of what. */
export function again_text(state: State): string {
  const simplified = [...state.bodies.values()].some(({ info }) => info.simplified);
  if (!state.report || !(simplified || state.report.clash?.simplified)) return "";
  return "The answer above is of the command; what is below is computed again, from the simplified meshes of this page.";
}

export const name_of = (state: State, id: number): string => state.bodies.get(id)?.info.name ?? `object ${id}`;

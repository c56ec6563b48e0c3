// The question and its answer.

import type { Viewer } from "../app/viewer.ts";
import type { Answer, Kind, PairDetail, QueryReply, Verdict } from "../engine/types.ts";
import { counted, measured, number_text, percent, plural } from "../state/numbers.ts";
import { answer_of, type Change, type State } from "../state/store.ts";
import { longest } from "../view/bodies.ts";
import { kLayerColors, kRampColors } from "../view/colors.ts";
import { layer_count } from "../view/overlay.ts";
import { button, checkbox, Facts, field, h, icon_button, Segments, set_text, svg } from "./dom.ts";

const kKinds: [Kind, string, string][] = [
  ["intersect", "Overlap", "The volume that two objects share"],
  ["self", "Self", "The volume that an object covers more than once"],
  ["scene", "Scene", "All pairs of objects, with contacts"],
  ["depth", "Way out", "The shortest way out of each other"],
  ["distance", "Distance", "The smallest distance of two objects"],
  ["contain", "Inside", "Which points are inside an object"],
  ["layers", "Layers", "The layered depth image: what the method sees"],
];

const kVerdicts: Record<Verdict, string> = { colliding: "Colliding", clear: "Clear", undecided: "Undecided" };

type Row = [string, string, string?];

export class MeasurePanel {
  readonly element: HTMLElement;
  private kinds: Segments<Kind>;
  private subjects: Subjects;
  private verdict = h("div", { class: "verdict" });
  private big = h("output", { class: "big" });
  private bar = new ErrorBar();
  private facts = new Facts();
  private doubts = h("ul", { class: "doubts" });
  private hint = h("p", { class: "hint" });
  private pairs: PairList;
  private layer: LayerSlider;
  private forces = new ForceScale();
  private note = h("p", { class: "hint" });

  constructor(private viewer: Viewer) {
    this.kinds = new Segments("What to measure", kKinds, (kind) => viewer.set_kind(kind), "segments wrap");
    this.subjects = new Subjects(viewer);
    this.pairs = new PairList(viewer);
    this.layer = new LayerSlider(viewer);
    this.element = h(
      "div",
      { class: "panel-body measure" },
      h("h2", {}, "Measure"),
      this.kinds.element,
      this.subjects.element,
      this.note,
      h("div", { class: "answer", role: "region", "aria-label": "Answer" },
        this.verdict, this.hint, this.big, this.bar.element, this.doubts, this.forces.element, this.layer.element, this.pairs.element, this.facts.element),
    );
    viewer.store.on((changes) => this.update(changes));
  }

  /** Zooms to the next pair of a scene, or with -1 to the one before. */
  walk_pairs(by: number): void {
    this.pairs.walk(by);
  }

  private update(changes: ReadonlySet<Change>): void {
    const { state } = this.viewer;
    this.kinds.value = state.kind;
    if (changes.has("objects") || changes.has("question") || changes.has("selection")) this.subjects.update();
    if (!["objects", "question", "answer", "selection", "display"].some((c) => changes.has(c as Change))) return;
    const again = state.report && [...state.bodies.values()].some((b) => b.info.simplified);
    set_text(this.note, again ? "The answer above is of the command; below: computed again from what is in this page." : "");
    this.note.hidden = !again;
    this.show_answer(state);
  }

  private show_answer(state: State): void {
    const answer = answer_of(state);
    const kind = state.result?.kind ?? state.kind;
    this.element.classList.toggle("waiting", state.waiting);
    this.pairs.update(kind === "scene" ? answer : null, state);
    this.layer.update(state);
    this.forces.update(state);
    this.hint.hidden = answer !== null;
    set_text(this.hint, answer ? "" : state.no_answer || "…");
    this.show_verdict(kind);
    const main = answer ? main_figure(kind, answer) : null;
    this.big.hidden = !main;
    if (main) {
      const { value, error, unit } = main.error === null ? { value: main.text!, error: "", unit: "" } : measured(main.value, main.error);
      this.big.replaceChildren(
        h("span", { class: "value" }, value),
        error ? h("span", { class: "error" }, ` ± ${error}`) : "",
        unit ? h("span", { class: "unit" }, ` ${unit}`) : "",
        h("span", { class: "what" }, main.what),
      );
      this.big.title = String(main.value);
    }
    this.bar.show(answer?.volume ?? 0, kind === "intersect" || kind === "self" ? (answer?.volume_error ?? 0) : -1);
    const doubts = state.result ? doubts_of(state.result.reply, state) : [];
    this.doubts.hidden = doubts.length === 0;
    if (this.doubts.textContent !== doubts.join("")) this.doubts.replaceChildren(...doubts.map((d) => h("li", {}, d)));
    this.facts.show(answer ? facts_of(kind, answer, state) : []);
  }

  private show_verdict(kind: Kind): void {
    const verdict = this.viewer.state.result ? verdict_of(this.viewer.state.result.reply, kind) : null;
    this.verdict.hidden = !verdict;
    if (!verdict || this.verdict.dataset.verdict === verdict) return;
    this.verdict.dataset.verdict = verdict;
    this.verdict.replaceChildren(h("span", { class: "dot" }), kVerdicts[verdict]);
  }
}

function verdict_of({ answer, undecided }: QueryReply, kind: Kind): Verdict | null {
  if (kind === "contain" || kind === "layers") return null;
  if (answer.verdict) return answer.verdict;
  if (kind !== "scene") return null;
  if ((answer.pairs_detail?.length ?? 0) > 0) return "colliding";
  return (undecided?.length ?? 0) > 0 ? "undecided" : "clear";
}

interface Figure {
  value: number;
  /** null: `text` is the whole of it. */
  error: number | null;
  text?: string;
  what: string;
}

/** The figure that people came for. */
function main_figure(kind: Kind, answer: Answer): Figure | null {
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

function facts_of(kind: Kind, answer: Answer, state: State): Row[] {
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

function health_text(answer: Answer): string {
  const { health } = answer;
  const parts: string[] = [];
  if (!health) return "";
  if (health.open_columns > 0) parts.push(`${plural(health.open_columns, "column")} do not close`);
  if (health.inside_out_columns > 0) parts.push(`${plural(health.inside_out_columns, "column")} inside out`);
  if (health.skipped_triangles > 0) parts.push(`${plural(health.skipped_triangles, "face")} left out`);
  return parts.join(", ") || "see above";
}

function doubts_of({ answer, undecided, defects }: QueryReply, state: State): string[] {
  const doubts = (answer.doubts ?? []).map(String);
  for (const u of undecided ?? []) doubts.push(`${name_of(state, u.a)} and ${name_of(state, u.b)}: ${u.why ?? "undecided"}`);
  for (const d of defects ?? []) {
    const wrong = [
      d.open_columns > 0 && `${plural(d.open_columns, "column")} do not close`,
      d.inside_out_columns > 0 && `${plural(d.inside_out_columns, "column")} inside out`,
      d.skipped_triangles > 0 && `${plural(d.skipped_triangles, "face")} left out`,
      d.closed_edges > 0 && `holes of ${plural(d.closed_edges, "edge")} were closed`,
    ].filter((text) => text !== false);
    if (wrong.length > 0) doubts.push(`${name_of(state, d.id)}: ${wrong.join(", ")}`);
  }
  return doubts;
}

const name_of = (state: State, id: number): string => state.bodies.get(id)?.info.name ?? `object ${id}`;

/** Which objects the question is about. */
class Subjects {
  readonly element = h("div", { class: "subjects" });
  private a: HTMLSelectElement;
  private b: HTMLSelectElement;
  private points: HTMLSelectElement;
  private row_b: HTMLElement;
  private row_points: HTMLElement;
  private self: ReturnType<typeof checkbox>;
  private swap: HTMLButtonElement;

  constructor(private viewer: Viewer) {
    const number = (select: HTMLSelectElement): number | null => (select.value === "" ? null : Number(select.value));
    const choose = (): void => {
      let [a, b] = [number(this.a), number(this.b)];
      if (a === b) [a, b] = [a, viewer.state.pair[0] === a ? viewer.state.pair[1] : viewer.state.pair[0]];
      viewer.set_pair([a, b]);
    };
    this.a = h("select", { onchange: choose });
    this.b = h("select", { onchange: choose });
    this.points = h("select", {
      onchange: () => {
        const [kind, value] = this.points.value.split(":");
        const { count } = viewer.state.contain;
        viewer.set_contain(kind === "box" ? { of: "box", count: Number(value) } : { of: kind === "report" ? "report" : Number(value), count });
      },
    });
    this.swap = icon_button("swap", "Swap the two", () => viewer.set_pair([viewer.state.pair[1], viewer.state.pair[0]]));
    const row_a = field("First", this.a);
    row_a.append(this.swap);
    this.row_b = field("Second", this.b);
    this.row_points = field("Points", this.points);
    this.self = checkbox("Also objects with themselves", false, (self) => viewer.set_scene_self(self));
    this.element.append(row_a, this.row_b, this.row_points, this.self.element);
  }

  update(): void {
    const { state } = this.viewer;
    const two = ["intersect", "depth", "distance"].includes(state.kind);
    const ids = [...state.bodies.keys()];
    this.element.hidden = ids.length === 0;
    (this.element.firstElementChild as HTMLElement).hidden = state.kind === "scene";
    set_text(this.element.querySelector("label")!, two ? "First" : "Object");
    this.swap.hidden = !two;
    this.row_b.hidden = !two;
    this.row_points.hidden = state.kind !== "contain";
    this.self.element.hidden = state.kind !== "scene";
    this.self.input.checked = state.scene_self;
    fill(this.a, ids.map((id) => [String(id), name_of(state, id)]), String(state.pair[0] ?? ""));
    fill(this.b, ids.map((id) => [String(id), name_of(state, id)]), String(state.pair[1] ?? ""));
    const { of, count } = state.contain;
    fill(
      this.points,
      [
        ...(state.report?.points ? [["report:", "Those of the report"] as [string, string]] : []),
        ...[1000, 4000, 20000].map((n): [string, string] => [`box:${n}`, `${counted(n)} at random in its box`]),
        ...ids.filter((id) => id !== state.pair[0]).map((id): [string, string] => [`of:${id}`, `Vertices of ${name_of(state, id)}`]),
      ],
      of === "box" ? `box:${count}` : of === "report" ? "report:" : `of:${of}`,
    );
  }
}

function fill(select: HTMLSelectElement, choices: [string, string][], value: string): void {
  const key = JSON.stringify(choices);
  if (select.dataset.key !== key) {
    select.dataset.key = key;
    select.replaceChildren(...choices.map(([v, text]) => h("option", { value: v }, text)));
  }
  select.value = value;
}

/** A volume on a scale from 0, with how far off it may be. */
class ErrorBar {
  readonly element = h("div", { class: "error-bar" });
  private low = h("span", {}, "0");
  private high = h("span", {});
  private drawing = svg("svg", { viewBox: "0 0 100 12", preserveAspectRatio: "none", "aria-hidden": "true" });
  private text = h("span", { class: "relative" });

  constructor() {
    this.element.append(this.drawing, h("div", { class: "scale" }, this.low, this.text, this.high));
  }

  /** error below 0: no bar at all. */
  show(volume: number, error: number): void {
    this.element.hidden = error < 0 || volume + error <= 0;
    if (this.element.hidden) return;
    const most = nice_above(volume + error);
    const x = (v: number): number => Math.max(0, Math.min(100, (100 * v) / most));
    const left = x(volume - error), right = Math.max(x(volume + error), left + 0.6);
    this.drawing.replaceChildren(
      svg("rect", { x: 0, y: 5, width: 100, height: 2, class: "track" }),
      svg("rect", { x: 0, y: 4, width: x(volume), height: 4, class: "amount" }),
      svg("rect", { x: left, y: 5.2, width: right - left, height: 1.6, class: "whisker" }),
      svg("rect", { x: left - 0.15, y: 1, width: 0.5, height: 10, class: "whisker" }),
      svg("rect", { x: right - 0.35, y: 1, width: 0.5, height: 10, class: "whisker" }),
    );
    set_text(this.high, number_text(most, 3));
    set_text(this.text, volume > 0 && error > 0 ? `± ${percent(error / volume)}, 95 %` : "");
  }
}

/** The smallest of 1, 2, 5 times a power of ten that is not below. */
export function nice_above(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  for (const step of [1, 2, 5, 10]) if (step * power >= value) return step * power;
  return 10 * power;
}

const kMostPairs = 400;

/** Colliding pairs, the largest first; a click zooms there. */
class PairList {
  readonly element = h("div", { class: "pairs", hidden: true });
  private shown: Answer | null = null;
  private rows: { pair: PairDetail; button: HTMLButtonElement }[] = [];

  constructor(private viewer: Viewer) {}

  update(answer: Answer | null, state: State): void {
    const pairs = answer?.pairs_detail ?? [];
    this.element.hidden = pairs.length === 0;
    if (answer !== this.shown) {
      this.shown = answer;
      this.fill(pairs, state);
    }
    for (const { pair, button } of this.rows) {
      const on = state.focused_pair?.[0] === pair.a && state.focused_pair[1] === pair.b;
      button.setAttribute("aria-pressed", String(on));
    }
  }

  /** The next pair (or, with -1, the one before), for keys. */
  walk(by: number): void {
    const pairs = this.rows.map((r) => r.pair);
    if (pairs.length === 0) return;
    const now = this.viewer.state.focused_pair;
    const at = now ? pairs.findIndex((p) => p.a === now[0] && p.b === now[1]) : by > 0 ? -1 : 0;
    const next = pairs[(at + by + pairs.length) % pairs.length];
    this.viewer.zoom_to_pair(next.a, next.b);
  }

  private fill(pairs: PairDetail[], state: State): void {
    const sorted = [...pairs].sort((p, q) => (q.volume ?? 0) - (p.volume ?? 0));
    const focused = this.rows.findIndex((r) => r.button === document.activeElement);
    this.rows = sorted.slice(0, kMostPairs).map((pair) => {
      const m = measured(pair.volume ?? 0, pair.volume_error ?? 0);
      const contacts = pair.contacts?.length ?? 0;
      const element = button("", () => this.viewer.zoom_to_pair(pair.a, pair.b), { class: "pair" });
      element.append(
        h("span", { class: "pair-names" }, `${name_of(state, pair.a)} – ${name_of(state, pair.b)}`),
        h("span", { class: "pair-volume" }, `${m.value} ${m.unit}`.trim()),
        h("span", { class: "pair-more" }, contacts > 0 ? plural(contacts, "contact") : "", pair.depth != null ? ` · depth ${number_text(pair.depth, 3)}` : ""),
      );
      return { pair, button: element };
    });
    this.element.replaceChildren(
      ...this.rows.map((r) => r.button),
      ...(sorted.length > kMostPairs ? [h("p", { class: "hint" }, `and ${counted(sorted.length - kMostPairs)} more`)] : []),
    );
    if (focused >= 0) this.rows[Math.min(focused, this.rows.length - 1)]?.button.focus();
  }
}

/** What the colours of forces mean. */
class ForceScale {
  readonly element = h("div", { class: "force-scale", hidden: true });
  private most = h("span", {});

  constructor() {
    const bar = h("div", { class: "ramp" });
    bar.style.background = `linear-gradient(90deg, ${kRampColors.join()})`;
    this.element.append(bar, h("div", { class: "scale" }, h("span", {}, "0"), h("span", {}, "force on a vertex, by its root"), this.most));
  }

  update(state: State): void {
    const forces = state.result?.kind === "intersect" && state.shown.forces ? state.result.reply.forces : undefined;
    this.element.hidden = !forces;
    if (forces) set_text(this.most, number_text(Math.max(longest(forces.a), longest(forces.b)), 3));
  }
}

/** Which layer of the LDI is drawn. */
class LayerSlider {
  readonly element: HTMLElement;
  private slider: HTMLInputElement;
  private text = h("output", {});
  private legend = h("div", { class: "legend" });
  private most = 0;
  private shown: unknown = null;

  constructor(viewer: Viewer) {
    this.slider = h("input", { type: "range", min: "-1", step: "1", oninput: () => viewer.set_layer(Number(this.slider.value)) });
    const row = field("Layer", this.slider);
    row.append(this.text);
    this.element = h("div", { class: "layers", hidden: true }, row, this.legend);
  }

  update(state: State): void {
    const columns = state.result?.kind === "layers" ? state.result.reply.columns : undefined;
    this.element.hidden = !columns;
    if (!columns) return;
    if (this.shown !== columns) {
      this.shown = columns;
      this.most = layer_count(columns);
      this.legend.replaceChildren(
        ...Array.from({ length: Math.min(this.most, kLayerColors.length) }, (_, i) => {
          const swatch = h("i", {});
          swatch.style.background = kLayerColors[i];
          return h("span", {}, swatch, String(i + 1));
        }),
      );
    }
    this.slider.max = String(this.most - 1);
    this.slider.value = String(Math.min(state.layer, this.most - 1));
    set_text(this.text, state.layer < 0 ? "all" : `${state.layer + 1} of ${this.most}`);
  }
}


// The question and its answer.

import type { Viewer } from "../app/viewer.ts";
import type { Kind } from "../engine/types.ts";
import { counted, measured } from "../state/numbers.ts";
import { missing_text } from "../state/engines.ts";
import { answer_of, type Change, type State } from "../state/store.ts";
import { again_text, doubts_of, facts_of, kVerdicts, main_figure, name_of, of_simplified, verdict_of } from "./answer_text.ts";
import { checkbox, Facts, field, h, icon_button, Segments, set_text } from "./dom.ts";
import { PairList } from "./pair_list.ts";
import { ErrorBar, ForceScale, LayerSlider } from "./scales.ts";

const kKinds: [Kind, string, string][] = [
  ["intersect", "Overlap", "The volume that two objects share"],
  ["self", "Self", "The volume that an object covers more than once"],
  ["scene", "Scene", "All pairs of objects, with contacts"],
  ["depth", "Way out", "The shortest way out of each other"],
  ["distance", "Distance", "The smallest distance of two objects"],
  ["contain", "Inside", "Which points are inside an object"],
  ["layers", "Layers", "The layered depth image: what the method sees"],
];

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
    const notes = [again_text(state), missing_text(state.missing_engine, answer_of(state)?.engine)].filter((text) => text !== "");
    set_text(this.note, notes.join(" "));
    this.note.hidden = notes.length === 0;
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
        h("span", { class: "what" }, main.what + (of_simplified(state) ? ", of simplified meshes" : "")),
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

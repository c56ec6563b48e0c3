// How things are drawn, the cutting plane, and how the engine samples.

import type { Viewer } from "../app/viewer.ts";
import type { Axis, QueryOptions } from "../engine/types.ts";
import { number_text } from "../state/numbers.ts";
import type { Change, OverlapStyle, Surface, Times } from "../state/store.ts";
import { button, checkbox, field, h, icon_button, NumberField, section, Segments, set_text } from "./dom.ts";

export class DisplayPanel {
  readonly element: HTMLElement;
  private surface: Segments<Surface>;
  private overlap: Segments<OverlapStyle>;
  private checks: { input: HTMLInputElement; key: "forces" | "contacts" | "ghost" | "grid" | "wires" }[];
  private cut: ReturnType<typeof checkbox>;
  private axis: Segments<Axis>;
  private position: HTMLInputElement;
  private cut_body: HTMLElement;

  constructor(private viewer: Viewer) {
    const show = viewer.show.bind(viewer);
    this.surface = new Segments<Surface>("Objects", [["auto", "Auto"], ["glass", "Glass"], ["solid", "Solid"]], (surface) => show({ surface }));
    this.overlap = new Segments<OverlapStyle>(
      "Overlap", [["solid", "Smooth"], ["columns", "Columns"], ["both", "Both"]], (overlap) => show({ overlap }),
    );
    const checks = ([
      ["forces", "Forces as colours"], ["contacts", "Contacts"], ["ghost", "Ghost of the way out"], ["wires", "Edges of faces"], ["grid", "Ground"],
    ] as const).map(([key, label]) => ({ key, ...checkbox(label, false, (on) => show({ [key]: on })) }));
    this.checks = checks;

    this.cut = checkbox("Cutting plane", false, (on) => viewer.set_cut({ on }));
    this.axis = new Segments<Axis>("Axis of the cut", [["x", "x"], ["y", "y"], ["z", "z"]], (axis) => viewer.set_cut({ axis }));
    this.position = h("input", {
      type: "range", min: "0", max: "1", step: "0.002", "aria-label": "Position of the cut",
      oninput: () => viewer.set_cut({ position: Number(this.position.value) }),
    });
    const flip = icon_button("swap", "Flip the side that is cut away", () => viewer.set_cut({ flip: !viewer.state.cut.flip }));
    this.cut_body = h("div", { class: "cut" }, this.axis.element, this.position, flip);
    this.element = h(
      "div",
      { class: "panel-body" },
      section("Display", true,
        h("div", { class: "field" }, h("span", { class: "label-text" }, "Objects"), this.surface.element),
        h("div", { class: "field" }, h("span", { class: "label-text" }, "Overlap"), this.overlap.element),
        h("div", { class: "checks" }, ...checks.map((c) => c.element), this.cut.element),
        this.cut_body),
      new OptionsSection(viewer).element,
    );
    viewer.store.on((changes) => this.update(changes));
  }

  private update(changes: ReadonlySet<Change>): void {
    if (!changes.has("display") && !changes.has("question")) return;
    const { shown, cut } = this.viewer.state;
    this.surface.value = shown.surface;
    this.overlap.value = shown.overlap;
    for (const { input, key } of this.checks) input.checked = shown[key];
    this.cut.input.checked = cut.on;
    this.cut_body.hidden = !cut.on;
    this.axis.value = cut.axis;
    if (document.activeElement !== this.position) this.position.value = String(cut.position);
  }
}

/** Columns that are chosen take the place of cells of a scene, which a report may bring. */
const kNoCells: QueryOptions = { cell: undefined, screen: undefined };

const kResolutions = [32, 64, 128, 256, 512, 1024];

class OptionsSection {
  readonly element: HTMLElement;
  private resolution: HTMLSelectElement;
  private axis: HTMLSelectElement;
  private tolerance: NumberField;
  private certify: ReturnType<typeof checkbox>;
  private engine: HTMLSelectElement;
  private engine_row: HTMLElement;
  private compare: HTMLElement;
  private live: ReturnType<typeof checkbox>;
  private table = h("div", { class: "times" });
  private about = h("p", { class: "hint" });

  constructor(private viewer: Viewer) {
    const change = (part: QueryOptions): void => {
      const options = { ...viewer.state.options, ...part };
      for (const key of Object.keys(options) as (keyof QueryOptions)[]) if (options[key] === undefined) delete options[key];
      viewer.set_options(options);
    };
    this.resolution = h("select", { onchange: () => change({ resolution: Number(this.resolution.value) || undefined, ...kNoCells }) });
    this.axis = h(
      "select",
      { onchange: () => change({ axis: (this.axis.value as Axis) || undefined }) },
      h("option", { value: "" }, "automatic"), ...["x", "y", "z"].map((a) => h("option", { value: a }, a)),
    );
    this.tolerance = new NumberField(
      "Tolerance, percent", (v) => change({ tolerance: v > 0 ? { relative: v / 100 } : undefined }), { placeholder: "none" },
      () => change({ tolerance: undefined }),
    );
    this.certify = checkbox("Prove the verdict by exact arithmetic", false, (on) => change({ certify: on || undefined }));
    this.engine = h("select", { onchange: () => change({ engine: this.engine.value || undefined }) });
    this.engine_row = field("Engine", this.engine);
    const run = button("Compare engines", () => void viewer.compare_engines(5), { title: "Time the overlap of the pair with each engine" });
    this.live = checkbox("Compare again after each answer", false, (on) => viewer.set_times_live(on));
    this.compare = h("div", {}, h("div", { class: "actions" }, run), this.live.element, this.table);
    this.element = section(
      "Sampling", false,
      field("Columns", this.resolution, "N × N columns over the box that is sampled"),
      field("Axis", this.axis, "Direction of the rays"),
      field("Tolerance, %", this.tolerance.input, "How far off the volume may be; samples again until it is met"),
      this.certify.element, this.engine_row, this.compare, this.about,
    );
    viewer.store.on((changes) => this.update(changes));
  }

  private update(changes: ReadonlySet<Change>): void {
    if (changes.has("times")) this.show_times();
    if (!changes.has("question")) return;
    const { hello, options } = this.viewer.state;
    const chosen = options.resolution;
    const choices = chosen && !kResolutions.includes(chosen) ? [...kResolutions, chosen].sort((a, b) => a - b) : kResolutions;
    this.resolution.replaceChildren(
      h("option", { value: "" }, "default, 128 × 128"), ...choices.map((n) => h("option", { value: String(n) }, `${n} × ${n}`)),
    );
    this.resolution.value = String(chosen ?? "");
    this.axis.value = options.axis ?? "";
    const relative = options.tolerance?.relative;
    this.tolerance.show(relative ? String(Number((relative * 100).toPrecision(6))) : "");
    this.certify.input.checked = options.certify === true;
    const native = hello?.native === true;
    this.engine_row.hidden = !native;
    this.compare.hidden = !native;
    if (native && this.engine.children.length === 0)
      this.engine.append(
        h("option", { value: "" }, "automatic"),
        ...hello.engines.map((e) => h("option", { value: e.name, disabled: !e.available, title: e.why ?? "" }, e.name + (e.available ? "" : " (not here)"))),
      );
    this.engine.value = options.engine ?? "";
    if (hello)
      set_text(this.about, `Lamella ${hello.version}, ${native ? "on this machine" : "in this page"}, ${hello.threads === 1 ? "one thread" : `${hello.threads} threads`}.`);
  }

  private show_times(): void {
    const { live, rows } = this.viewer.state.times;
    this.live.input.checked = live;
    this.table.replaceChildren(rows.length > 0 ? times_table(rows) : "");
  }
}

function times_table(rows: Times["rows"]): HTMLElement {
  return h(
    "table", {},
    h("thead", {}, h("tr", {}, ...["Engine", "Median, ms", "Least, ms", "Volume"].map((t) => h("th", { scope: "col" }, t)))),
    h("tbody", {}, ...rows.map((r) =>
      h("tr", { class: r.old ? "old" : "" }, h("th", { scope: "row" }, r.engine),
        ...(r.error ? [h("td", { colSpan: 3 }, r.error)] : [number_text(r.ms, 3), number_text(r.least, 3), String(Number(r.volume.toPrecision(6)))].map((text) => h("td", {}, text)))))),
  );
}

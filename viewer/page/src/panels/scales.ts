// Scales below an answer: how far off a volume may be, what colours mean, which layer is drawn.

import type { Viewer } from "../app/viewer.ts";
import { number_text, percent } from "../state/numbers.ts";
import type { State } from "../state/store.ts";
import { longest } from "../view/bodies.ts";
import { kLayerColors, kRampColors } from "../view/colors.ts";
import { layer_count } from "../view/overlay.ts";
import { field, h, set_text, svg } from "./dom.ts";

/** A volume on a scale from 0, with how far off it may be. */
export class ErrorBar {
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

/** What the colours of forces mean. */
export class ForceScale {
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
export class LayerSlider {
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

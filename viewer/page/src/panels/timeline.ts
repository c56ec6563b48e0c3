// A simulation's frames: play, pause, step, go back to frames that were kept, and what was measured in each, as a plot.

import type { Viewer } from "../app/viewer.ts";
import { counted, number_text } from "../state/numbers.ts";
import { button, h, icon, icon_button, set_text, svg } from "./dom.ts";

const kPreferred = ["shared_volume", "pairs", "inside", "contacts", "force", "kinetic_energy"];
const kMostPoints = 600;

export class Timeline {
  readonly element: HTMLElement;
  private play: HTMLButtonElement;
  private slider: HTMLInputElement;
  // They change with every frame: nobody wants to hear all of them.
  private frame = h("output", { class: "frame", "aria-live": "off" });
  private title = h("strong", {});
  private note = h("span", { class: "note" });
  private figure: HTMLSelectElement;
  private value = h("output", { class: "figure-value", "aria-live": "off" });
  private plot = svg("svg", { viewBox: "0 0 600 56", preserveAspectRatio: "none", class: "plot", "aria-hidden": "true" });
  private close: HTMLButtonElement;
  private film: unknown = null;

  constructor(private viewer: Viewer) {
    const { projector } = viewer;
    this.play = icon_button("play", "Play (Space)", () => projector.set_playing(!projector.film?.playing), { class: "icon-button strong" });
    const back = icon_button("back", "One frame back (,)", () => this.jump(-1));
    const step = icon_button("step", "One frame on (.)", () => this.jump(1));
    this.slider = h("input", {
      type: "range", min: "0", step: "1", "aria-label": "Frame",
      oninput: () => {
        projector.set_playing(false);
        projector.go(Number(this.slider.value));
      },
    });
    this.figure = h("select", { "aria-label": "Figure to plot", onchange: () => this.update() });
    this.close = button("Close", () => void viewer.end_film());
    this.element = h(
      "section",
      { class: "timeline", "aria-label": "Timeline", hidden: true },
      h("div", { class: "row" }, back, this.play, step, this.slider, this.frame),
      h("div", { class: "row spread" }, h("span", { class: "row" }, this.title, this.note),
        h("span", { class: "row" }, this.figure, this.value, this.close)),
      this.plot,
    );
    viewer.store.on(() => this.update());
  }

  jump(by: number): void {
    const { projector } = this.viewer;
    projector.set_playing(false);
    if (by > 0) void projector.step();
    else if (projector.film) projector.go(projector.film.at + by);
  }

  private update(): void {
    const { film } = this.viewer.projector;
    this.element.hidden = !film;
    document.body.classList.toggle("film", film !== null);
    if (!film) {
      this.film = null;
      return;
    }
    if (this.film !== film) {
      this.film = film;
      this.fill_figures(Object.keys(film.frames[0]?.figures ?? {}));
      this.close.hidden = !film.live && this.viewer.state.bodies.size === 0;
    }
    this.play.replaceChildren(icon(film.playing ? "pause" : "play"));
    this.play.setAttribute("aria-label", film.playing ? "Pause (Space)" : "Play (Space)");
    this.slider.max = String(film.frames.length - 1);
    this.slider.value = String(film.at);
    set_text(this.frame, `${counted(film.at)} / ${counted(film.frames.length - 1)}`);
    set_text(this.title, film.name);
    set_text(this.note, film.frames[film.at]?.note || (film.full ? "memory is full: no more frames" : ""));
    const name = this.figure.value;
    const now = film.frames[film.at]?.figures[name];
    set_text(this.value, now === undefined ? "" : number_text(now, 5));
    this.draw(film.frames.map((f) => f.figures[name] ?? NaN), film.at);
  }

  private fill_figures(names: string[]): void {
    this.figure.replaceChildren(...names.map((name) => h("option", { value: name }, name.replaceAll("_", " ").replace(".", ": "))));
    this.figure.value = kPreferred.find((p) => names.includes(p)) ?? names[0] ?? "";
    this.figure.hidden = names.length === 0;
  }

  private draw(values: number[], at: number): void {
    const finite = values.filter(Number.isFinite);
    if (finite.length === 0) return this.plot.replaceChildren();
    const low = Math.min(0, ...finite.slice(0, 1), finite.reduce((a, b) => Math.min(a, b)));
    const high = finite.reduce((a, b) => Math.max(a, b));
    const x = (i: number): number => (600 * i) / Math.max(1, values.length - 1);
    const y = (v: number): number => 52 - (48 * (v - low)) / (high - low || 1);
    const stride = Math.max(1, Math.ceil(values.length / kMostPoints));
    let path = "";
    for (let i = 0; i < values.length; i += stride)
      if (Number.isFinite(values[i])) path += `${path ? "L" : "M"}${x(i).toFixed(1)} ${y(values[i]).toFixed(1)}`;
    this.plot.replaceChildren(
      svg("path", { d: path, class: "curve" }),
      svg("path", { d: `M${x(at)} 0V56`, class: "now" }),
    );
  }
}

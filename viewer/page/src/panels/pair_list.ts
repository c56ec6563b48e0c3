// The colliding pairs of a scene.

import type { Viewer } from "../app/viewer.ts";
import type { Answer, PairDetail } from "../engine/types.ts";
import { counted, measured, number_text, plural } from "../state/numbers.ts";
import type { State } from "../state/store.ts";
import { name_of } from "./answer_text.ts";
import { button, h } from "./dom.ts";

const kMostPairs = 400;

/** Colliding pairs, the largest first; a click zooms there. */
export class PairList {
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

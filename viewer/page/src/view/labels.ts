// Short texts that stay at a place in the scene.

import { Vector3, type Camera } from "three";
import { lay_out, leader, type Spot, type Tag } from "./label_layout.ts";

export interface Label {
  /** What the label is of: with the same key it is the same label with another text. */
  key: string;
  at: Vector3;
  text: string;
  kind: "overlap" | "distance" | "depth";
}

interface Shown {
  label: Label;
  element: HTMLElement;
  /** From the label to its place, where it was moved. */
  line: HTMLElement;
  width: number;
  height: number;
  spot: Spot | undefined;
}

export class Labels {
  readonly element = document.createElement("div");
  private shown: Shown[] = [];
  private to_measure = false;

  constructor() {
    this.element.className = "labels";
    this.element.setAttribute("aria-hidden", "true"); // the same figures are in the panel
  }

  /** The most important first: where two come together, that one stays. */
  set(labels: Label[]): void {
    const before = new Map(this.shown.map((s) => [s.label.key, s]));
    this.shown = labels.map((label) => {
      const old = before.get(label.key);
      const element = old?.element ?? document.createElement("span");
      const line = old?.line ?? document.createElement("i");
      element.className = `label ${label.kind}`;
      element.textContent = label.text;
      line.className = "leader";
      return { label, element, line, width: 0, height: 0, spot: old?.spot };
    });
    this.to_measure = true;
    // What is already there is not put in anew: that would cut its movements short.
    const children = [...this.shown.map((s) => s.line), ...this.shown.map((s) => s.element)];
    const same = children.length === this.element.childElementCount && children.every((c, i) => c === this.element.children[i]);
    if (!same) this.element.replaceChildren(...children);
  }

  place(camera: Camera, width: number, height: number): void {
    if (this.to_measure) this.measure();
    const p = new Vector3();
    const seen: Shown[] = [];
    const tags: Tag[] = [];
    for (const shown of this.shown) {
      p.copy(shown.label.at).project(camera);
      if (p.z > 1 || Math.abs(p.x) > 1.1 || Math.abs(p.y) > 1.1) {
        shown.spot = undefined;
        show(shown.element, false);
        show(shown.line, false);
        continue;
      }
      seen.push(shown);
      tags.push({ x: ((p.x + 1) / 2) * width, y: ((1 - p.y) / 2) * height, width: shown.width, height: shown.height });
    }
    const spots = lay_out(tags, seen.map((s) => s.spot), height);
    seen.forEach((shown, i) => {
      const { x, y } = tags[i];
      const { element, line } = shown;
      const spot = (shown.spot = spots[i]);
      show(element, spot.shown);
      element.style.translate = `${x}px ${y}px`;
      if (spot.shown) element.style.transform = `translate(-50%, -140%) translateY(${spot.shift}px)`;
      const ends = leader(tags[i], spot);
      show(line, ends !== null);
      if (!ends) return;
      line.style.translate = `${x}px ${ends.top}px`;
      line.style.height = `${ends.length}px`;
      line.classList.toggle("below", ends.top >= y);
    });
  }

  /** All at once, before anything is moved: the browser lays the page out for it. */
  private measure(): void {
    this.to_measure = false;
    for (const shown of this.shown) {
      shown.width = shown.element.offsetWidth;
      shown.height = shown.element.offsetHeight;
    }
  }
}

function show(element: HTMLElement, shown: boolean): void {
  element.style.opacity = shown ? "1" : "0";
}

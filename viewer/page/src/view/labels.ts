// Short texts that stay at a place in the scene.

import { Vector3, type Camera } from "three";

export interface Label {
  at: Vector3;
  text: string;
  kind: "overlap" | "distance" | "depth";
}

export class Labels {
  readonly element = document.createElement("div");
  private shown: { label: Label; element: HTMLElement }[] = [];

  constructor() {
    this.element.className = "labels";
    this.element.setAttribute("aria-hidden", "true"); // the same figures are in the panel
  }

  set(labels: Label[]): void {
    this.shown = labels.map((label) => {
      const element = document.createElement("span");
      element.className = `label ${label.kind}`;
      element.textContent = label.text;
      return { label, element };
    });
    this.element.replaceChildren(...this.shown.map((s) => s.element));
  }

  place(camera: Camera, width: number, height: number): void {
    const p = new Vector3();
    for (const { label, element } of this.shown) {
      p.copy(label.at).project(camera);
      element.hidden = p.z > 1 || Math.abs(p.x) > 1.1 || Math.abs(p.y) > 1.1;
      element.style.transform = `translate(${((p.x + 1) / 2) * width}px, ${((1 - p.y) / 2) * height}px) translate(-50%, -140%)`;
    }
  }
}

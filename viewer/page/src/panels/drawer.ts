// On a narrow page the panels are a drawer at the bottom: tabs open one of them, a second press closes it.

import { h } from "./dom.ts";

export class Drawer {
  readonly element: HTMLElement;

  constructor(panels: [string, HTMLElement][]) {
    const buttons = panels.map(([name, panel]) =>
      h("button", { type: "button", "aria-expanded": "false", onclick: () => open(panel.classList.contains("open") ? null : panel) }, name));
    const open = (chosen: HTMLElement | null): void => {
      panels.forEach(([, panel], i) => {
        panel.classList.toggle("open", panel === chosen);
        buttons[i].setAttribute("aria-expanded", String(panel === chosen));
      });
      document.body.classList.toggle("drawer-open", chosen !== null);
    };
    this.element = h("nav", { class: "drawer", "aria-label": "Panels" }, ...buttons);
  }
}

// Errors, short messages and progress. Errors stay until they are closed or time out slowly; screen readers hear them.

import type { Notices } from "../app/viewer.ts";
import { h, icon_button, set_text } from "./dom.ts";

const kMostToasts = 4;

export class NoticeBoard implements Notices {
  readonly toasts = h("div", { class: "toasts", role: "region", "aria-label": "Messages" });
  readonly bar = h("div", { class: "progress", hidden: true });
  private live = h("div", { class: "visually-hidden", role: "alert", "aria-live": "assertive" });
  private quiet = h("div", { class: "visually-hidden", role: "status", "aria-live": "polite" });
  private fill = h("div", { class: "progress-fill" });
  private label = h("div", { class: "progress-label" });
  /** What was shown, for tests. */
  readonly errors: string[] = [];

  constructor() {
    this.bar.append(this.fill, this.label);
    this.bar.setAttribute("role", "progressbar");
  }

  get elements(): HTMLElement[] {
    return [this.bar, this.toasts, this.live, this.quiet];
  }

  error(message: string): void {
    this.errors.push(message);
    set_text(this.live, message);
    this.toast(message, "error", 20_000);
  }

  say(message: string): void {
    set_text(this.quiet, message);
    this.toast(message, "info", 5_000);
  }

  private toast(message: string, kind: string, ms: number): void {
    const toast = h("div", { class: `toast ${kind}` }, h("p", {}, message));
    toast.append(icon_button("close", "Close this message", () => toast.remove()));
    this.toasts.append(toast);
    while (this.toasts.children.length > kMostToasts) this.toasts.firstElementChild!.remove();
    setTimeout(() => toast.remove(), ms);
  }

  progress(message: string | null, part: number | null = null): void {
    this.bar.hidden = message === null;
    if (message === null) return;
    set_text(this.label, message + (part === null ? " …" : ` … ${Math.round(part * 100)} %`));
    this.bar.classList.toggle("endless", part === null);
    this.bar.setAttribute("aria-label", message);
    if (part === null) this.bar.removeAttribute("aria-valuenow");
    else this.bar.setAttribute("aria-valuenow", String(Math.round(part * 100)));
    this.fill.style.width = part === null ? "" : `${part * 100}%`;
  }
}

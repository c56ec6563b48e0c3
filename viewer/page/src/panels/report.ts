// What a command answered, at the top of a report.

import type { Viewer } from "../app/viewer.ts";
import type { Report } from "../engine/types.ts";
import { counted, number_text, plural } from "../state/numbers.ts";
import { rough_text } from "../state/simplified.ts";
import { h, section } from "./dom.ts";

export class ReportPanel {
  readonly element = h("div", { class: "report", hidden: true });
  private shown: Report | null = null;
  private addresses: string[] = [];

  constructor(viewer: Viewer) {
    viewer.store.on(() => {
      if (viewer.state.report === this.shown) return;
      this.shown = viewer.state.report;
      this.fill(this.shown, viewer);
    });
  }

  private fill(report: Report | null, viewer: Viewer): void {
    for (const address of this.addresses.splice(0)) URL.revokeObjectURL(address);
    this.element.hidden = !report;
    if (!report) return;
    const text = Array.isArray(report.text) ? report.text.join("\n") : (report.text ?? "");
    const notes = notes_of(report, viewer);
    const rows = table_rows(report.answer ?? {});
    this.element.replaceChildren(
      h("h1", {}, report.title ?? report.command),
      h("pre", { class: "command" }, command_line(report)),
      text ? h("div", { class: "answer-text", role: "region", tabIndex: 0, "aria-label": "What the command printed" },
        ...answer_lines(text).map(({ line, in_table }) => h("div", in_table ? { class: "in-table" } : {}, line || "\u00a0"))) : "",
      notes.length > 0 ? h("ul", { class: "notes" }, ...notes.map((n) => h("li", {}, n))) : "",
      ...(report.pictures ?? []).map((p) => this.picture(p.title, p.png)),
      rows.length > 0
        ? section("All figures", false, h("table", { class: "figures" }, h("tbody", {},
            ...rows.map(([k, v]) => h("tr", {}, h("th", { scope: "row" }, k), h("td", {}, v))))))
        : "",
      report.version ? h("p", { class: "hint" }, `Lamella ${report.version}`) : "",
    );
  }

  private picture(title: string, png: Uint8Array): HTMLElement {
    const address = URL.createObjectURL(new Blob([new Uint8Array(png)], { type: "image/png" }));
    this.addresses.push(address);
    const large = h("dialog", { class: "large", "aria-label": title, onclick: () => large.close() }, h("img", { src: address, alt: title }));
    return h("figure", {},
      h("button", { type: "button", class: "picture", title: "Show it large", onclick: () => large.showModal() }, h("img", { src: address, alt: title })),
      h("figcaption", {}, title), large);
  }
}

/** As it was typed. The arguments may begin with the command's own words. */
export function command_line({ command, arguments: words = [] }: Pick<Report, "command" | "arguments">): string {
  const own = command.split(" ");
  const repeated = own.every((word, i) => words[i] === word);
  return ["lamella", ...(repeated ? [] : own), ...words.map(quoted)].join(" ");
}

/** As one types it in a shell. */
export const quoted = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;

function notes_of(report: Report, viewer: Viewer): string[] {
  const notes = [...(report.notes ?? [])];
  const rough = rough_text([...viewer.state.bodies.values()].map(({ info }) => info));
  if (notes.length === 0)
    for (const s of report.simplified ?? [])
      notes.push(`${viewer.store.name(s.object)}: ${counted(s.kept)} of ${counted(s.faces)} faces are in this page.`);
  return rough === "" ? notes : [...notes, rough];
}

/** The lines that a command printed, and which of them are of a table: these have columns, and must not be wrapped. A
 * line with two or more wide gaps has columns; so has what stands between two such lines without an empty one. */
export function answer_lines(text: string): { line: string; in_table: boolean }[] {
  const lines = text.trimEnd().split("\n").map((line) => ({ line, in_table: (line.match(/\S {2,}(?=\S)/g)?.length ?? 0) > 1 }));
  let last = -1; // of the lines of the table above
  lines.forEach(({ line, in_table }, i) => {
    if (line.trim() === "") last = -1;
    if (!in_table) return;
    if (last >= 0) for (const between of lines.slice(last + 1, i)) between.in_table = true;
    last = i;
  });
  return lines;
}

const kMostRows = 200;

/** The answer's JSON as rows: what is within is named with dots; long lists are left out. */
export function table_rows(value: object, prefix = ""): [string, string][] {
  const rows: [string, string][] = [];
  for (const [key, item] of Object.entries(value)) {
    const name = prefix + key.replaceAll("_", " ");
    if (item === null || item === undefined) continue;
    if (typeof item === "number") rows.push([name, Number.isInteger(item) ? counted(item) : number_text(item, 9)]);
    else if (typeof item === "string" || typeof item === "boolean") rows.push([name, String(item)]);
    else if (ArrayBuffer.isView(item)) continue;
    else if (Array.isArray(item)) {
      if (item.length > 0 && item.length <= 4 && item.every((x) => typeof x !== "object"))
        rows.push([name, item.map((x) => (typeof x === "number" ? number_text(x, 7) : String(x))).join(", ")]);
      else rows.push([name, plural(item.length, "entry", "entries")]);
    } else if (typeof item === "object") rows.push(...table_rows(item, `${name}: `));
    if (rows.length > kMostRows) break;
  }
  return rows;
}

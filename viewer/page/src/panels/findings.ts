// The findings of a clash report: below the view a table to sort and filter, at the side the finding that one looks at.

import type { Viewer } from "../app/viewer.ts";
import type { ClashClass, ClashData, ClashFinding, ClashPair } from "../engine/types.ts";
import { class_counts, class_text, filtered, ids_of, kClashClasses, sorted, status_of, type ClashColumn, type ClashFilter } from "../state/clash.ts";
import { counted, number_text, plural } from "../state/numbers.ts";
import { button, checkbox, h, section } from "./dom.ts";

const kMostRows = 300;
const kMostPlaces = 200;

const kColumns: [ClashColumn, string, boolean][] = [
  ["order", "#", true],
  ["title", "Finding", false],
  ["class", "Class", false],
  ["volume", "Volume", true],
  ["depth", "Depth", true],
  ["distance", "Distance", true],
  ["places", "Places", true],
  ["status", "Status", false],
];
/** Columns that are left out when all of their cells would be empty. */
const kFilled: Partial<Record<ClashColumn, (finding: ClashFinding) => boolean>> = {
  volume: (f) => f.volume > 0,
  depth: (f) => f.depth > 0,
  distance: (f) => f.distance !== undefined,
  status: (f) => status_of(f) !== "",
};
/** Columns that begin with their largest numbers. */
const kLargestFirst: ClashColumn[] = ["volume", "depth", "places"];

export class FindingsPanel {
  readonly element = h("section", { class: "findings", "aria-label": "Findings", hidden: true });
  /** Belongs beside the other panels. */
  readonly detail = h("section", { class: "finding-detail", "aria-label": "Finding", hidden: true });
  private data: ClashData | null = null;
  private filter: { -readonly [K in keyof ClashFilter]: ClashFilter[K] } = { hidden: new Set(), change: "", allowed: true, text: "" };
  private column: ClashColumn = "order";
  private descending = false;
  private listed: number[] = [];
  private columns = kColumns;
  private finding = -1;
  private head = h("tr", {});
  private body = h("tbody", {});
  private more = h("p", { class: "hint" });
  private pictures = new Map<number, string>();

  constructor(private viewer: Viewer) {
    viewer.store.on(() => {
      const data = viewer.state.report?.clash ?? null;
      if (data !== this.data) this.fill(data);
      this.follow(viewer.state.clash_pair);
    });
  }

  /** Shows the next finding of the list (or, with -1, the one before). Whether there is one. */
  walk(by: number): boolean {
    if (this.listed.length === 0) return false;
    const at = this.listed.indexOf(this.finding);
    const next = at < 0 ? (by > 0 ? 0 : this.listed.length - 1) : (at + by + this.listed.length) % this.listed.length;
    this.open(this.listed[next]);
    this.body.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: "nearest" });
    return true;
  }

  private fill(data: ClashData | null): void {
    for (const address of this.pictures.values()) URL.revokeObjectURL(address);
    this.pictures.clear();
    this.data = data;
    this.finding = -1;
    this.element.hidden = data === null;
    this.detail.hidden = true;
    if (!data) return this.element.replaceChildren();
    this.filter = { hidden: new Set(), change: "", allowed: true, text: "" };
    this.columns = kColumns.filter(([column]) => data.findings.some(kFilled[column] ?? (() => true)));
    const table = h("table", { class: "finding-table" }, h("thead", {}, this.head), this.body);
    this.element.replaceChildren(
      this.bar(data),
      h("div", { class: "finding-list", tabIndex: 0, "aria-label": "List of findings" }, table, this.more, gone_list(data)),
    );
    this.show_rows();
  }

  private bar(data: ClashData): HTMLElement {
    const counts = class_counts(data.findings);
    const chips = kClashClasses.filter((c) => counts.has(c)).map((c) => this.chip(c, counts.get(c)!));
    const parts: HTMLElement[] = [h("h2", {}, plural(data.findings.length, "finding")), h("div", { class: "chips" }, ...chips)];
    if (data.findings.some((f) => f.change)) {
      const select = h("select", { "aria-label": "Since the earlier report", onchange: () => this.refilter({ change: select.value }) },
        ...[["", "New and old"], ["new", "New"], ["changed", "Changed"], ["same", "As before"]].map(([value, text]) => h("option", { value }, text)));
      parts.push(select);
    }
    if (data.findings.some((f) => f.allowed)) parts.push(checkbox("Allowed", true, (allowed) => this.refilter({ allowed })).element);
    const text = h("input", {
      type: "text", class: "finding-search", placeholder: "Filter by name", "aria-label": "Filter by name", spellcheck: false,
      oninput: () => this.refilter({ text: text.value }),
    });
    parts.push(text);
    return h("div", { class: "finding-bar" }, ...parts);
  }

  private chip(kind: ClashClass, count: number): HTMLElement {
    const chip = button("", () => {
      const hidden = new Set(this.filter.hidden);
      if (!hidden.delete(kind)) hidden.add(kind);
      chip.setAttribute("aria-pressed", String(!hidden.has(kind)));
      this.refilter({ hidden });
    }, { class: "chip", "aria-pressed": "true", "data-class": kind });
    chip.append(h("span", { class: "dot" }), `${class_text(kind)} ${counted(count)}`);
    return chip;
  }

  private refilter(change: Partial<ClashFilter>): void {
    Object.assign(this.filter, change);
    this.show_rows();
  }

  private sort_by(column: ClashColumn): void {
    this.descending = column === this.column ? !this.descending : kLargestFirst.includes(column);
    this.column = column;
    this.show_rows();
  }

  private show_rows(): void {
    const { data } = this;
    if (!data) return;
    this.listed = sorted(data, filtered(data, this.filter), this.column, this.descending);
    const unit = data.unit === "" ? "" : ` ${data.unit}`;
    this.head.replaceChildren(...this.columns.map(([column, text, number]) => {
      const units = column === "volume" && unit ? `${unit}³` : column === "depth" || column === "distance" ? unit : "";
      const on = column === this.column;
      return h("th", { scope: "col", class: number ? "number" : "", "aria-sort": on ? (this.descending ? "descending" : "ascending") : "none" },
        button(text + units, () => this.sort_by(column), { class: "plain" }));
    }));
    this.body.replaceChildren(...this.listed.slice(0, kMostRows).map((i) => this.row(data.findings[i], i)));
    const out = this.listed.length - kMostRows;
    this.more.textContent = this.listed.length === 0 ? "No finding passes the filter." : out > 0 ? `and ${counted(out)} more: filter to see them` : "";
    this.more.hidden = this.more.textContent === "";
  }

  private row(finding: ClashFinding, index: number): HTMLElement {
    return h("tr", {
        class: finding.allowed ? "allowed" : "", "data-finding": index, "aria-selected": String(index === this.finding),
        onclick: () => this.open(index),
      },
      ...this.columns.map(([column]) => this.cell(column, finding, index)));
  }

  private cell(column: ClashColumn, finding: ClashFinding, index: number): HTMLElement {
    const number = (text: string): HTMLElement => h("td", { class: "number" }, text);
    switch (column) {
      case "order": return number(counted(index + 1));
      case "title":
        return h("th", { scope: "row" }, button(finding.title, () => this.open(index), { class: "plain finding-title", title: finding.title }));
      case "class": return h("td", { "data-class": finding.class }, h("span", { class: "dot" }), class_text(finding.class));
      case "volume": case "depth": return number(finding[column] > 0 ? number_text(finding[column], 4) : "");
      case "distance": return number(finding.distance === undefined ? "" : number_text(finding.distance, 4));
      case "places": return number(counted(finding.places));
      case "status": return h("td", {}, status_of(finding));
    }
  }

  private open(index: number): void {
    const pair = this.data?.findings[index]?.pairs[0];
    if (pair === undefined) this.select(index);
    else this.viewer.show_clash(pair);
  }

  /** The finding of the pair that the view shows. */
  private follow(pair: number | null): void {
    if (!this.data || pair === null) return;
    const index = this.data.findings[this.finding]?.pairs.includes(pair) ? this.finding : this.data.findings.findIndex((f) => f.pairs.includes(pair));
    if (index >= 0 && index !== this.finding) this.select(index);
    for (const place of this.detail.querySelectorAll("[data-pair]"))
      place.setAttribute("aria-pressed", String(Number((place as HTMLElement).dataset.pair) === pair));
  }

  private select(index: number): void {
    this.finding = index;
    for (const row of this.body.children)
      row.setAttribute("aria-selected", String(Number((row as HTMLElement).dataset.finding) === index));
    const { data } = this;
    const finding = data?.findings[index];
    if (!data || !finding) return;
    const places = finding.pairs.slice(0, kMostPlaces).map((i) => this.place(data.pairs[i], i));
    const out = finding.places - places.length;
    this.detail.replaceChildren(
      finding.png ? this.picture(index, finding.title, finding.png) : "",
      h("h3", {}, finding.title),
      h("ul", { class: "finding-lines" }, ...finding.lines.map((line) => h("li", {}, line))),
      h("div", { class: "places" }, ...places),
      out > 0 ? h("p", { class: "hint" }, `and ${plural(out, "more place")}`) : "",
    );
    this.detail.hidden = false;
  }

  private place(pair: ClashPair, index: number): HTMLElement {
    const unit = this.data?.unit ? ` ${this.data.unit}` : "";
    const size = pair.volume > 0 ? `${number_text(pair.volume, 4)}${unit && `${unit}³`}` : (pair.class === "near" || pair.class === "clear") && Number.isFinite(pair.distance) ? `${number_text(pair.distance, 4)}${unit}` : "";
    const { report, bodies } = this.viewer.state;
    const here = report !== null && ids_of(report, pair, bodies) !== null;
    const element = button("", () => this.viewer.show_clash(index), { class: "pair", "data-pair": index, "aria-pressed": "false" });
    element.append(
      h("span", { class: "pair-names" }, pair.names.join(" × ")),
      h("span", { class: "pair-volume" }, size),
      h("span", { class: "pair-more" }, `at ${pair.at.map((x) => number_text(x, 5)).join(", ")}${here ? "" : " · not in this page"}`),
    );
    return element;
  }

  private picture(index: number, title: string, png: Uint8Array): HTMLElement {
    let address = this.pictures.get(index);
    if (!address) {
      address = URL.createObjectURL(new Blob([new Uint8Array(png)], { type: "image/png" }));
      this.pictures.set(index, address);
    }
    return h("img", { class: "finding-picture", src: address, alt: `Picture of ${title}`, width: 320, height: 240 });
  }
}

/** Pairs of an earlier report that are no more. */
function gone_list(data: ClashData): HTMLElement | "" {
  const gone = data.gone ?? [];
  if (gone.length === 0) return "";
  return section(`No longer there: ${counted(gone.length)}`, false,
    h("ul", { class: "gone" }, ...gone.slice(0, kMostPlaces).map((g) => h("li", {}, `${g.a} × ${g.b}: was ${class_text(g.class)}`))),
    gone.length > kMostPlaces ? h("p", { class: "hint" }, `and ${counted(gone.length - kMostPlaces)} more`) : "");
}

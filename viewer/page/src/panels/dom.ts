// Elements of the page. Text goes in as text, never as HTML: names come from files that anybody may have made.

type Child = Node | string | null | undefined | false;
type Props = Record<string, unknown>;

/** `on…` are listeners, `class`, `data-…`, `aria-…` and the like attributes, everything else is a property. */
export function h<K extends keyof HTMLElementTagNameMap>(tag: K, props: Props = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  set(element, props);
  element.append(...children.filter((c): c is Node | string => c !== null && c !== undefined && c !== false));
  return element;
}

export function set(element: Element, props: Props): void {
  for (const [key, value] of Object.entries(props)) {
    if (value === undefined || value === null) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value as EventListener);
    else if (key === "class" || key === "for" || key === "role" || key === "list" || key.includes("-"))
      element.setAttribute(key, String(value));
    else (element as unknown as Props)[key] = value;
  }
}

export function set_text(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

const kSvg = "http://www.w3.org/2000/svg";

export function svg(tag: string, attributes: Record<string, string | number>, ...children: Node[]): SVGElement {
  const element = document.createElementNS(kSvg, tag);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  element.append(...children);
  return element;
}

// Drawn on 16 by 16, as lines.
const kIcons = {
  add: "M8 3v10M3 8h10",
  open: "M2 5.5V12a1 1 0 0 0 1 1h10a1 1 0 0 0 1-1V6a1 1 0 0 0-1-1H8L6.5 3H3a1 1 0 0 0-1 1v1.5",
  save: "M8 2.5v7M5 7l3 3 3-3M2.5 12v1.5h11V12",
  link: "M6.8 9.2a2.6 2.6 0 0 0 3.7 0l2-2a2.6 2.6 0 0 0-3.7-3.7l-.9.9M9.2 6.8a2.6 2.6 0 0 0-3.7 0l-2 2a2.6 2.6 0 0 0 3.7 3.7l.9-.9",
  copy: "M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3",
  undo: "M5.5 3.5 2.5 6.5l3 3M2.5 6.5h7a4 4 0 0 1 0 8H7",
  redo: "m10.5 3.5 3 3-3 3M13.5 6.5h-7a4 4 0 0 0 0 8H9",
  theme: "M8 2.5a5.5 5.5 0 1 0 0 11zM8 2.5a5.5 5.5 0 0 1 0 11",
  help: "M6 6.2a2 2 0 1 1 2.7 1.9c-.5.2-.7.5-.7 1.1M8 11.6v.1M8 1.8a6.2 6.2 0 1 0 0 12.4A6.2 6.2 0 0 0 8 1.8z",
  eye: "M1.5 8S4 3.8 8 3.8 14.5 8 14.5 8 12 12.2 8 12.2 1.5 8 1.5 8zM8 6a2 2 0 1 0 0 4 2 2 0 0 0 0-4z",
  hidden: "M2.5 2.5l11 11M6 4.2A7 7 0 0 1 8 3.8c4 0 6.5 4.2 6.5 4.2a12 12 0 0 1-2 2.4M4 5.4A11 11 0 0 0 1.5 8S4 12.2 8 12.2c.8 0 1.500-.1 2.200-.4",
  remove: "M3 4.500h10M6.500 4.500v-2h3v2M4.500 4.500l.5 9h6l.5-9",
  more: "M3.500 8h.01M8 8h.01M12.500 8h.01",
  select: "M4 2.500l8 6-3.600.7L10.500 13l-1.700.8-2-3.900L4 12z",
  move: "M8 1.800v12.400M1.800 8h12.400M6.300 3.500 8 1.800l1.700 1.700M6.300 12.500 8 14.200l1.700-1.700M3.500 6.300 1.800 8l1.700 1.700M12.500 6.300 14.200 8l-1.700 1.700",
  turn: "M13 8a5 5 0 1 1-1.500-3.500M11.800 1.800v2.900H8.900",
  pull: "M2 12.500c3 0 3.500-7 6-7s3 7 6 7M8 5.500V1.500M6.500 3 8 1.500 9.500 3",
  fit: "M2.500 5.500v-3h3M10.500 2.500h3v3M13.500 10.500v3h-3M5.500 13.500h-3v-3",
  play: "M5 3l8 5-8 5z",
  pause: "M5.500 3v10M10.500 3v10",
  step: "M4 3l6 5-6 5zM12.500 3v10",
  back: "M12 3 6 8l6 5zM3.500 3v10",
  close: "M4 4l8 8M12 4l-8 8",
  repair: "M9.800 6.200a3 3 0 0 1 3.700-3.800l-1.800 1.800.2 1.700 1.700.2 1.700-1.800a3 3 0 0 1-3.900 3.700l-5.600 5.600a1.200 1.200 0 0 1-1.700-1.700z",
  swap: "M4 5.500h9M10.500 3 13 5.500 10.500 8M12 10.500H3M5.500 8 3 10.500 5.500 13",
  chevron: "M6 4l4 4-4 4",
  warn: "M8 2 1.500 13.500h13zM8 6.500v3.500M8 11.900v.1",
  good: "M3 8.500l3.300 3.300L13 5",
} as const;
export type IconName = keyof typeof kIcons;

export function icon(name: IconName): SVGElement {
  return svg(
    "svg",
    { viewBox: "0 0 16 16", width: 16, height: 16, class: "icon", "aria-hidden": "true" },
    svg("path", { d: kIcons[name] }),
  );
}

/** A button with an icon; its name is read out and shown as a tooltip. */
export function icon_button(name: IconName, label: string, onclick: () => void, props: Props = {}): HTMLButtonElement {
  return h("button", { type: "button", class: "icon-button", title: label, "aria-label": label, onclick, ...props }, icon(name));
}

export function button(text: string, onclick: () => void, props: Props = {}): HTMLButtonElement {
  return h("button", { type: "button", onclick, ...props }, text);
}

let names = 0;
export const new_id = (): string => `f${++names}`;

/** A label and the control that it names. */
export function field(label: string, control: HTMLElement, hint?: string): HTMLElement {
  control.id ||= new_id();
  return h("div", { class: "field" }, h("label", { for: control.id, title: hint }, label), control);
}

export function checkbox(label: string, checked: boolean, onchange: (checked: boolean) => void): { element: HTMLElement; input: HTMLInputElement } {
  const input = h("input", { type: "checkbox", checked, onchange: () => onchange(input.checked) });
  return { element: h("label", { class: "check" }, input, h("span", {}, label)), input };
}

/** One of several, as buttons side by side. Arrow keys work as in any group of radio buttons. */
export class Segments<T extends string> {
  readonly element: HTMLElement;
  private inputs: HTMLInputElement[] = [];

  constructor(label: string, choices: [T, string, string?][], onchoose: (value: T) => void, className = "segments") {
    const name = new_id();
    this.element = h(
      "div",
      { class: className, role: "radiogroup", "aria-label": label },
      ...choices.map(([value, text, hint]) => {
        const input = h("input", { type: "radio", name, value, onchange: () => onchoose(value) });
        this.inputs.push(input);
        return h("label", { title: hint }, input, h("span", {}, text));
      }),
    );
  }

  set value(value: T) {
    for (const input of this.inputs) input.checked = input.value === value;
  }
}

/** A number that is typed: taken with Enter or when it is left; what is no number is refused, and the old one stays. An
 * empty field is refused too, unless `empty` says what it means. */
export class NumberField {
  readonly input: HTMLInputElement;
  private shown = "";

  constructor(label: string, private take: (value: number) => void, props: Props = {}, private empty?: () => void) {
    this.input = h("input", {
      type: "text", inputMode: "decimal", class: "number", "aria-label": label, spellcheck: false, autocomplete: "off",
      onchange: () => this.commit(),
      onkeydown: (event: KeyboardEvent) => {
        if (event.key === "Escape") {
          this.input.value = this.shown;
          this.input.removeAttribute("aria-invalid");
        }
      },
      ...props,
    });
  }

  private commit(): void {
    const text = this.input.value.trim().replace("−", "-");
    const value = Number(text);
    const good = text !== "" ? Number.isFinite(value) : this.empty !== undefined;
    if (!good) return this.input.setAttribute("aria-invalid", "true");
    this.input.removeAttribute("aria-invalid");
    if (text === "") this.empty!();
    else this.take(value);
  }

  show(text: string): void {
    this.shown = text;
    if (document.activeElement === this.input && this.input.getAttribute("aria-invalid")) return;
    this.input.removeAttribute("aria-invalid");
    if (this.input.value !== text) this.input.value = text;
  }
}

/** A part of a panel with a heading, that can be folded. */
export function section(title: string, open: boolean, ...children: Child[]): HTMLDetailsElement {
  return h(
    "details",
    { class: "section", open },
    h("summary", {}, icon("chevron"), h("span", {}, title)),
    h("div", { class: "section-body" }, ...children),
  );
}

/** Rows of a name and a value. Keeps its elements, so that live figures do not flicker and can be selected. */
export class Facts {
  readonly element = h("dl", { class: "facts" });
  private rows = new Map<string, { dt: HTMLElement; dd: HTMLElement }>();

  show(facts: [string, string, string?][]): void {
    const keys = new Set(facts.map(([key]) => key));
    for (const [key, row] of this.rows)
      if (!keys.has(key)) {
        row.dt.remove();
        row.dd.remove();
        this.rows.delete(key);
      }
    facts.forEach(([key, value, hint], i) => {
      let row = this.rows.get(key);
      if (!row) {
        row = { dt: h("dt", {}, key), dd: h("dd", {}) };
        this.rows.set(key, row);
      }
      if (this.element.children[2 * i] !== row.dt) {
        this.element.insertBefore(row.dt, this.element.children[2 * i] ?? null);
        this.element.insertBefore(row.dd, this.element.children[2 * i + 1] ?? null);
      }
      set_text(row.dd, value);
      row.dd.title = hint ?? "";
    });
  }
}

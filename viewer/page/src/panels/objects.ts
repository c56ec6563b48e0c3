// The list of objects, and what can be done with the one that is selected.

import type { Viewer } from "../app/viewer.ts";
import type { ObjectInfo, Pose, Vec3 } from "../engine/types.ts";
import { from_angles, make_pose, place_of, to_angles, turn_of } from "../state/math.ts";
import { counted, field_text, number_text, plural } from "../state/numbers.ts";
import { simplified_text } from "../state/simplified.ts";
import type { Body, Change } from "../state/store.ts";
import { kBodyColors } from "../view/colors.ts";
import { button, checkbox, Facts, field, h, icon, icon_button, NumberField, section, set_text } from "./dom.ts";

interface Row {
  element: HTMLElement;
  name: HTMLButtonElement;
  faces: HTMLElement;
  mark: HTMLElement;
  swatch: HTMLInputElement;
  eye: HTMLButtonElement;
}

/** What is wrong with a mesh, each as a few words; empty for one that is sound. */
export function defects(info: ObjectInfo): string[] {
  const out: string[] = [];
  const say = (n: number, one: string, many?: string): void => {
    if (n > 0) out.push(plural(n, one, many));
  };
  say(info.open_edges, "open edge");
  // Of a mesh that was simplified, merging made them: where something thin folds over, it is inside out.
  if (!info.simplified) say(info.inside_out_components, "part that is inside out", "parts that are inside out");
  if (!info.simplified) say(info.nonmanifold_edges, "edge of more than two faces", "edges of more than two faces");
  if (info.open_edges > 0) say(info.inconsistent_edges, "edge whose faces look opposite ways", "edges whose faces look opposite ways");
  if (!info.simplified) say(info.degenerate_triangles, "face without area", "faces without area");
  say(info.unusable_vertices, "unusable vertex", "unusable vertices");
  return out;
}

/** The volume. Of a mesh that was simplified that of its source, which is what people know it by. */
export function volume_rows(info: ObjectInfo): [string, string, string?][] {
  const row = (name: string, volume: number): [string, string, string] => [name, number_text(volume, 6), String(volume)];
  const source = info.deformed ? undefined : info.simplified?.volume;
  return source === undefined ? [row("Volume", info.volume)] : [row("Volume", source), row("Simplified", info.volume)];
}

export class ObjectsPanel {
  readonly element: HTMLElement;
  private list = h("ul", { class: "objects", "aria-label": "Objects" });
  private rows = new Map<number, Row>();
  private detail: Detail;
  private empty = h("p", { class: "hint" }, "No objects yet. Drop mesh files anywhere, or add a model.");

  constructor(private viewer: Viewer, add_files: () => void) {
    this.detail = new Detail(viewer);
    this.element = h(
      "div",
      { class: "panel-body" },
      h("div", { class: "row spread" }, h("h2", {}, "Objects"), new AddMenu(viewer, add_files).element),
      this.empty,
      this.list,
      this.detail.element,
    );
    viewer.store.on((changes) => this.update(changes));
  }

  private update(changes: ReadonlySet<Change>): void {
    if (changes.has("objects") || changes.has("selection")) this.update_list();
    if (changes.has("objects") || changes.has("selection") || changes.has("pose")) this.detail.update();
  }

  private update_list(): void {
    const { bodies, selection } = this.viewer.state;
    this.empty.hidden = bodies.size > 0;
    for (const [id, row] of this.rows)
      if (!bodies.has(id)) {
        row.element.remove();
        this.rows.delete(id);
      }
    for (const body of bodies.values()) {
      const id = body.info.id;
      let row = this.rows.get(id);
      if (!row) {
        row = this.make_row(id);
        this.rows.set(id, row);
        this.list.append(row.element);
      }
      this.fill_row(row, body, selection.includes(id));
    }
  }

  private make_row(id: number): Row {
    const { viewer } = this;
    const name = h("button", {
      type: "button", class: "object-name", "data-id": id,
      onclick: (event: MouseEvent) =>
        event.shiftKey || event.ctrlKey || event.metaKey ? viewer.toggle(id) : viewer.select([id]),
      ondblclick: () => viewer.fit_selection(),
      onkeydown: (event: KeyboardEvent) => this.walk(event),
    });
    const swatch = h("input", {
      type: "color", class: "swatch", title: "Colour", oninput: () => viewer.color(id, swatch.value),
    });
    swatch.setAttribute("list", "body-colors");
    const eye = icon_button("eye", "Hide", () => viewer.set_visible(id, !viewer.store.body(id)?.visible));
    const mark = h("span", { class: "mark" });
    const faces = h("span", { class: "faces" });
    const element = h("li", { class: "object" }, swatch, name, mark, faces, eye);
    return { element, name, faces, mark, swatch, eye };
  }

  private fill_row(row: Row, body: Body, selected: boolean): void {
    const { info } = body;
    row.element.classList.toggle("selected", selected);
    row.name.setAttribute("aria-pressed", String(selected));
    row.element.classList.toggle("off", !body.visible);
    set_text(row.name, info.name);
    row.name.title = info.name;
    set_text(row.faces, counted(info.faces));
    row.faces.title = plural(info.faces, "face");
    row.swatch.value = body.color;
    row.swatch.setAttribute("aria-label", `Colour of ${info.name}`);
    const wrong = defects(info);
    const health = wrong.length === 0 ? "Closed: bounds a solid" : wrong.join(", ");
    if (row.mark.title !== health) {
      row.mark.className = `mark ${wrong.length === 0 ? "good" : "bad"}`;
      row.mark.title = health;
      row.mark.setAttribute("role", "img");
      row.mark.setAttribute("aria-label", health);
      row.mark.replaceChildren(icon(wrong.length === 0 ? "good" : "warn"));
    }
    const label = body.visible ? "Hide" : "Show";
    if (row.eye.title !== label) {
      row.eye.title = label;
      row.eye.replaceChildren(icon(body.visible ? "eye" : "hidden"));
    }
    row.eye.setAttribute("aria-label", `${label} ${info.name}`);
  }

  /** Arrow keys go through the list. */
  private walk(event: KeyboardEvent): void {
    const by = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (by === 0) return;
    event.preventDefault();
    event.stopPropagation();
    const ids = [...this.viewer.state.bodies.keys()];
    const at = ids.indexOf(Number((event.currentTarget as HTMLElement).dataset.id));
    const next = ids[(at + by + ids.length) % ids.length];
    this.viewer.select([next]);
    this.rows.get(next)?.name.focus();
  }
}

/** Files and the engine's own models. */
class AddMenu {
  readonly element: HTMLElement;

  constructor(viewer: Viewer, add_files: () => void) {
    const choose = h("select", {
      class: "add-model", "aria-label": "Add a model", title: "Add a model",
      onchange: () => {
        const name = choose.value;
        choose.value = "";
        if (name) void viewer.library.add_models([{ name }]).then((ids) => viewer.select(ids.slice(-1)));
      },
    });
    let shown: unknown = null;
    viewer.store.on(() => {
      const models = viewer.state.hello?.models;
      if (!models || models === shown) return;
      shown = models;
      choose.replaceChildren(
        h("option", { value: "" }, "Model …"),
        ...models.map((m) => h("option", { value: m.name, title: m.summary }, `${m.name}, ${counted(m.faces)} faces`)),
      );
    });
    this.element = h("div", { class: "row" }, button("Files …", add_files, { title: "Add mesh files" }), choose);
  }
}

/** Where the selected object is, how sound it is, and what can be done with it. */
class Detail {
  readonly element: HTMLElement;
  private heading = h("input", { class: "rename", type: "text", "aria-label": "Name", spellcheck: false });
  private place: NumberField[];
  private angles: NumberField[];
  private facts = new Facts();
  private simplified = h("p", { class: "hint" });
  private health = h("div", { class: "health" });
  private reset: HTMLButtonElement;
  private radius: HTMLInputElement;
  private pull_note = h("p", { class: "hint" });

  constructor(private viewer: Viewer) {
    const axes = ["x", "y", "z"];
    this.place = axes.map((axis, k) => new NumberField(`Position ${axis}`, (v) => this.take_place(k, v)));
    this.angles = axes.map((axis) => new NumberField(`Turn about ${axis}, degrees`, () => this.take_angles()));
    this.heading.addEventListener("change", () => {
      const body = viewer.store.primary;
      const name = this.heading.value.trim();
      if (body && name !== "" && name !== body.info.name) void viewer.library.rename(body.info.id, name);
      else this.update();
    });
    const primary = (): number[] => viewer.state.selection;
    this.reset = button("Reset", () => primary().forEach((id) => void viewer.library.reset(id)), { title: "Shape and place as they were read" });
    this.radius = h("input", {
      type: "range", min: "0.02", max: "0.6", step: "0.01", value: "0.15",
      oninput: () => {
        viewer.state.pull_radius = Number(this.radius.value);
      },
    });
    this.element = h(
      "div",
      { class: "detail", hidden: true },
      this.heading,
      h("div", { class: "actions" },
        button("Copy", () => primary().slice(0, 1).forEach((id) => void viewer.library.copy(id)), { title: "Make a copy (d)" }),
        this.reset,
        button("Zoom", () => viewer.fit_selection(), { title: "Zoom to it (f)" }),
        button("Remove", () => void viewer.library.remove(primary()), { title: "Remove (Delete)" })),
      section("Place", true,
        h("div", { class: "vector" }, h("span", {}, ""), ...axes.map((a) => h("span", { class: "axis" }, a)),
          h("span", { class: "what" }, "Position"), ...this.place.map((f) => f.input),
          h("span", { class: "what" }, "Turn, °"), ...this.angles.map((f) => f.input))),
      section("Mesh", true, this.facts.element, this.simplified, this.health),
      section("Pull", false,
        h("p", { class: "hint" }, "Choose Pull below the view (or press g) and drag a vertex: what is near follows. With keys: Enter holds the vertex in the middle of the view, arrows pull it."),
        field("Radius", this.radius), this.pull_note),
    );
  }

  private take_place(k: number, value: number): void {
    const body = this.viewer.store.primary;
    if (!body) return;
    const pose = [...body.info.pose] as Pose;
    pose[k] = value;
    this.viewer.set_poses([[body.info.id, pose]], true);
  }

  private take_angles(): void {
    const body = this.viewer.store.primary;
    const degrees = this.angles.map((f) => Number(f.input.value.replace("−", "-")));
    if (!body || !degrees.every(Number.isFinite)) return;
    this.viewer.set_poses([[body.info.id, make_pose(place_of(body.info.pose), from_angles(degrees as Vec3))]], true);
  }

  update(): void {
    const body = this.viewer.store.primary;
    this.element.hidden = !body;
    if (!body) return;
    const { info } = body;
    if (document.activeElement !== this.heading) this.heading.value = info.name;
    place_of(info.pose).forEach((v, k) => this.place[k].show(field_text(v)));
    to_angles(turn_of(info.pose)).forEach((v, k) => this.angles[k].show(field_text(Number(v.toFixed(6)))));
    const size = info.bounds.max.map((v, k) => v - info.bounds.min[k]);
    this.facts.show([
      ["Faces", counted(info.faces)],
      ["Vertices", counted(info.vertices)],
      ...volume_rows(info),
      ["Size", size.map((s) => number_text(s, 4)).join(" × ")],
      ...(info.components !== 1 ? [["Parts", counted(info.components)] as [string, string]] : []),
      ...(info.deformed ? [["Shape", "deformed"] as [string, string]] : []),
    ]);
    this.simplified.hidden = !info.simplified;
    set_text(this.simplified, simplified_text(info));
    set_text(this.pull_note, this.viewer.puller.why_not(info.id) ?? "");
    this.update_health(info);
  }

  private update_health(info: ObjectInfo): void {
    const wrong = defects(info);
    const key = `${info.id}:${wrong.join()}`;
    if (this.health.dataset.key === key) return;
    this.health.dataset.key = key;
    if (wrong.length === 0) {
      this.health.replaceChildren(h("p", { class: "verdict-line good" }, icon("good"), "Closed: bounds a solid"));
      return;
    }
    const shown = checkbox("Draw open edges", this.viewer.state.shown.edges, (edges) => this.viewer.show({ edges }));
    this.health.replaceChildren(
      h("p", { class: "verdict-line bad" }, icon("warn"), info.open_edges === 0 ? "Has defects" : "Open"),
      h("ul", { class: "doubts" }, ...wrong.map((text) => h("li", {}, text))),
      this.hole_list(info),
      shown.element,
      h("div", { class: "actions" }, button("Repair", () => void this.viewer.library.repair(info.id), { title: "Weld, turn, close holes" })),
    );
  }

  /** The places where the mesh is open; a click zooms there. */
  private hole_list(info: ObjectInfo): HTMLElement {
    const holes = this.viewer.library.hole_places(info.id);
    return h(
      "ul",
      { class: "holes", "aria-label": "Open places" },
      ...holes.slice(0, 50).map((hole, i) =>
        h("li", {}, button(`Hole ${i + 1}: ${plural(hole.edges, "edge")}`, () => this.viewer.stage.fit(hole.box), { class: "plain" }))),
      holes.length > 50 ? h("li", { class: "hint" }, `and ${counted(holes.length - 50)} more`) : null,
    );
  }
}

export function color_list(): HTMLElement {
  return h("datalist", { id: "body-colors" }, ...kBodyColors.map((value) => h("option", { value })));
}

// The bar above the view, and the tools below it.

import { Quaternion, Vector3 } from "three";
import type { Viewer } from "../app/viewer.ts";
import type { Tool } from "../state/store.ts";
import { h, icon, icon_button, svg, type IconName } from "./dom.ts";

export interface Commands {
  open(): void;
  save(): void;
  link(): void;
  copy(): void;
  theme(): void;
  help(): void;
}

export function top_bar(viewer: Viewer, commands: Commands): HTMLElement {
  const undo = icon_button("undo", "Undo (Ctrl+Z)", () => viewer.undo());
  const redo = icon_button("redo", "Redo (Ctrl+Shift+Z)", () => viewer.redo());
  const simulation = h("select", {
    "aria-label": "Run a simulation", class: "simulations",
    onchange: () => {
      const name = simulation.value;
      simulation.value = "";
      if (name) run_simulation(viewer, name);
    },
  });
  viewer.store.on(() => {
    undo.disabled = !viewer.history.can_undo;
    redo.disabled = !viewer.history.can_redo;
    const names = viewer.state.hello?.simulations ?? [];
    simulation.hidden = names.length === 0;
    if (simulation.children.length === 0 && names.length > 0)
      simulation.append(
        h("option", { value: "" }, "Simulate …"),
        ...names.map((s) => h("option", { value: s.name, title: s.summary }, s.name)),
      );
  });
  return h(
    "header",
    { class: "top" },
    h("div", { class: "brand" }, logo(), h("span", {}, "Lamella")),
    h("div", { class: "group" }, undo, redo),
    h("div", { class: "group grow" }, simulation),
    h("div", { class: "group" },
      icon_button("open", "Open files (o)", commands.open),
      icon_button("save", "Save the view to a file (s)", commands.save),
      icon_button("link", "Copy a link to this view (l)", commands.link),
      icon_button("copy", "Copy measurements as JSON (c)", commands.copy)),
    h("div", { class: "group" },
      icon_button("theme", "Light or dark", commands.theme),
      icon_button("help", "Keys (?)", commands.help)),
  );
}

function run_simulation(viewer: Viewer, name: string): void {
  void viewer.simulate(name).then(() => viewer.projector.set_playing(true));
}

/** Two shapes and what they share. */
function logo(): SVGElement {
  return svg(
    "svg", { viewBox: "0 0 20 20", width: 20, height: 20, "aria-hidden": "true", class: "logo" },
    svg("circle", { cx: 7.500, cy: 10, r: 6, class: "one" }),
    svg("circle", { cx: 12.500, cy: 10, r: 6, class: "two" }),
    svg("path", { d: "M10 4.546a6 6 0 0 1 0 10.908a6 6 0 0 1 0-10.908z", class: "both" }),
  );
}

const kTools: [Tool, string, IconName][] = [
  ["select", "Select (v)", "select"],
  ["move", "Move (t)", "move"],
  ["turn", "Turn (r)", "turn"],
  ["pull", "Pull a vertex (g)", "pull"],
];

export function tool_bar(viewer: Viewer): HTMLElement {
  const buttons = kTools.map(([tool, label, image]) => ({
    tool,
    element: icon_button(image, label, () => viewer.set_tool(tool), { "aria-pressed": "false" }),
  }));
  const surface = h("button", { type: "button", class: "icon-button", title: "Glass or solid (x)", "aria-label": "Glass or solid", onclick: () => toggle_glass(viewer) }, glass_icon());
  const cut = h("button", { type: "button", class: "icon-button", title: "Cutting plane (k)", "aria-label": "Cutting plane", onclick: () => viewer.set_cut({ on: !viewer.state.cut.on }) }, cut_icon());
  viewer.store.on(() => {
    for (const { tool, element } of buttons) element.setAttribute("aria-pressed", String(viewer.state.tool === tool));
    cut.setAttribute("aria-pressed", String(viewer.state.cut.on));
    surface.setAttribute("aria-pressed", String(viewer.state.shown.surface === "solid"));
  });
  return h(
    "div",
    { class: "tools", role: "toolbar", "aria-label": "Tools" },
    ...buttons.map((b) => b.element), h("span", { class: "rule" }), surface, cut,
    icon_button("fit", "Zoom to all (Home)", () => viewer.fit_all()),
  );
}

export function toggle_glass(viewer: Viewer): void {
  viewer.show({ surface: viewer.state.shown.surface === "solid" ? "auto" : "solid" });
}

const glass_icon = (): SVGElement =>
  svg("svg", { viewBox: "0 0 16 16", width: 16, height: 16, class: "icon", "aria-hidden": "true" },
    svg("path", { d: "M8 2l5.500 3v6L8 14l-5.500-3V5z" }), svg("path", { d: "M2.500 5 8 8l5.500-3M8 8v6" }));
const cut_icon = (): SVGElement =>
  svg("svg", { viewBox: "0 0 16 16", width: 16, height: 16, class: "icon", "aria-hidden": "true" },
    svg("path", { d: "M8 1.500v13M8 4.500H4a5 5 0 0 0 0 7h4" }), svg("path", { d: "M10 4.500h2a5 5 0 0 1 0 7h-2", "stroke-dasharray": "1.500 1.800" }));

/** The three axes as the camera sees them; a click on one looks along it. */
export function axes_widget(viewer: Viewer): HTMLElement {
  const drawing = svg("svg", { viewBox: "-44 -44 88 88", width: 88, height: 88, role: "group", "aria-label": "Axes" });
  const axes = (["x", "y", "z"] as const).map((name, k) => {
    const line = svg("line", { x1: 0, y1: 0, class: `axis-${name}` });
    const ball = svg("circle", { r: 9, class: `axis-${name}` });
    const text = svg("text", { "text-anchor": "middle", dy: 3.800 });
    text.textContent = name;
    const handle = svg("g", { role: "button", tabindex: 0, "aria-label": `Look along ${name}`, class: "axis-handle" }, line, ball, text);
    const look = (): void => viewer.look_along(new Vector3().setComponent(k, -1));
    handle.addEventListener("click", look);
    handle.addEventListener("keydown", (event) => {
      if (event.key === "Enter" || event.key === " ") {
        event.preventDefault();
        look();
      }
    });
    return { handle, line, ball, text, way: new Vector3().setComponent(k, 1) };
  });
  viewer.stage.after.push(() => {
    const turn = new Quaternion().copy(viewer.stage.camera.quaternion).invert();
    const seen = axes.map((a) => ({ ...a, p: a.way.clone().applyQuaternion(turn) })).sort((a, b) => a.p.z - b.p.z);
    for (const { line, ball, text, p } of seen) {
      const x = (p.x * 30).toFixed(1), y = (-p.y * 30).toFixed(1);
      line.setAttribute("x2", x);
      line.setAttribute("y2", y);
      ball.setAttribute("cx", x);
      ball.setAttribute("cy", y);
      text.setAttribute("x", x);
      text.setAttribute("y", y);
    }
    // Moving an element takes the focus from it: only when the order is another one.
    if (seen.some((s, i) => drawing.children[i] !== s.handle) && !drawing.contains(document.activeElement))
      drawing.append(...seen.map((s) => s.handle));
  });
  drawing.append(...axes.map((a) => a.handle));
  return h("div", { class: "axes" }, drawing);
}

/** What is shown before there is anything to see. */
export function welcome(viewer: Viewer, open: () => void): HTMLElement {
  const start = (names: string[], then?: () => void): void => {
    void viewer.library.add_models(names.map((name) => ({ name }))).then((ids) => {
      viewer.select(ids.slice(-1));
      then?.();
    });
  };
  const samples: [string, string[]][] = [
    ["Hand and phone", ["hand", "phone"]],
    ["Knot and serpent", ["knot", "serpent"]],
    ["Mouse and hat", ["mouse", "hat"]],
    ["Fist", ["fist"]],
    ["Helicopter and terrain", ["helicopter", "terrain"]],
  ];
  const simulations = h("div", { class: "samples" });
  const element = h(
    "div",
    { class: "welcome", hidden: true },
    h("h1", {}, "Where do they overlap?"),
    h("p", {}, "Drop closed triangle meshes here: PLY, OBJ, STL, OFF, glTF or GLB. Everything is computed in this page; nothing leaves it."),
    h("div", { class: "row center" }, h("button", { type: "button", class: "strong", onclick: open }, icon("open"), "Open files")),
    h("p", { class: "or" }, "or try"),
    h("div", { class: "samples" }, ...samples.map(([label, names]) =>
      h("button", { type: "button", onclick: () => start(names, names.length === 1 ? () => viewer.set_kind("self") : undefined) }, label))),
    simulations,
  );
  const place = element.querySelector("p")!;
  viewer.store.on(() => {
    const { bodies, hello } = viewer.state;
    element.hidden = bodies.size > 0 || hello === null || viewer.projector.film !== null;
    if (simulations.children.length === 0)
      simulations.append(...(hello?.simulations ?? []).map((s) =>
        h("button", { type: "button", class: "plain", title: s.summary, onclick: () => run_simulation(viewer, s.name) }, `simulate ${s.name}`)));
    if (hello?.native) place.textContent = "Drop closed triangle meshes here: PLY, OBJ, STL, OFF, glTF or GLB. They are measured on this machine.";
  });
  return element;
}

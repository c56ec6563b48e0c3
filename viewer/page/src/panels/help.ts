// The keys, in a dialog.

import { h, icon_button } from "./dom.ts";

const kKeys: [string, string][] = [
  ["v t r g", "select, move, turn, pull a vertex"],
  ["← → ↑ ↓", "move or turn the selected object; without one, or in Pull, turn the camera"],
  ["Page Up, Page Down", "the same along the third axis"],
  ["Shift with these", "ten times finer"],
  ["+ −", "zoom"],
  ["f, Home", "zoom to the selection, to all"],
  ["1 2 3 0", "look along x, y, z; from the corner"],
  ["x", "glass or solid"],
  ["k", "cutting plane"],
  ["h", "hide or show the selection"],
  ["d, Delete", "copy, remove the selection"],
  ["Ctrl+Z, Ctrl+Shift+Z", "undo, redo a move or a pull"],
  ["Enter, Esc", "in Pull: hold the vertex in the middle of the view, which arrows then pull; let go"],
  ["n p", "next, previous pair of a scene"],
  ["Space , .", "play or pause; one frame back, on"],
  ["o s l c", "open files, save the view, copy a link, copy measurements"],
  ["Shift+click", "select a second object"],
  ["Esc", "select nothing"],
];

export function help_dialog(): HTMLDialogElement {
  const dialog = h(
    "dialog",
    { class: "help", "aria-label": "Keys" },
    h("div", { class: "row spread" }, h("h2", {}, "Keys"), icon_button("close", "Close", () => dialog.close())),
    h("dl", {}, ...kKeys.flatMap(([keys, what]) => [h("dt", {}, keys), h("dd", {}, what)])),
  );
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
  return dialog;
}

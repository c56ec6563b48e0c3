// Puts the page together: finds the engine, makes panels and view, and begins with what the page was opened with.

import { listen_to_keys } from "./app/keys.ts";
import { listen_to_pointer } from "./app/pointer.ts";
import { Viewer } from "./app/viewer.ts";
import { report_data, server_token, start_worker } from "./engine/embedded.ts";
import { HttpPort, WorkerPort } from "./engine/port.ts";
import { Session } from "./engine/session.ts";
import { keep_alive } from "./engine/alive.ts";
import { make_hook } from "./hook.ts";
import { axes_widget, tool_bar, top_bar, welcome, type Commands } from "./panels/bars.ts";
import { DisplayPanel } from "./panels/display.ts";
import { h } from "./panels/dom.ts";
import { Drawer } from "./panels/drawer.ts";
import { FindingsPanel } from "./panels/findings.ts";
import { help_dialog } from "./panels/help.ts";
import { MeasurePanel } from "./panels/measure.ts";
import { NoticeBoard } from "./panels/notices.ts";
import { color_list, ObjectsPanel } from "./panels/objects.ts";
import { ReportPanel } from "./panels/report.ts";
import { Timeline } from "./panels/timeline.ts";
import { copy_text, download, listen_to_drops, pick_files } from "./app/files.ts";
import { Theme } from "./app/theme.ts";
import { from_hash } from "./state/link.ts";

function start(): void {
  const notices = new NoticeBoard();
  const canvas = h("canvas", { tabIndex: 0, role: "application", "aria-label": "Three-dimensional view" });
  const view = h("div", { class: "view" }, canvas);
  const stage = h("main", { class: "stage" }, view);
  document.body.append(stage);

  const token = server_token();
  const session = new Session(token === null ? new WorkerPort(start_worker()) : new HttpPort(token));
  if (token !== null) keep_alive(token);
  const viewer = new Viewer(session, canvas, notices);

  const open = (): void => pick_files((files) => void viewer.library.open_files(files));
  const theme = new Theme((dark) => viewer.stage.set_theme(dark));
  const help = help_dialog();
  const commands: Commands = {
    open,
    save: () => void viewer.keeper.save().then((bytes) => bytes && download("view.lamella", bytes)),
    link: () => {
      const link = viewer.keeper.link();
      if ("why" in link) return notices.say(link.why);
      history.replaceState(null, "", link.hash);
      void copy_text(location.href).then((good) => notices.say(good ? "Link copied." : "The link is in the address bar."));
    },
    copy: () => {
      const measured = viewer.measurements();
      if (!measured) return notices.say("There is nothing measured yet.");
      void copy_text(JSON.stringify(measured, null, 2)).then((good) =>
        good ? notices.say("Measurements copied as JSON.") : notices.error("The browser does not allow copying here."));
    },
    theme: () => theme.toggle(),
    help: () => help.showModal(),
  };

  const measure = new MeasurePanel(viewer);
  const timeline = new Timeline(viewer);
  const report = new ReportPanel(viewer);
  const findings = new FindingsPanel(viewer);
  const left = h("aside", { class: "side left", "aria-label": "Objects" }, new ObjectsPanel(viewer, open).element);
  const right = h("aside", { class: "side right", "aria-label": "Measurements" }, findings.detail, report.element, measure.element, new DisplayPanel(viewer).element);
  view.append(viewer.labels.element, axes_widget(viewer), tool_bar(viewer), welcome(viewer, open));
  stage.append(timeline.element, findings.element);
  document.body.prepend(top_bar(viewer, commands), left);
  document.body.append(right, new Drawer([["Objects", left], ["Measure", right]]).element, color_list(), help, ...notices.elements);

  listen_to_keys({ viewer, commands, walk_pairs: (by) => findings.walk(by) || measure.walk_pairs(by), jump_frames: (by) => timeline.jump(by) });
  listen_to_pointer(viewer);
  listen_to_drops((files) => void viewer.library.open_files(files));

  const ready = begin(viewer, token !== null);
  ready.catch((error) => viewer.report_error(error));
  (window as unknown as { lamella: object }).lamella = make_hook(viewer, notices, ready);
}

async function begin(viewer: Viewer, served: boolean): Promise<void> {
  viewer.notices.progress("Starting the engine", null);
  try {
    await viewer.greet();
  } finally {
    viewer.notices.progress(null);
  }
  const data = report_data();
  if (data) await viewer.keeper.load(data, "Opening the report");
  else if (served) await viewer.keeper.adopt_engine_state();
  const follow = async (): Promise<void> => {
    const link = from_hash(location.hash);
    if (link) await viewer.keeper.follow_link(link);
  };
  await follow();
  addEventListener("hashchange", () => void follow().catch((error) => viewer.report_error(error)));
}

try {
  start();
} catch (error) {
  // Without WebGL there is nothing to draw with.
  const message = error instanceof Error ? error.message : String(error);
  document.body.replaceChildren(h("p", { class: "fatal", role: "alert" }, `This page cannot start: ${message}`));
  console.error(error);
}

// Clicks select; in the tool "pull" a vertex is dragged.

import { to_local } from "../state/math.ts";
import { PlaneDrag } from "../view/gizmo.ts";
import type { Viewer } from "./viewer.ts";

const kClick = 5; // pixels that a click may move

export function listen_to_pointer(viewer: Viewer): void {
  const { canvas } = viewer.stage;
  let down: { x: number; y: number; handle: boolean } | null = null;
  let pull: { id: number; vertex: number; drag: PlaneDrag; moved: boolean } | null = null;

  const send = (event: PointerEvent, done: boolean): void => {
    const to = pull!.drag.to(viewer.stage.pointer(event));
    const body = viewer.store.body(pull!.id);
    if (to && body) viewer.pull(pull!.id, pull!.vertex, to_local(body.info.pose, viewer.stage.world(to)), done);
  };

  canvas.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || !event.isPrimary) return;
    canvas.focus({ preventScroll: true });
    down = { x: event.clientX, y: event.clientY, handle: viewer.gizmo.hovered };
    if (viewer.state.tool !== "pull" || viewer.projector.film) return;
    const hit = viewer.bodies.pick(viewer.stage.pointer(event), viewer.cut.planes);
    if (!hit) return;
    const why = viewer.cannot_pull(hit.id);
    if (why) return viewer.notices.error(why);
    viewer.select([hit.id]);
    pull = { id: hit.id, vertex: hit.vertex, drag: new PlaneDrag(viewer.stage, hit.point, viewer.stage.pointer(event)), moved: false };
    viewer.stage.controls.enabled = false;
    canvas.setPointerCapture(event.pointerId);
    event.stopImmediatePropagation();
  }, { capture: true });

  canvas.addEventListener("pointermove", (event) => {
    if (!pull) return;
    pull.moved = true;
    send(event, false);
  });

  const up = (event: PointerEvent): void => {
    if (pull) {
      if (pull.moved) send(event, true);
      pull = null;
      down = null;
      viewer.stage.controls.enabled = true;
      return;
    }
    const click = down && Math.hypot(event.clientX - down.x, event.clientY - down.y) < kClick && !down.handle;
    down = null;
    if (!click || event.button !== 0 || viewer.projector.film) return;
    const hit = viewer.bodies.pick(viewer.stage.pointer(event), viewer.cut.planes);
    if (!hit) viewer.select([]);
    else if (event.shiftKey || event.ctrlKey || event.metaKey) viewer.toggle(hit.id);
    else viewer.select([hit.id]);
  };
  canvas.addEventListener("pointerup", up);
  canvas.addEventListener("pointercancel", () => {
    pull = null;
    down = null;
    viewer.stage.controls.enabled = true;
  });
  canvas.addEventListener("dblclick", () => viewer.fit_selection());
}

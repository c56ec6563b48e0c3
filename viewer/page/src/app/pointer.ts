// Clicks select; in the tool "pull" a vertex is dragged.

import type { Vec3 } from "../engine/types.ts";
import { to_local } from "../state/math.ts";
import { PlaneDrag } from "../view/gizmo.ts";
import type { Viewer } from "./viewer.ts";

const kClick = 5; // pixels that a click may move

export function listen_to_pointer(viewer: Viewer): void {
  const { canvas } = viewer.stage;
  let down: { x: number; y: number; handle: boolean } | null = null;
  let pull: { pointer: number; id: number; vertex: number; drag: PlaneDrag; last: Vec3 | null } | null = null;

  const follow = (event: PointerEvent): void => {
    const to = pull!.drag.to(viewer.stage.pointer(event));
    const body = viewer.store.body(pull!.id);
    if (!to || !body) return;
    pull!.last = to_local(body.info.pose, viewer.stage.world(to));
    viewer.puller.pull(pull!.id, pull!.vertex, pull!.last, false);
  };
  /** However a pull ends, also when the browser takes the pointer away: it is done where it was last. */
  const let_go = (): void => {
    if (pull?.last) viewer.puller.pull(pull.id, pull.vertex, pull.last, true);
    pull = null;
    down = null;
    viewer.stage.controls.enabled = true;
  };

  /** A second finger has nothing to do with a pull. */
  const is_another = (event: PointerEvent): boolean => pull !== null && pull.pointer !== event.pointerId;

  canvas.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || !event.isPrimary) return;
    canvas.focus({ preventScroll: true });
    down = { x: event.clientX, y: event.clientY, handle: viewer.gizmo.hovered };
    if (viewer.state.tool !== "pull" || viewer.projector.film) return;
    const hit = viewer.bodies.pick(viewer.stage.pointer(event), viewer.cut.planes);
    if (!hit) return;
    const why = viewer.puller.why_not(hit.id);
    if (why) return viewer.notices.error(why);
    viewer.select([hit.id]);
    const drag = new PlaneDrag(viewer.stage, hit.point, viewer.stage.pointer(event));
    pull = { pointer: event.pointerId, id: hit.id, vertex: hit.vertex, drag, last: null };
    viewer.stage.controls.enabled = false;
    canvas.setPointerCapture(event.pointerId);
    event.stopImmediatePropagation();
  }, { capture: true });

  canvas.addEventListener("pointermove", (event) => {
    if (pull?.pointer === event.pointerId) follow(event);
  });

  const up = (event: PointerEvent): void => {
    if (is_another(event)) return;
    if (pull) {
      if (pull.last) follow(event);
      return let_go();
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
  canvas.addEventListener("pointercancel", (event) => {
    if (!is_another(event)) let_go();
  });
  canvas.addEventListener("dblclick", () => viewer.fit_selection());
}

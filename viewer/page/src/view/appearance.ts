// How objects look by what is asked: like glass where the answer is inside them, solid where it is between them.

import type { HolesReply } from "../engine/types.ts";
import type { State } from "../state/store.ts";
import type { Bodies, BodyView } from "./bodies.ts";

/** Makes all objects look as they should; returns those that are to be seen. */
export function appear(
  state: State, bodies: Bodies, open_edges: (id: number) => HolesReply | null,
): { view: BodyView; color: string }[] {
  return [...bodies.views.values()].flatMap((view) => {
    const body = state.bodies.get(view.id);
    if (!body) return [];
    const { material } = view.mesh;
    view.group.visible = body.visible;
    material.set_glass(is_glass(state, view.id), ...density(state, view.id));
    material.set_selected(state.selection.includes(view.id));
    view.show_holes(state.shown.edges ? open_edges(view.id) : null);
    return body.visible ? [{ view, color: body.color }] : [];
  });
}

/** Of glass, straight on and at the rim: what is asked about is denser, what is beside a pair that one looks at is thin. */
function density(state: State, id: number): [number, number] {
  if (is_beside(state, id)) return [0.03, 0.15];
  return is_subject(state, id) ? [0.2, 0.7] : [0.1, 0.4];
}

/** Whether one looks at a pair that this object is not of. */
function is_beside({ kind, focused_pair, clash_pair }: State, id: number): boolean {
  return (kind === "scene" || clash_pair !== null) && focused_pair !== null && !focused_pair.includes(id);
}

function is_subject({ result, kind, pair }: State, id: number): boolean {
  return kind === "scene" ? true : (result?.ids.includes(id) ?? pair.includes(id));
}

function is_glass(state: State, id: number): boolean {
  const { shown, kind, result } = state;
  if (shown.surface !== "auto") return shown.surface === "glass";
  if (kind === "distance") return is_beside(state, id);
  if (kind === "layers" || kind === "contain") return true;
  if (kind === "scene") return (result?.reply.answer.pairs_detail?.length ?? 0) > 0;
  return state.bodies.size > 1 || (kind === "self" && is_subject(state, id));
}

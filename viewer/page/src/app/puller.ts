// Pulling a vertex: with the pointer, or with keys once it is held. What is near follows; a pull can be undone.

import type { ObjectInfo, Vec3 } from "../engine/types.ts";
import { pull_step, type PullStep } from "../state/history.ts";
import { add, conjugate, diagonal, rotate, to_world, turn_of } from "../state/math.ts";
import { PullMarker } from "../view/gizmo.ts";
import type { Pull } from "./asker.ts";
import type { Viewer } from "./viewer.ts";

export class Puller {
  private marker: PullMarker;
  /** The vertex that keys pull, in its object's frame. */
  private held: { id: number; vertex: number; at: Vec3 } | null = null;
  /** Where the vertices were before the pull that goes on. */
  private start: { id: number; positions: Float32Array; first: boolean } | null = null;

  constructor(private viewer: Viewer) {
    this.marker = new PullMarker(viewer.stage);
  }

  /** Why an object's vertices cannot be pulled, or null. */
  why_not(id: number): string | null {
    return this.viewer.bodies.views.get(id)?.simplified
      ? "This object is drawn with fewer faces than it has, so its vertices cannot be pulled."
      : null;
  }

  pull(id: number, vertex: number, to: Vec3, done: boolean): void {
    const radius = this.radius(id);
    if (radius === null) return;
    this.viewer.asker.coarse = !done;
    this.viewer.asker.pull({ id, vertex, to, radius, done });
    this.held = { id, vertex, at: to };
    if (done) this.marker.hide();
    else this.show_marker();
  }

  private radius(id: number): number | null {
    const body = this.viewer.store.body(id);
    return body ? this.viewer.state.pull_radius * diagonal(body.info.bounds) : null;
  }

  private show_marker(): void {
    const body = this.viewer.store.body(this.held?.id);
    if (body) this.marker.show(this.viewer.stage.at(to_world(body.info.pose, this.held!.at)), this.radius(body.info.id)!);
  }

  /** The engine's reply. Replies come in the order of pulls. */
  pulled({ object, positions }: { object: ObjectInfo; positions: Float32Array }, { done }: Pull): void {
    const { viewer } = this;
    const body = viewer.store.body(object.id);
    const view = viewer.bodies.views.get(object.id);
    if (!body || !view) return;
    if (this.start?.id !== object.id) this.start = { id: object.id, positions: view.surface.own_positions(), first: !body.info.deformed };
    body.info = { ...object, pose: body.info.pose };
    view.surface.move(positions);
    viewer.stage.invalidate();
    viewer.store.changed("objects");
    if (!done) return;
    const step = pull_step(object.id, this.start.positions, positions, this.start.first);
    this.start = null;
    if (step) viewer.history.push(step);
    viewer.bounds_changed();
    viewer.store.changed("history");
  }

  /** Holds the vertex in the middle of the view, for keys. */
  hold_middle(): void {
    const { viewer } = this;
    const hit = viewer.bodies.pick({ x: 0, y: 0 }, viewer.cut.planes);
    if (!hit) return viewer.notices.say("No object is in the middle of the view: let go (Esc) and turn it there with the arrows.");
    const why = this.why_not(hit.id);
    if (why) return viewer.notices.error(why);
    const { info } = viewer.store.body(hit.id)!;
    viewer.select([hit.id]);
    this.held = { id: hit.id, vertex: hit.vertex, at: add(viewer.bodies.views.get(hit.id)!.surface.position(hit.vertex), info.origin) };
    this.show_marker();
    viewer.notices.say(`Vertex ${hit.vertex} of ${info.name} is held: arrows pull it, Esc lets go.`);
  }

  /** Pulls the vertex that is held, by a way in the world. Whether one is. */
  nudge(by: Vec3): boolean {
    const body = this.viewer.store.body(this.held?.id);
    if (!this.held || !body) return false;
    const { id, vertex, at } = this.held;
    this.pull(id, vertex, add(at, rotate(conjugate(turn_of(body.info.pose)), by)), true);
    this.show_marker();
    return true;
  }

  /** Whether one was held. */
  let_go(): boolean {
    const held = this.held !== null;
    this.held = null;
    this.marker.hide();
    return held;
  }

  /** Takes vertices back to where they were before a pull, or again to where it left them. */
  async take(step: PullStep, side: "before" | "after"): Promise<void> {
    const { viewer } = this;
    this.let_go();
    await viewer.job(null, async () => {
      const { id, vertices } = step;
      // Back at the first pull the object is no longer deformed, and says so.
      const reply = await (side === "before" && step.first
        ? viewer.session.call<{ object: ObjectInfo }>("reset", { id })
        : viewer.session.call<{ object: ObjectInfo }>("deform", { id, vertices, positions: step[side] }));
      const body = viewer.store.body(id);
      const view = viewer.bodies.views.get(id);
      if (!body || !view) return;
      body.info = { ...reply.object, pose: body.info.pose };
      const positions = view.surface.own_positions();
      vertices.forEach((v, i) => positions.set(step[side].subarray(3 * i, 3 * i + 3), 3 * v));
      view.surface.move(positions);
      viewer.bounds_changed();
      viewer.stage.invalidate();
      viewer.store.changed("objects");
    });
  }
}

// Moving and turning by handles (three's TransformControls), and pulling a vertex. A handle stands at the middle of the
// object's box; turning is about it.

import {
  IcosahedronGeometry, Mesh, MeshBasicMaterial, Object3D, Plane, Quaternion, Raycaster, Vector2, Vector3,
} from "three";
import { TransformControls } from "three/examples/jsm/controls/TransformControls.js";
import type { Pose } from "../engine/types.ts";
import { conjugate, middle, moved, multiply, normalized, sub, to_world, turned, type Quat } from "../state/math.ts";
import type { Body } from "../state/store.ts";
import { kOrange } from "./colors.ts";
import type { Stage } from "./stage.ts";

export interface GizmoEvents {
  begin(): void;
  move(pose: Pose): void;
  end(): void;
}

export class Gizmo {
  private controls: TransformControls;
  private handle = new Object3D();
  private start: { pose: Pose; place: Vector3; turn: Quaternion } | null = null;
  private body: Body | null = null;

  constructor(private stage: Stage, private events: GizmoEvents) {
    stage.scene.add(this.handle);
    this.controls = new TransformControls(stage.camera, stage.canvas);
    this.controls.setSize(0.85);
    this.controls.setColors("#d04a10", "#00906a", "#0078bd", "#e6a100");
    stage.scene.add(this.controls.getHelper());
    this.controls.addEventListener("change", () => stage.invalidate());
    this.controls.addEventListener("dragging-changed", (event) => {
      stage.controls.enabled = !event.value;
      if (event.value) this.begin();
      else this.end();
    });
    this.controls.addEventListener("objectChange", () => this.changed());
  }

  get dragging(): boolean {
    return this.controls.dragging;
  }
  /** A handle is under the pointer. */
  get hovered(): boolean {
    return this.controls.axis !== null && this.body !== null;
  }

  attach(body: Body | null, mode: "translate" | "rotate" | null): void {
    if (this.dragging) return;
    this.body = mode ? body : null;
    if (!body || !mode) {
      this.controls.detach();
      this.stage.invalidate();
      return;
    }
    this.controls.setMode(mode);
    this.handle.position.copy(this.stage.at(to_world(body.info.pose, middle(body.info.bounds))));
    this.handle.quaternion.identity();
    this.controls.attach(this.handle);
    this.stage.invalidate();
  }

  private begin(): void {
    if (!this.body) return;
    this.start = {
      pose: this.body.info.pose,
      place: this.handle.position.clone(),
      turn: this.handle.quaternion.clone(),
    };
    this.events.begin();
  }

  private changed(): void {
    if (!this.start) return;
    const pivot = this.stage.world(this.start.place);
    const by = sub(this.stage.world(this.handle.position), pivot);
    const turn = normalized(
      multiply(this.handle.quaternion.toArray() as Quat, conjugate(this.start.turn.toArray() as Quat)),
    );
    const is_turn = Math.hypot(turn[0], turn[1], turn[2]) > 1e-12;
    const pose = is_turn ? turned(this.start.pose, turn, pivot) : this.start.pose;
    this.events.move(moved(pose, by));
  }

  private end(): void {
    if (!this.start) return;
    this.start = null;
    this.events.end();
  }
}

/** Where a vertex is pulled to, and how far around it others follow. */
export class PullMarker {
  private ball: Mesh;

  constructor(private stage: Stage) {
    const material = new MeshBasicMaterial({ color: kOrange, wireframe: true, transparent: true, opacity: 0.18, depthTest: false });
    this.ball = new Mesh(new IcosahedronGeometry(1, 2), material);
    this.ball.visible = false;
    this.ball.raycast = () => {};
    this.ball.renderOrder = 12;
    stage.scene.add(this.ball);
  }

  show(at: Vector3, radius: number): void {
    this.ball.visible = true;
    this.ball.position.copy(at);
    this.ball.scale.setScalar(radius);
    this.stage.invalidate();
  }

  hide(): void {
    this.ball.visible = false;
    this.stage.invalidate();
  }
}

/** Follows a pointer over the plane through a point, across the line of sight. */
export class PlaneDrag {
  private plane = new Plane();
  private offset = new Vector3();

  constructor(private stage: Stage, point: Vector3, at: { x: number; y: number }) {
    const normal = stage.camera.getWorldDirection(new Vector3());
    this.plane.setFromNormalAndCoplanarPoint(normal, point);
    this.offset.subVectors(point, this.under(at) ?? point);
  }

  /** Where the point is now, on the stage. */
  to(at: { x: number; y: number }): Vector3 | null {
    return this.under(at)?.add(this.offset) ?? null;
  }

  private under(at: { x: number; y: number }): Vector3 | null {
    const ray = new Raycaster();
    ray.setFromCamera(new Vector2(at.x, at.y), this.stage.camera);
    return ray.ray.intersectPlane(this.plane, new Vector3());
  }
}

// The cutting plane, and the caps that close what it cuts: a square in the plane, drawn where the stencil says that it
// is inside a closed mesh.

import {
  Color, DoubleSide, Group, KeepStencilOp, Mesh, MeshBasicMaterial, NotEqualStencilFunc, Plane, PlaneGeometry, Vector3,
  LineLoop, LineBasicMaterial, BufferGeometry,
} from "three";
import type { Box } from "../engine/types.ts";
import { diagonal, middle } from "../state/math.ts";
import type { Cut } from "../state/store.ts";
import type { BodyView } from "./bodies.ts";
import { stencil_pair } from "./bodies.ts";
import { kVermillion } from "./colors.ts";
import type { Stage } from "./stage.ts";

const kMostCaps = 24; // objects: each takes three draws more
const kAxes = { x: 0, y: 1, z: 2 } as const;

export class CutView {
  readonly planes: Plane[] = [];
  private plane = new Plane();
  private caps = new Group();
  private frame: LineLoop;
  private square = new PlaneGeometry(1, 1);

  constructor(private stage: Stage) {
    const corners = [[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]].map(([x, y]) => new Vector3(x, y, 0));
    this.frame = new LineLoop(
      new BufferGeometry().setFromPoints(corners),
      new LineBasicMaterial({ color: "#8a8f98", transparent: true, opacity: 0.6 }),
    );
    this.frame.visible = false;
    stage.scene.add(this.caps, this.frame);
  }

  /** `overlap`: the surface of what is shared, whose cap comes last and so on top. */
  update(cut: Cut, box: Box, views: { view: BodyView; color: string }[], overlap: Mesh | null): void {
    this.caps.clear();
    for (const { view } of views) view.set_stencils([], 0);
    if (overlap) overlap.children.filter((c) => c.userData.stencil).forEach((c) => overlap.remove(c));
    this.planes.length = 0;
    this.frame.visible = cut.on;
    if (!cut.on) return;

    const axis = kAxes[cut.axis];
    const size = Math.max(diagonal(box), 1e-9) * 1.1;
    const at = box.min[axis] + cut.position * (box.max[axis] - box.min[axis]);
    const place = this.stage.at(middle(box));
    place.setComponent(axis, at - this.stage.origin[axis]);
    const normal = new Vector3().setComponent(axis, cut.flip ? 1 : -1);
    this.plane.setFromNormalAndCoplanarPoint(normal, place);
    this.planes.push(this.plane);
    for (const object of [this.frame]) this.lay(object, place, normal, size);

    if (views.length > kMostCaps) return;
    let order = 1;
    for (const { view, color } of views) {
      view.set_stencils(this.planes, order);
      this.add_cap(color, order + 0.1, place, normal, size);
      ++order;
    }
    if (overlap) {
      for (const mesh of stencil_pair(overlap.geometry, this.planes, order)) {
        mesh.userData.stencil = true;
        overlap.add(mesh);
      }
      this.add_cap(kVermillion, order + 0.1, place, normal, size);
    }
  }

  private lay(object: Mesh | LineLoop, place: Vector3, normal: Vector3, size: number): void {
    object.position.copy(place);
    object.scale.set(size, size, 1);
    object.lookAt(place.clone().add(normal));
  }

  private add_cap(color: string, order: number, place: Vector3, normal: Vector3, size: number): void {
    const material = new MeshBasicMaterial({
      color: new Color(color).lerp(new Color("#ffffff"), 0.18),
      side: DoubleSide,
      stencilWrite: true,
      stencilRef: 0,
      stencilFunc: NotEqualStencilFunc,
      stencilFail: KeepStencilOp,
      stencilZFail: KeepStencilOp,
      stencilZPass: KeepStencilOp,
    });
    const cap = new Mesh(this.square, material);
    cap.renderOrder = order;
    cap.onAfterRender = (renderer) => renderer.clearStencil();
    this.lay(cap, place, normal, size);
    this.caps.add(cap);
  }
}

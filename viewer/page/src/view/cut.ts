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

type Cap = Mesh<PlaneGeometry, MeshBasicMaterial>;

export class CutView {
  readonly planes: Plane[] = [];
  private plane = new Plane();
  private middle = new Vector3();
  private size = 1;
  private group = new Group();
  private caps: Cap[] = [];
  private frame: LineLoop;
  private square = new PlaneGeometry(1, 1);

  constructor(private stage: Stage) {
    const corners = [[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]].map(([x, y]) => new Vector3(x, y, 0));
    this.frame = new LineLoop(
      new BufferGeometry().setFromPoints(corners),
      new LineBasicMaterial({ color: "#8a8f98", transparent: true, opacity: 0.6 }),
    );
    this.frame.visible = false;
    stage.scene.add(this.group, this.frame);
  }

  /** Puts the plane where it is to be. */
  place(cut: Cut, box: Box): void {
    this.planes.length = 0;
    this.frame.visible = cut.on;
    if (!cut.on) return;
    const axis = kAxes[cut.axis];
    this.size = Math.max(diagonal(box), 1e-9) * 1.1;
    const at = box.min[axis] + cut.position * (box.max[axis] - box.min[axis]);
    this.middle = this.stage.at(middle(box)).setComponent(axis, at - this.stage.origin[axis]);
    this.plane.setFromNormalAndCoplanarPoint(new Vector3().setComponent(axis, cut.flip ? 1 : -1), this.middle);
    this.planes.push(this.plane);
    this.lay(this.frame);
  }

  /** Closes what the plane cuts. `overlap`: the surface of what is shared, whose cap comes last and so on top. */
  close(views: { view: BodyView; color: string }[], overlap: Mesh | null): void {
    const capped = this.planes.length > 0 && views.length <= kMostCaps;
    for (const [i, { view }] of views.entries()) view.set_stencils(capped ? this.planes : [], i + 1);
    const colors = capped ? [...views.map(({ color }) => color), ...(overlap ? [kVermillion] : [])] : [];
    if (capped && overlap) overlap.add(...stencil_pair(overlap.geometry, this.planes, colors.length));
    this.set_caps(colors);
  }

  /** As many caps as there are colours. Those that are there already stay, with their shaders. */
  private set_caps(colors: string[]): void {
    for (const cap of this.caps.splice(colors.length)) {
      this.group.remove(cap);
      cap.material.dispose();
    }
    colors.forEach((color, i) => {
      const cap = (this.caps[i] ??= this.make_cap(i + 1.1));
      cap.material.color.set(color).lerp(new Color("#ffffff"), 0.18);
      this.lay(cap);
    });
  }

  private lay(object: Mesh | LineLoop): void {
    object.position.copy(this.middle);
    object.scale.set(this.size, this.size, 1);
    object.lookAt(this.middle.clone().add(this.plane.normal));
  }

  private make_cap(order: number): Cap {
    const material = new MeshBasicMaterial({
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
    this.group.add(cap);
    return cap;
  }
}

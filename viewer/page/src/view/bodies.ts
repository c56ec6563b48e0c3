// The objects as they are drawn: surfaces, open edges, and what a cutting plane needs to close them.

import {
  AlwaysStencilFunc, BackSide, DecrementWrapStencilOp, FrontSide, Group, IncrementWrapStencilOp, LineSegments,
  LineBasicMaterial, Matrix4, Mesh, MeshBasicMaterial, Quaternion, Raycaster, Vector2, Vector3,
  type BufferGeometry, type Plane, Color,
} from "three";
import { LineMaterial } from "three/examples/jsm/lines/LineMaterial.js";
import { LineSegments2 } from "three/examples/jsm/lines/LineSegments2.js";
import { LineSegmentsGeometry } from "three/examples/jsm/lines/LineSegmentsGeometry.js";
import type { HolesReply, MeshReply, Pose, Vec3 } from "../engine/types.ts";
import { add, rotate, turn_of } from "../state/math.ts";
import { kPurple, kVermillion, ramp } from "./colors.ts";
import { BodyMaterial } from "./materials.ts";
import type { Stage } from "./stage.ts";
import { Surface } from "./surface.ts";

const kMostWires = 200_000; // faces

export class BodyView {
  readonly group = new Group();
  readonly surface: Surface;
  readonly mesh: Mesh<BufferGeometry, BodyMaterial>;
  readonly simplified: boolean;
  private stencils: StencilMesh[] = [];
  private holes: LineSegments2[] = [];
  private shown_holes: HolesReply | null = null;
  private wires: LineSegments<BufferGeometry, LineBasicMaterial> | null = null;
  private color: string;

  constructor(readonly id: number, private stage: Stage, reply: MeshReply, readonly origin: Vec3, color: string) {
    this.surface = new Surface(new Float32Array(reply.positions), new Uint32Array(reply.triangles));
    this.simplified = reply.simplified;
    this.color = color;
    this.mesh = new Mesh(this.surface.geometry, new BodyMaterial(color, this.surface.flat));
    this.mesh.userData.id = id;
    this.group.add(this.mesh);
    this.group.matrixAutoUpdate = false;
  }

  place(pose: Pose): void {
    this.group.matrix.copy(stage_matrix(this.stage, pose, this.origin));
    this.group.matrixWorldNeedsUpdate = true;
  }

  set_color(color: string): void {
    this.color = color;
    this.mesh.material.color = new Color(color);
    this.wires?.material.color.set(color);
  }

  /** Lengths of forces as colours, up to `most`; or none. */
  paint(forces: Float32Array | null, most = 1): void {
    if (!forces || forces.length !== 3 * this.surface.vertices) {
      this.surface.paint(null);
      this.mesh.material.set_painted(false, this.color);
      return;
    }
    const colors = new Float32Array((4 * forces.length) / 3);
    const rest = new Color(this.color);
    const color = new Color();
    for (let v = 0; v < forces.length / 3; ++v) {
      const size = Math.hypot(forces[3 * v], forces[3 * v + 1], forces[3 * v + 2]);
      if (size === 0) rest.toArray(colors, 4 * v);
      else ramp(Math.sqrt(size / most), color).toArray(colors, 4 * v);
      colors[4 * v + 3] = size === 0 ? 0 : 1;
    }
    this.surface.paint(colors);
    this.mesh.material.set_painted(true, this.color);
  }

  show_holes(reply: HolesReply | null): void {
    if (reply === this.shown_holes) return;
    this.shown_holes = reply;
    for (const line of this.holes) {
      this.group.remove(line);
      line.geometry.dispose();
      line.material.dispose();
    }
    this.holes = [];
    if (!reply) return;
    const lines: [Float32Array | undefined, string][] = [[reply.edges, kVermillion], [reply.nonmanifold, kPurple]];
    for (const [edges, color] of lines) {
      if (!edges || edges.length === 0) continue;
      const geometry = new LineSegmentsGeometry();
      geometry.setPositions(edges);
      const line = new LineSegments2(geometry, new LineMaterial({ color, linewidth: 3.5, depthTest: false, transparent: true }));
      line.renderOrder = 10;
      line.raycast = () => {};
      this.holes.push(line);
      this.group.add(line);
    }
  }

  show_wires(shown: boolean): void {
    this.drop_wires();
    if (!shown || this.surface.geometry.getIndex()!.count / 3 > kMostWires) return;
    this.wires = new LineSegments(
      this.surface.edges(),
      new LineBasicMaterial({ color: this.color, transparent: true, opacity: 0.35, depthWrite: false }),
    );
    this.wires.raycast = () => {};
    this.wires.frustumCulled = false; // its bounds would have to follow the positions
    this.group.add(this.wires);
  }

  private drop_wires(): void {
    if (!this.wires) return;
    this.group.remove(this.wires);
    this.wires.geometry.deleteAttribute("position"); // the surface still needs it
    this.wires.geometry.dispose();
    this.wires.material.dispose();
    this.wires = null;
  }

  /** Counts, in the stencil, how often a ray enters and leaves the part that the plane keeps. */
  set_stencils(planes: Plane[], order: number): void {
    if (planes.length === 0) return this.drop_stencils();
    // Kept while the plane moves: new materials would have their shaders compiled anew in each frame.
    if (this.stencils.length === 0) {
      this.stencils = stencil_pair(this.surface.geometry, planes, order);
      this.group.add(...this.stencils);
    }
    for (const mesh of this.stencils) {
      mesh.material.clippingPlanes = planes;
      mesh.renderOrder = order;
    }
  }

  private drop_stencils(): void {
    for (const mesh of this.stencils) {
      this.group.remove(mesh);
      mesh.material.dispose();
    }
    this.stencils = [];
  }

  /** Frees all that the view has on the GPU. */
  dispose(): void {
    this.show_wires(false);
    this.show_holes(null);
    this.drop_stencils();
    this.surface.dispose();
    this.mesh.material.dispose();
  }
}

/** The matrix that takes positions relative to an object's origin to the stage. */
export function stage_matrix(stage: Stage, pose: Pose, origin: Vec3): Matrix4 {
  const q = turn_of(pose);
  const place = add(rotate(q, origin), [pose[0], pose[1], pose[2]]);
  const p = stage.relative(place);
  return new Matrix4().compose(new Vector3(...p), new Quaternion(...q), new Vector3(1, 1, 1));
}

type StencilMesh = Mesh<BufferGeometry, MeshBasicMaterial>;

export function stencil_pair(geometry: BufferGeometry, planes: Plane[], order: number): StencilMesh[] {
  return [BackSide, FrontSide].map((side) => {
    const operation = side === BackSide ? IncrementWrapStencilOp : DecrementWrapStencilOp;
    const mesh = new Mesh(
      geometry,
      new MeshBasicMaterial({
        side,
        clippingPlanes: planes,
        colorWrite: false,
        depthWrite: false,
        depthTest: false,
        stencilWrite: true,
        stencilFunc: AlwaysStencilFunc,
        stencilFail: operation,
        stencilZFail: operation,
        stencilZPass: operation,
      }),
    );
    mesh.renderOrder = order;
    mesh.raycast = () => {};
    return mesh;
  });
}

/** The length of the longest of vectors of three numbers. */
export function longest(vectors: Float32Array): number {
  let most = 0;
  for (let i = 0; i < vectors.length; i += 3) most = Math.max(most, Math.hypot(vectors[i], vectors[i + 1], vectors[i + 2]));
  return most;
}

export interface Hit {
  id: number;
  /** On the stage. */
  point: Vector3;
  /** Of the object's mesh, the corner next to the point. */
  vertex: number;
}

export class Bodies {
  readonly views = new Map<number, BodyView>();
  readonly group = new Group();

  constructor(private stage: Stage) {
    stage.scene.add(this.group);
  }

  add(view: BodyView): void {
    this.remove(view.id);
    this.views.set(view.id, view);
    this.group.add(view.group);
  }

  remove(id: number): void {
    const view = this.views.get(id);
    if (!view) return;
    this.group.remove(view.group);
    view.dispose();
    this.views.delete(id);
  }

  clear(): void {
    for (const id of [...this.views.keys()]) this.remove(id);
  }

  /** What lies under a pointer, in front of everything; of what a plane cuts away nothing is hit. */
  pick(at: { x: number; y: number }, planes: Plane[]): Hit | null {
    const ray = new Raycaster();
    ray.setFromCamera(new Vector2(at.x, at.y), this.stage.camera);
    const meshes = [...this.views.values()].filter((v) => v.group.visible).map((v) => v.mesh);
    this.stage.scene.updateMatrixWorld();
    for (const hit of ray.intersectObjects(meshes, false)) {
      if (planes.some((plane) => plane.distanceToPoint(hit.point) < 0)) continue;
      const view = this.views.get(hit.object.userData.id as number)!;
      const local = hit.point.clone().applyMatrix4(view.group.matrix.clone().invert());
      let best = -1;
      let least = Infinity;
      for (const corner of [hit.face!.a, hit.face!.b, hit.face!.c]) {
        const vertex = view.surface.vertex(corner);
        const distance = local.distanceToSquared(new Vector3(...view.surface.position(vertex)));
        if (distance < least) {
          least = distance;
          best = vertex;
        }
      }
      return { id: view.id, point: hit.point, vertex: best };
    }
    return null;
  }
}

// A simulation's frames as they are drawn.

import {
  BufferAttribute, BufferGeometry, Color, DynamicDrawUsage, Group, IcosahedronGeometry, InstancedMesh, Matrix4, Mesh,
  MeshStandardMaterial, DoubleSide,
} from "three";
import type { Vec3 } from "../engine/types.ts";
import type { Stage } from "./stage.ts";

export interface FilmLook {
  solids: { triangles: Uint32Array; color: Vec3; opacity: number }[];
  dots: { color: Vec3; radius: number }[];
}
export interface FilmPlaces {
  positions: Float32Array[];
  dots: Float32Array[];
}

/** Colours come as 0 to 255. */
const color_of = (c: Vec3): Color => new Color().setRGB(c[0] / 255, c[1] / 255, c[2] / 255, "srgb");

export class FilmView {
  readonly group = new Group();
  private solids: Mesh[] = [];
  private dots: (InstancedMesh | null)[] = [];
  private look: FilmLook | null = null;

  constructor(private stage: Stage) {
    stage.scene.add(this.group);
  }

  show(look: FilmLook, places: FilmPlaces): void {
    if (this.look !== look) this.rebuild(look);
    this.group.position.copy(this.stage.at([0, 0, 0]));
    places.positions.forEach((positions, i) => this.place_solid(i, positions));
    places.dots.forEach((positions, i) => this.place_dots(i, positions));
    this.stage.invalidate();
  }

  clear(): void {
    for (const object of [...this.solids, ...this.dots]) {
      object?.geometry.dispose();
      (object?.material as MeshStandardMaterial | undefined)?.dispose();
    }
    this.group.clear();
    this.solids = [];
    this.dots = [];
    this.look = null;
    this.stage.invalidate();
  }

  private rebuild(look: FilmLook): void {
    this.clear();
    this.look = look;
    for (const solid of look.solids) {
      const geometry = new BufferGeometry();
      geometry.setIndex(new BufferAttribute(solid.triangles, 1));
      const glass = solid.opacity < 1;
      const material = new MeshStandardMaterial({
        color: color_of(solid.color),
        roughness: 0.65,
        transparent: glass,
        opacity: solid.opacity,
        depthWrite: !glass,
        side: glass ? 0 : DoubleSide,
      });
      const mesh = new Mesh(geometry, material);
      mesh.frustumCulled = false;
      mesh.raycast = () => {};
      this.solids.push(mesh);
      this.group.add(mesh);
    }
    this.dots = look.dots.map(() => null);
  }

  private place_solid(i: number, positions: Float32Array): void {
    const geometry = this.solids[i]?.geometry;
    if (!geometry) return;
    const old = geometry.getAttribute("position") as BufferAttribute | undefined;
    if (old && old.array.length === positions.length) {
      (old.array as Float32Array).set(positions);
      old.needsUpdate = true;
    } else {
      geometry.setAttribute("position", new BufferAttribute(positions.slice(), 3).setUsage(DynamicDrawUsage));
    }
    geometry.computeVertexNormals();
  }

  private place_dots(i: number, positions: Float32Array): void {
    const { color, radius } = this.look!.dots[i];
    const count = positions.length / 3;
    let dots = this.dots[i];
    if (!dots || dots.instanceMatrix.count < count) {
      if (dots) this.group.remove(dots);
      const material = new MeshStandardMaterial({ color: color_of(color), roughness: 0.6 });
      dots = new InstancedMesh(new IcosahedronGeometry(1, count > 5000 ? 0 : 1), material, Math.max(1, count));
      dots.frustumCulled = false;
      dots.raycast = () => {};
      this.dots[i] = dots;
      this.group.add(dots);
    }
    const matrix = new Matrix4();
    for (let k = 0; k < count; ++k) {
      matrix.makeScale(radius, radius, radius).setPosition(positions[3 * k], positions[3 * k + 1], positions[3 * k + 2]);
      dots.setMatrixAt(k, matrix);
    }
    dots.count = count;
    dots.instanceMatrix.needsUpdate = true;
  }
}

// A simulation's frames as they are drawn.

import {
  Color, DoubleSide, FrontSide, Group, IcosahedronGeometry, InstancedMesh, Matrix4, Mesh, MeshStandardMaterial,
  Quaternion, Vector3, type BufferGeometry,
} from "three";
import type { Vec3 } from "../engine/types.ts";
import type { Stage } from "./stage.ts";
import { Surface } from "./surface.ts";

/** What stays the same over all frames. */
export interface FilmLook {
  solids: { triangles: Uint32Array; color: Vec3; opacity: number }[];
  dots: { color: Vec3; radius: number }[];
}

/** What a frame shows. */
export interface FilmPlaces {
  positions: Float32Array[];
  /** Seven numbers for each solid, which place its positions; null: they are places already. */
  poses: Float32Array | null;
  /** Three numbers of 0 to 255 for each solid; null: as the look says. */
  colors: Uint8Array | null;
  dots: Float32Array[];
}

/** Colours come as 0 to 255. */
const set_color = (color: Color, r: number, g: number, b: number): Color =>
  color.setRGB(r / 255, g / 255, b / 255, "srgb");

interface SolidView {
  mesh: Mesh<BufferGeometry, MeshStandardMaterial>;
  surface: Surface;
  shown: Float32Array;
}

export class FilmView {
  readonly group = new Group();
  private solids: SolidView[] = [];
  private dots: (InstancedMesh<BufferGeometry, MeshStandardMaterial> | null)[] = [];
  private look: FilmLook | null = null;

  constructor(private stage: Stage) {
    stage.scene.add(this.group);
  }

  show(look: FilmLook, places: FilmPlaces): void {
    if (this.look !== look) this.rebuild(look, places);
    this.group.position.copy(this.stage.at([0, 0, 0]));
    this.solids.forEach((solid, i) => this.place_solid(solid, i, places));
    places.dots.forEach((positions, i) => this.place_dots(i, positions));
    this.stage.invalidate();
  }

  clear(): void {
    for (const { mesh, surface } of this.solids) {
      surface.dispose();
      mesh.material.dispose();
    }
    for (const dots of this.dots) this.drop_dots(dots);
    this.group.clear();
    this.solids = [];
    this.dots = [];
    this.look = null;
    this.stage.invalidate();
  }

  private rebuild(look: FilmLook, places: FilmPlaces): void {
    this.clear();
    this.look = look;
    this.solids = look.solids.map((solid, i) => {
      const shown = places.positions[i];
      const surface = new Surface(shown.slice(), solid.triangles);
      const glass = solid.opacity < 1;
      const material = new MeshStandardMaterial({
        color: set_color(new Color(), ...solid.color),
        roughness: 0.65,
        transparent: glass,
        opacity: solid.opacity,
        depthWrite: !glass,
        side: glass ? FrontSide : DoubleSide,
        flatShading: surface.flat,
      });
      const mesh = new Mesh(surface.geometry, material);
      mesh.frustumCulled = false;
      mesh.matrixAutoUpdate = false;
      mesh.raycast = () => {};
      this.group.add(mesh);
      return { mesh, surface, shown };
    });
    this.dots = look.dots.map(() => null);
  }

  private place_solid(solid: SolidView, i: number, places: FilmPlaces): void {
    const positions = places.positions[i];
    if (positions !== solid.shown) {
      solid.surface.move(positions);
      solid.shown = positions;
    }
    const pose = places.poses?.subarray(7 * i, 7 * i + 7);
    if (pose)
      solid.mesh.matrix.compose(
        new Vector3(pose[0], pose[1], pose[2]), new Quaternion(pose[3], pose[4], pose[5], pose[6]), new Vector3(1, 1, 1),
      );
    else solid.mesh.matrix.identity();
    solid.mesh.matrixWorldNeedsUpdate = true;
    const [r, g, b] = places.colors?.subarray(3 * i, 3 * i + 3) ?? this.look!.solids[i].color;
    set_color(solid.mesh.material.color, r, g, b);
  }

  private drop_dots(dots: InstancedMesh<BufferGeometry, MeshStandardMaterial> | null): void {
    if (!dots) return;
    this.group.remove(dots);
    dots.geometry.dispose();
    dots.material.dispose();
    dots.dispose();
  }

  private place_dots(i: number, positions: Float32Array): void {
    const { color, radius } = this.look!.dots[i];
    const count = positions.length / 3;
    let dots = this.dots[i];
    if (!dots || dots.instanceMatrix.count < count) {
      this.drop_dots(dots);
      const material = new MeshStandardMaterial({ color: set_color(new Color(), ...color), roughness: 0.6 });
      dots = new InstancedMesh<BufferGeometry, MeshStandardMaterial>(
        new IcosahedronGeometry(1, count > 5000 ? 0 : 1), material, Math.max(1, count),
      );
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

// Arrows, all in one draw: normals of contacts, ways out.

import {
  BufferAttribute, BufferGeometry, ConeGeometry, CylinderGeometry, InstancedMesh, Matrix4, MeshStandardMaterial,
  Quaternion, Vector3, type ColorRepresentation,
} from "three";

export interface Arrow {
  from: Vector3;
  to: Vector3;
}

const kHead = 0.28; // of the length
const kThickness = 0.05;

/** From 0 to 1 along z. */
function arrow_geometry(): BufferGeometry {
  const shaft = new CylinderGeometry(kThickness, kThickness, 1 - kHead, 12).translate(0, (1 - kHead) / 2, 0);
  const head = new ConeGeometry(kThickness * 2.8, kHead, 20).translate(0, 1 - kHead / 2, 0);
  const merged = new BufferGeometry();
  for (const name of ["position", "normal"]) {
    const a = shaft.getAttribute(name).array, b = head.getAttribute(name).array;
    const all = new Float32Array(a.length + b.length);
    all.set(a);
    all.set(b, a.length);
    merged.setAttribute(name, new BufferAttribute(all, 3));
  }
  const first = shaft.getAttribute("position").count;
  merged.setIndex([...shaft.getIndex()!.array, ...[...head.getIndex()!.array].map((i) => i + first)]);
  return merged.rotateX(Math.PI / 2);
}

let shared: BufferGeometry | null = null;

/** `widest`: of a long arrow's shaft, so that it does not hide what it is about. */
export function make_arrows(arrows: Arrow[], color: ColorRepresentation, widest: number, on_top = false): InstancedMesh {
  shared ??= arrow_geometry();
  const material = new MeshStandardMaterial({ color, roughness: 0.5, depthTest: !on_top, transparent: on_top });
  const mesh = new InstancedMesh(shared, material, arrows.length);
  const matrix = new Matrix4();
  const turn = new Quaternion();
  const along = new Vector3();
  arrows.forEach(({ from, to }, i) => {
    along.subVectors(to, from);
    const size = Math.max(along.length(), 1e-30);
    turn.setFromUnitVectors(new Vector3(0, 0, 1), along.divideScalar(size));
    const width = Math.min(size, widest);
    matrix.compose(from, turn, new Vector3(width, width, size));
    mesh.setMatrixAt(i, matrix);
  });
  mesh.frustumCulled = false;
  if (on_top) mesh.renderOrder = 20;
  return mesh;
}

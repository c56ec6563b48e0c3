// A mesh as it is drawn: smooth where faces nearly agree, with an edge where they do not. A vertex at an edge is drawn
// as several, one for each side. Large meshes are drawn face by face, with normals that the shader finds.

import { Box3, BufferAttribute, BufferGeometry, DynamicDrawUsage, Sphere, Vector3 } from "three";

const kMostSmoothFaces = 300_000;
const kCreaseCosine = Math.cos((38 * Math.PI) / 180);

export class Surface {
  readonly geometry = new BufferGeometry();
  readonly flat: boolean;
  private positions: Float32Array;
  private normals: Float32Array | null = null;
  private index: Uint32Array;
  /** For each drawn vertex beyond the mesh's own the vertex that it repeats. */
  private repeated: Uint32Array = new Uint32Array(0);
  private own: number;

  constructor(positions: Float32Array, triangles: Uint32Array) {
    this.own = positions.length / 3;
    this.flat = triangles.length / 3 > kMostSmoothFaces;
    this.index = triangles;
    this.positions = positions;
    if (!this.flat) this.split_at_creases(positions, triangles);
    const attribute = new BufferAttribute(this.positions, 3);
    attribute.setUsage(DynamicDrawUsage);
    this.geometry.setAttribute("position", attribute);
    this.geometry.setIndex(new BufferAttribute(this.index, 1));
    if (!this.flat) {
      this.normals = new Float32Array(this.positions.length);
      this.geometry.setAttribute("normal", new BufferAttribute(this.normals, 3).setUsage(DynamicDrawUsage));
      this.find_normals();
    }
    this.bound();
  }

  /** New positions of the mesh's own vertices. */
  move(positions: Float32Array): void {
    this.positions.set(positions);
    for (let i = 0; i < this.repeated.length; ++i) {
      const from = 3 * this.repeated[i];
      const to = 3 * (this.own + i);
      this.positions[to] = positions[from];
      this.positions[to + 1] = positions[from + 1];
      this.positions[to + 2] = positions[from + 2];
    }
    this.geometry.getAttribute("position").needsUpdate = true;
    if (this.normals) {
      this.find_normals();
      this.geometry.getAttribute("normal").needsUpdate = true;
    }
    this.bound();
  }

  /** A sphere around what can be drawn; files may have vertices that are no numbers. */
  private bound(): void {
    const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
    const p = this.positions;
    for (let i = 0; i < p.length; i += 3) {
      if (!Number.isFinite(p[i] + p[i + 1] + p[i + 2])) continue;
      for (let k = 0; k < 3; ++k) {
        if (p[i + k] < low[k]) low[k] = p[i + k];
        if (p[i + k] > high[k]) high[k] = p[i + k];
      }
    }
    this.geometry.boundingSphere = new Box3(new Vector3(...low), new Vector3(...high)).getBoundingSphere(new Sphere());
  }

  /** A colour for each of the mesh's own vertices, with how dense it is; or none. */
  paint(colors: Float32Array | null): void {
    if (!colors) {
      this.geometry.deleteAttribute("color");
      return;
    }
    const all = new Float32Array(4 * (this.own + this.repeated.length));
    all.set(colors.subarray(0, 4 * this.own));
    for (let i = 0; i < this.repeated.length; ++i)
      all.set(colors.subarray(4 * this.repeated[i], 4 * this.repeated[i] + 4), 4 * (this.own + i));
    this.geometry.setAttribute("color", new BufferAttribute(all, 4));
  }

  /** The mesh's own vertex that a drawn one shows. */
  vertex(drawn: number): number {
    return drawn < this.own ? drawn : this.repeated[drawn - this.own];
  }

  get vertices(): number {
    return this.own;
  }

  /** A copy, of the mesh's own vertices. */
  own_positions(): Float32Array {
    return this.positions.slice(0, 3 * this.own);
  }

  position(vertex: number): [number, number, number] {
    return [this.positions[3 * vertex], this.positions[3 * vertex + 1], this.positions[3 * vertex + 2]];
  }

  /** The edges of faces, each once, as a geometry that shares the positions: it follows what moves. */
  edges(): BufferGeometry {
    const lines = new BufferGeometry();
    lines.setAttribute("position", this.geometry.getAttribute("position"));
    lines.setIndex(new BufferAttribute(edges_of(this.index, (drawn) => this.vertex(drawn)), 1));
    return lines;
  }

  dispose(): void {
    this.geometry.dispose();
  }

  private split_at_creases(positions: Float32Array, triangles: Uint32Array): void {
    const corners = triangles.length;
    const normals = face_normals(positions, triangles);
    // The corners of each vertex, one list after the other.
    const begin = new Uint32Array(this.own + 1);
    for (let c = 0; c < corners; ++c) ++begin[triangles[c] + 1];
    for (let v = 0; v < this.own; ++v) begin[v + 1] += begin[v];
    const next = begin.slice();
    const list = new Uint32Array(corners);
    for (let c = 0; c < corners; ++c) list[next[triangles[c]]++] = c;

    const index = new Uint32Array(triangles);
    const repeated: number[] = [];
    const sums: number[] = []; // of each side's normals, three numbers a side
    for (let v = 0; v < this.own; ++v) {
      sums.length = 0;
      for (let k = begin[v]; k < begin[v + 1]; ++k) {
        const corner = list[k];
        const f = 3 * Math.floor(corner / 3);
        const x = normals[f], y = normals[f + 1], z = normals[f + 2];
        const size = Math.hypot(x, y, z);
        let side = 0;
        const sides = sums.length / 3;
        for (; side < sides; ++side) {
          const sx = sums[3 * side], sy = sums[3 * side + 1], sz = sums[3 * side + 2];
          if (x * sx + y * sy + z * sz >= kCreaseCosine * size * Math.hypot(sx, sy, sz)) break;
        }
        if (side === sides) sums.push(0, 0, 0);
        sums[3 * side] += x;
        sums[3 * side + 1] += y;
        sums[3 * side + 2] += z;
        if (side === sides && side > 0) repeated.push(v);
        if (side > 0) index[corner] = this.own + repeated.length - (sums.length / 3 - side);
      }
    }
    this.index = index;
    this.repeated = Uint32Array.from(repeated);
    this.positions = new Float32Array(3 * (this.own + repeated.length));
    this.positions.set(positions);
    repeated.forEach((v, i) => this.positions.set(positions.subarray(3 * v, 3 * v + 3), 3 * (this.own + i)));
  }

  private find_normals(): void {
    const normals = this.normals!;
    const faces = face_normals(this.positions, this.index);
    normals.fill(0);
    for (let c = 0; c < this.index.length; ++c) {
      const v = 3 * this.index[c];
      const f = 3 * Math.floor(c / 3);
      if (!Number.isFinite(faces[f] + faces[f + 1] + faces[f + 2])) continue;
      normals[v] += faces[f];
      normals[v + 1] += faces[f + 1];
      normals[v + 2] += faces[f + 2];
    }
    for (let v = 0; v < normals.length; v += 3) {
      const size = Math.hypot(normals[v], normals[v + 1], normals[v + 2]) || 1;
      normals[v] /= size;
      normals[v + 1] /= size;
      normals[v + 2] /= size;
    }
  }
}

/** Two vertices for each edge. A vertex that is drawn several times counts as one, by `own`. */
export function edges_of(index: Uint32Array, own: (drawn: number) => number): Uint32Array {
  const seen = new Set<number>();
  const edges: number[] = [];
  for (let c = 0; c < index.length; ++c) {
    const p = own(index[c]), q = own(index[c % 3 === 2 ? c - 2 : c + 1]);
    const [low, high] = p < q ? [p, q] : [q, p];
    const key = low * 2 ** 26 + high; // 2^26 vertices: more than are ever drawn
    if (seen.has(key)) continue;
    seen.add(key);
    edges.push(low, high);
  }
  return Uint32Array.from(edges);
}

/** As long as twice the face's area. */
function face_normals(p: Float32Array, triangles: Uint32Array): Float32Array {
  const out = new Float32Array(triangles.length);
  for (let c = 0; c < triangles.length; c += 3) {
    const i = 3 * triangles[c], j = 3 * triangles[c + 1], k = 3 * triangles[c + 2];
    const ax = p[j] - p[i], ay = p[j + 1] - p[i + 1], az = p[j + 2] - p[i + 2];
    const bx = p[k] - p[i], by = p[k + 1] - p[i + 1], bz = p[k + 2] - p[i + 2];
    out[c] = ay * bz - az * by;
    out[c + 1] = az * bx - ax * bz;
    out[c + 2] = ax * by - ay * bx;
  }
  return out;
}

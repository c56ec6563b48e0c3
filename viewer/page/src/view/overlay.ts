// What is drawn of an answer: the shared volume, contacts, the way out, the distance, points, columns.

import {
  BufferAttribute, BufferGeometry, Color, Group, Mesh, MeshStandardMaterial, Points, ShaderMaterial, Vector3,
  type Object3D, type Plane,
} from "three";
import { LineMaterial } from "three/examples/jsm/lines/LineMaterial.js";
import { LineSegments2 } from "three/examples/jsm/lines/LineSegments2.js";
import { LineSegmentsGeometry } from "three/examples/jsm/lines/LineSegmentsGeometry.js";
import type { Columns, QueryReply, Solid, Spans } from "../engine/types.ts";
import { add, moved } from "../state/math.ts";
import { measured, number_text } from "../state/numbers.ts";
import type { State } from "../state/store.ts";
import { make_arrows, type Arrow } from "./arrows.ts";
import type { Bodies } from "./bodies.ts";
import { longest, stage_matrix } from "./bodies.ts";
import { kBlue, kGreen, kLayerColors, kOrange, kVermillion } from "./colors.ts";
import type { Label, Labels } from "./labels.ts";
import type { Stage } from "./stage.ts";
import { BodyMaterial, kBehind } from "./materials.ts";
import { Sticks } from "./sticks.ts";

/** Above this part of the volume, what the smooth surface leaves out is drawn as columns. */
const kMissedToShow = 1e-3;

/** With more pairs than this, contacts are drawn of the focused one alone. */
const kMostWithContacts = 40;

const kPointVertex = /* glsl */ `
  #include <common>
  #include <clipping_planes_pars_vertex>
  attribute vec3 tint;
  attribute float size;
  uniform float ratio;
  varying vec3 color_of;
  void main() {
    vec4 mvPosition = modelViewMatrix * vec4( position, 1.0 );
    color_of = tint;
    gl_PointSize = size * ratio;
    gl_Position = projectionMatrix * mvPosition;
    #include <clipping_planes_vertex>
  }`;
const kPointFragment = /* glsl */ `
  #include <common>
  #include <clipping_planes_pars_fragment>
  varying vec3 color_of;
  void main() {
    #include <clipping_planes_fragment>
    vec2 p = gl_PointCoord * 2.0 - 1.0;
    float r = dot( p, p );
    if ( r > 1.0 ) discard;
    gl_FragColor = vec4( color_of * ( 1.0 - 0.35 * r ), 1.0 );
    #include <colorspace_fragment>
  }`;

export class Overlay {
  private group = new Group();
  private sticks: Sticks[] = [];
  private solids: Mesh<BufferGeometry, MeshStandardMaterial[]>[] = [];
  private painted: number[] = [];

  constructor(private stage: Stage, private bodies: Bodies, private labels: Labels) {
    stage.scene.add(this.group);
  }

  /** The smooth shared volume of the answer; of a scene the first one. */
  get overlap(): Mesh | null {
    return this.solids.length === 1 ? this.solids[0] : null;
  }

  clear(): void {
    this.drop();
    this.labels.set([]);
  }

  private drop(): void {
    for (const child of this.group.children) dispose(child);
    this.group.clear();
    this.solids = [];
    this.sticks = [];
    for (const id of this.painted) this.bodies.views.get(id)?.paint(null);
    this.painted = [];
  }

  update(state: State, planes: Plane[]): void {
    this.drop();
    const labels: Label[] = [];
    if (state.result) this.show(state, state.result, planes, labels);
    for (const sticks of this.sticks) sticks.set_planes(planes);
    this.labels.set(labels);
  }

  private show(state: State, result: NonNullable<State["result"]>, planes: Plane[], labels: Label[]): void {
    const { reply } = result;
    switch (result.kind) {
      case "intersect":
      case "self":
        this.show_overlap(state, reply, planes, labels);
        break;
      case "scene":
        this.show_scene(state, reply, planes, labels);
        break;
      case "depth":
        this.show_overlap(state, reply, planes, []);
        this.show_way_out(state, result.ids, reply, labels);
        break;
      case "distance":
        this.show_distance(reply, labels);
        break;
      case "contain":
        this.show_points(reply, planes);
        break;
      case "layers":
        if (reply.columns) this.show_columns(reply.columns, state.layer);
        break;
    }
  }

  private show_overlap(state: State, reply: QueryReply, planes: Plane[], labels: Label[]): void {
    const { answer, solid, spans } = reply;
    const style = state.shown.overlap;
    const volume = answer.volume ?? 0;
    const forces = reply.forces !== undefined && state.shown.forces; // these are on surfaces inside the overlap
    if (solid && style !== "columns" && !forces) this.add_solid(solid, planes, is_hidden(state));
    const thin = solid !== undefined && solid.missed > kMissedToShow * volume;
    if (spans && !forces && (style !== "solid" || thin || !solid)) this.show_spans(spans, style === "solid" && solid !== undefined);
    if (reply.forces && state.shown.forces && state.result) {
      const [a, b] = state.result.ids;
      const most = Math.max(longest(reply.forces.a), longest(reply.forces.b));
      this.bodies.views.get(a)?.paint(reply.forces.a, most);
      this.bodies.views.get(b)?.paint(reply.forces.b, most);
      this.painted = [a, b];
    }
    if (volume > 0 && answer.centroid) {
      const m = measured(volume, answer.volume_error ?? 0);
      labels.push({ key: "overlap", at: this.stage.at(answer.centroid), text: `${m.value} ${m.unit}`.trim(), kind: "overlap" });
    }
  }

  private show_spans(spans: Spans, behind = false): void {
    const color = new Color(kVermillion);
    this.add_sticks().set(
      spans.grid, spans.columns.length, this.stage.origin, 0.92,
      (i) => [spans.columns[i], spans.begin[i], spans.end[i]], () => color, behind,
    );
  }

  private add_sticks(): Sticks {
    const sticks = new Sticks();
    this.sticks.push(sticks);
    this.group.add(sticks);
    return sticks;
  }

  /** `behind`: objects hide it where its surface is theirs. */
  private add_solid(solid: Solid, planes: Plane[], behind: boolean): void {
    if (solid.triangles.length === 0) return;
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(solid.positions, 3));
    geometry.setAttribute("normal", new BufferAttribute(solid.normals, 3));
    const { index, first } = by_side(solid);
    geometry.setIndex(new BufferAttribute(index, 1));
    geometry.addGroup(0, first, 0);
    geometry.addGroup(first, index.length - first, 1);
    const materials = [kVermillion, "#c04a00"].map(
      (color) => new MeshStandardMaterial({
        color, roughness: 0.5, emissive: color, emissiveIntensity: 0.12, clippingPlanes: planes, side: 2,
        polygonOffset: behind, ...kBehind,
      }),
    );
    const mesh = new Mesh(geometry, materials);
    // Once more over the glass around it, so that it keeps its colour.
    const glow = new Mesh(geometry, materials.map((m) => {
      const over = m.clone();
      Object.assign(over, { transparent: true, opacity: 0.55, depthWrite: false, clippingPlanes: planes });
      return over;
    }));
    glow.renderOrder = 4;
    for (const m of [mesh, glow]) {
      m.position.copy(this.stage.at(solid.origin));
      m.raycast = () => {};
    }
    this.solids.push(mesh);
    this.group.add(mesh, glow);
  }

  private show_scene(state: State, reply: QueryReply, planes: Plane[], labels: Label[]): void {
    const pairs = reply.answer.pairs_detail ?? [];
    const arrows: Arrow[] = [];
    const undrawn: Vector3[] = [];
    const ranked: { label: Label; rank: number; volume: number }[] = [];
    const size = this.scene_size();
    for (const pair of pairs) {
      if (!state.bodies.get(pair.a)?.visible && !state.bodies.get(pair.b)?.visible) continue;
      if (pair.solid && pair.solid.triangles.length > 0) this.add_solid(pair.solid, planes, is_hidden(state));
      else if (pair.spans) this.show_spans(pair.spans);
      else undrawn.push(this.stage.at(pair.centroid));
      const focused = is_focused(pair, state);
      if (focused || pairs.length <= 6) {
        const m = measured(pair.volume ?? 0, pair.volume_error ?? 0);
        const key = `${pair.a} ${pair.b}`;
        const label: Label = { key, at: this.stage.at(pair.centroid), text: `${m.value} ${m.unit}`.trim(), kind: "overlap" };
        ranked.push({ label, rank: rank_of(pair, state), volume: pair.volume ?? 0 });
      }
      if (!state.shown.contacts || (pairs.length > kMostWithContacts && !focused)) continue;
      for (const contact of pair.contacts ?? []) {
        const from = this.stage.at(contact.position);
        const n = new Vector3(...contact.normal);
        const shown = Math.max(Math.min(contact.depth * 2, 0.12 * size), 0.03 * size);
        arrows.push({ from, to: from.clone().addScaledVector(n, shown) });
      }
    }
    ranked.sort((p, q) => q.rank - p.rank || q.volume - p.volume);
    labels.push(...ranked.map((r) => r.label));
    if (undrawn.length > 0) this.add_points(undrawn, new Color(kVermillion), state.focused_pair ? 3 : 6, true);
    if (arrows.length > 0) this.group.add(make_arrows(arrows, kOrange, 0.06 * size, true));
  }

  private show_way_out(state: State, ids: number[], reply: QueryReply, labels: Label[]): void {
    const { answer } = reply;
    const way = answer.translation ?? answer.separation?.translation;
    const body = state.bodies.get(ids[0]);
    const view = this.bodies.views.get(ids[0]);
    if (!way || !body || !view || !way.every(Number.isFinite) || Math.hypot(...way) === 0) return;
    const from = answer.centroid ?? null;
    if (from) {
      const arrow = { from: this.stage.at(from), to: this.stage.at(add(from, way)) };
      this.group.add(make_arrows([arrow], kGreen, 0.1 * this.scene_size(), true));
      const length = answer.length ?? answer.separation?.length ?? Math.hypot(...way);
      labels.push({ key: "way out", at: arrow.to, text: number_text(length, 5), kind: "depth" });
    }
    if (!state.shown.ghost) return;
    const material = new BodyMaterial(body.color, view.surface.flat);
    material.set_glass(true, 0.05, 0.5);
    const ghost = new Mesh(view.surface.geometry, material);
    ghost.userData.shared = true;
    ghost.matrixAutoUpdate = false;
    ghost.matrix.copy(stage_matrix(this.stage, moved(body.info.pose, way), view.origin));
    ghost.raycast = () => {};
    ghost.renderOrder = 5;
    this.group.add(ghost);
  }

  private show_distance(reply: QueryReply, labels: Label[]): void {
    const { on_a, on_b, distance } = reply.answer;
    if (!on_a || !on_b || distance == null) return;
    const a = this.stage.at(on_a), b = this.stage.at(on_b);
    if (distance > 0) {
      const geometry = new LineSegmentsGeometry();
      geometry.setPositions([a.x, a.y, a.z, b.x, b.y, b.z]);
      const line = new LineSegments2(geometry, new LineMaterial({ color: kOrange, linewidth: 3, depthTest: false, transparent: true }));
      line.renderOrder = 15;
      line.frustumCulled = false;
      this.group.add(line);
    }
    this.add_points([a, b], new Color(kOrange), 11, true);
    labels.push({ key: "distance", at: a.clone().add(b).multiplyScalar(0.5), text: number_text(distance, 6), kind: "distance" });
  }

  private add_points(at: Vector3[], color: Color, size: number, on_top: boolean): void {
    const positions = new Float32Array(3 * at.length);
    at.forEach((p, i) => p.toArray(positions, 3 * i));
    const points = make_points(positions, () => color, () => size, []);
    points.material.depthTest = !on_top;
    points.material.transparent = on_top;
    points.renderOrder = on_top ? 16 : 0;
    this.group.add(points);
  }

  private show_points(reply: QueryReply, planes: Plane[]): void {
    if (!reply.points || !reply.flags) return;
    const colors = [new Color("#8a8f98"), new Color(kVermillion), new Color(kBlue), new Color("#8a8f98")];
    const flags = reply.flags;
    const points = make_points(reply.points, (i) => colors[flags[i]] ?? colors[0], (i) => (flags[i] === 0 ? 3 : 6), planes);
    points.position.copy(this.stage.at(reply.points_origin ?? [0, 0, 0]));
    this.group.add(points);
  }

  private show_columns(columns: Columns, layer: number): void {
    const colors = kLayerColors.map((c) => new Color(c));
    const sticks = column_sticks(columns, layer);
    this.add_sticks().set(
      columns.grid, sticks.length, this.stage.origin, 0.72,
      (i) => [sticks[i].column, sticks[i].begin, sticks[i].end], (i) => colors[sticks[i].layer % colors.length],
    );
  }

  private scene_size(): number {
    const { min, max } = this.stage.bounds;
    return Math.hypot(max[0] - min[0], max[1] - min[1], max[2] - min[2]) * 0.5;
  }
}

/** Solid objects hide what they share; glass shows it. */
const is_hidden = ({ shown }: State): boolean => shown.surface === "solid";

const is_focused = (pair: { a: number; b: number }, { focused_pair }: State): boolean =>
  focused_pair?.[0] === pair.a && focused_pair[1] === pair.b;

/** What one looks at comes first, then pairs of what is selected. */
const rank_of = (pair: { a: number; b: number }, state: State): number =>
  is_focused(pair, state) ? 3 : [pair.a, pair.b].filter((id) => state.selection.includes(id)).length;

export function make_points(
  positions: Float32Array, color: (i: number) => Color, size: (i: number) => number, planes: Plane[],
): Points<BufferGeometry, ShaderMaterial> {
  const count = positions.length / 3;
  const tints = new Float32Array(3 * count);
  const sizes = new Float32Array(count);
  for (let i = 0; i < count; ++i) {
    color(i).toArray(tints, 3 * i);
    sizes[i] = size(i);
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(positions, 3));
  geometry.setAttribute("tint", new BufferAttribute(tints, 3));
  geometry.setAttribute("size", new BufferAttribute(sizes, 1));
  const material = new ShaderMaterial({
    vertexShader: kPointVertex,
    fragmentShader: kPointFragment,
    clipping: true,
    uniforms: { ratio: { value: Math.min(2, devicePixelRatio) } },
  });
  material.clippingPlanes = planes;
  const points = new Points(geometry, material);
  points.frustumCulled = false;
  points.raycast = () => {};
  return points;
}

/** Triangles of a's surface first, then those of b's; `first`: how many corners the former have. */
export function by_side(solid: { triangles: Uint32Array; side: Uint8Array }): { index: Uint32Array; first: number } {
  const index = new Uint32Array(solid.triangles.length);
  let at = 0;
  let first = 0;
  for (const side of [0, 1]) {
    for (let t = 0; t < solid.side.length; ++t)
      if ((solid.side[t] === 0) === (side === 0))
        for (let k = 0; k < 3; ++k) index[at++] = solid.triangles[3 * t + k];
    if (side === 0) first = at;
  }
  return { index, first };
}

/** Where rays are inside: from each crossing after which the winding is above 0 to the next one. Layers count from the
 * near end of each column; -1 takes all. */
export function column_sticks(
  columns: { offsets: Uint32Array; depths: Float32Array; entering: Uint8Array }, layer: number,
): { column: number; begin: number; end: number; layer: number }[] {
  const out = [];
  for (let c = 0; c + 1 < columns.offsets.length; ++c) {
    let winding = 0;
    let n = 0;
    for (let i = columns.offsets[c]; i < columns.offsets[c + 1]; ++i) {
      winding += columns.entering[i] ? 1 : -1;
      if (winding <= 0 || i + 1 >= columns.offsets[c + 1]) continue;
      if (layer < 0 || layer === n) out.push({ column: c, begin: columns.depths[i], end: columns.depths[i + 1], layer: n });
      ++n;
    }
  }
  return out;
}

/** The most layers that a column has. */
export function layer_count(columns: { offsets: Uint32Array; depths: Float32Array; entering: Uint8Array }): number {
  return column_sticks(columns, -1).reduce((most, s) => Math.max(most, s.layer + 1), 0);
}

function dispose(object: Object3D): void {
  object.traverse((child) => {
    const mesh = child as Partial<Mesh>;
    if (!child.userData.shared) mesh.geometry?.dispose();
    const material = mesh.material;
    for (const m of Array.isArray(material) ? material : material ? [material] : []) m.dispose();
  });
}


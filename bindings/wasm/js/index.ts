// Lamella: where closed triangle meshes overlap, and by how much.
//
//   const lamella = await load();
//   const a = lamella.mesh(positions, triangles), b = lamella.readMesh(bytes, 'ply');
//   const { verdict, volume } = lamella.intersect(a, b, { resolution: 256 });

import type { NumberArray } from './codec.js';
import { Engine, LamellaError, loadEngine, LoadOptions } from './engine.js';
import type * as t from './types.js';

export * from './types.js';
export { LamellaError };
export type { LoadOptions };

/** The words of an array as floats, in the same memory: of spans their begins and ends. */
export function asFloats(words: Uint32Array): Float32Array {
  return new Float32Array(words.buffer, words.byteOffset, words.length);
}

type Points = Float32Array | Float64Array;

const engineOf = new WeakMap<object, Engine>();

/** Something in the engine's memory that has a number there. */
abstract class Held {
  /** @internal */
  readonly $: number;
  private alive = true;

  /** @internal */
  constructor(engine: Engine, id: number) {
    this.$ = id;
    engineOf.set(this, engine);
    engine.watch(this, id);
  }
  /** Gives the memory back at once; otherwise that happens when the object is no longer used. */
  free(): void {
    if (!this.alive) return;
    this.alive = false;
    const engine = engineOf.get(this)!;
    engine.unwatch(this);
    engine.free(this.$);
  }
  /** @internal */
  protected check(): void {
    if (!this.alive) throw new LamellaError('this object was freed');
  }
  /** @internal */
  protected call(name: string, args: object, changed?: NumberArray[]): any {
    this.check();
    return engineOf.get(this)!.call(name, args, changed);
  }
}

/** Gives an answer its free(). */
function answer<T>(engine: Engine, value: any): T {
  const id = value.$;
  delete value.$;
  let alive = true;
  Object.defineProperty(value, 'free', {
    value: () => {
      if (!alive) return;
      alive = false;
      engine.unwatch(value);
      engine.free(id);
    },
  });
  engine.watch(value, id);
  numbers.set(value, id);
  return value;
}
const numbers = new WeakMap<object, number>();
function numberOf(value: object, what: string): number {
  const id = value instanceof Held ? value.$ : numbers.get(value);
  if (id === undefined) throw new LamellaError(`${what}: an object of this package was expected`);
  return id;
}

/** A mesh in the engine's memory: write into its arrays whenever no call runs. */
export class Mesh extends Held {
  /** @internal */
  constructor(
    engine: Engine,
    private readonly data: any,
  ) {
    super(engine, data.$);
  }
  /** x, y, z of each vertex. Take it anew after a call: memory that grows moves. */
  get positions(): Points {
    return this.arrays.positions;
  }
  get triangles(): Uint32Array {
    return this.arrays.triangles;
  }
  /** What positions are relative to. */
  get origin(): t.Vec3 {
    return this.data.origin;
  }
  /** A copy of the positions as they are now. */
  read(): Points {
    return this.positions.slice();
  }
  /** New positions for all vertices. */
  write(positions: Points | readonly number[]): void {
    if (positions.length !== this.positions.length) {
      throw new LamellaError(`positions: ${this.positions.length} numbers were expected, not ${positions.length}`);
    }
    this.positions.set(positions);
  }
  /** What a freed mesh had is now other objects' memory. */
  private get arrays(): any {
    this.check();
    return this.data;
  }
}

function meshes(a: Mesh | number, b: Mesh | number) {
  if (typeof a === 'number' || typeof b === 'number') return { aKept: a, bKept: b };
  return { a: a.$, b: b.$ };
}
function oneMesh(mesh: Mesh | number) {
  return typeof mesh === 'number' ? { meshKept: mesh } : { mesh: mesh.$ };
}

/** Queries for every frame. Answers stay valid until the next call of the same query; they need no free(). */
export class Detector extends Held {
  intersect(a: Mesh | number, b: Mesh | number): t.Overlap {
    return this.call('detector.intersect', { detector: this.$, ...meshes(a, b) });
  }
  selfIntersect(mesh: Mesh | number): t.SelfOverlap {
    return this.call('detector.selfIntersect', { detector: this.$, ...oneMesh(mesh) });
  }
  contains(mesh: Mesh | number, points: Points): t.Containment {
    return this.call('detector.contains', { detector: this.$, ...oneMesh(mesh), points });
  }
  verticesInside(a: Mesh | number, b: Mesh | number): t.VerticesInside {
    return this.call('detector.verticesInside', { detector: this.$, ...meshes(a, b) });
  }
  volumeGradient(a: Mesh | number, b: Mesh | number, vertices = true): t.OverlapGradient {
    return this.call('detector.volumeGradient', { detector: this.$, ...meshes(a, b), vertices });
  }
  selfGradient(mesh: Mesh | number, vertices = true): t.SelfGradient {
    return this.call('detector.selfGradient', { detector: this.$, ...oneMesh(mesh), vertices });
  }
  /** Keeps a copy; its number stands for it in the queries. */
  add(mesh: Mesh): number {
    return this.call('detector.add', { detector: this.$, mesh: mesh.$ });
  }
  addRigid(mesh: Mesh, pose?: t.Pose): number {
    return this.call('detector.addRigid', { detector: this.$, mesh: mesh.$, pose });
  }
  deform(object: number, positions: Points): void {
    this.call('detector.deform', { detector: this.$, object, positions });
  }
  move(object: number, pose: t.Pose): void {
    this.call('detector.move', { detector: this.$, object, pose });
  }
  remove(object: number): void {
    this.call('detector.remove', { detector: this.$, object });
  }
}

/** A pair of a batch. */
export interface BatchPair {
  a: number;
  b: number;
  poseA?: t.Pose;
  poseB?: t.Pose;
}

/** Thousands of pairs in one call. */
export class Batch extends Held {
  add(mesh: Mesh): number {
    return this.call('batch.add', { batch: this.$, mesh: mesh.$ });
  }
  deform(object: number, positions: Float32Array): void {
    this.call('batch.deform', { batch: this.$, object, positions });
  }
  intersect(pairs: readonly BatchPair[]): t.PairOverlap[] {
    return this.call('batch.intersect', { batch: this.$, pairs });
  }
  volumeGradients(pairs: readonly BatchPair[]): t.PairGradient[] {
    return this.call('batch.volumeGradients', { batch: this.$, pairs });
  }
}

/** Many objects that move and deform, tested all at once. Objects are numbers. */
export class Scene extends Held {
  /** Copies the mesh; with the number of an object: another one with its mesh. */
  add(mesh: Mesh | number, pose?: t.Pose): number {
    const what = typeof mesh === 'number' ? { like: mesh } : { mesh: mesh.$ };
    return this.call('scene.add', { scene: this.$, ...what, pose });
  }
  remove(object: number): void {
    this.call('scene.remove', { scene: this.$, object });
  }
  move(object: number, pose: t.Pose): void {
    this.call('scene.move', { scene: this.$, object, pose });
  }
  deform(object: number, positions: Float32Array): void {
    this.call('scene.deform', { scene: this.$, object, positions });
  }
  fix(object: number, fixed = true): void {
    this.call('scene.fix', { scene: this.$, object, fixed });
  }
  ignore(a: number, b: number, ignored = true): void {
    this.call('scene.ignore', { scene: this.$, a, b, ignored });
  }
  collide(): t.SceneResult {
    return this.call('scene.collide', { scene: this.$ });
  }
  /** What an object touches first when it moves; null where the way is free. */
  sweep(object: number, motion: t.Vec3): { object: number; hit: t.SweepHit } | null {
    return this.call('scene.sweep', { scene: this.$, object, motion });
  }
  sweepPair(object: number, other: number, motion: t.Vec3): t.SweepHit | null {
    return this.call('scene.sweep', { scene: this.$, object, other, motion });
  }
  separation(a: number, b: number, directions?: number): t.Separation {
    return this.call('scene.separation', { scene: this.$, a, b, directions });
  }
  size(): number {
    return this.call('scene.size', { scene: this.$ });
  }
}

/** Rigid bodies under gravity that collide, roll, slide and stack. */
export class RigidWorld extends Held {
  add(mesh: Mesh, pose?: t.Pose, options?: t.BodyOptions): number {
    return this.call('world.add', { world: this.$, mesh: mesh.$, pose, options });
  }
  remove(object: number): void {
    this.call('world.remove', { world: this.$, object });
  }
  body(object: number): t.RigidBody {
    return this.call('world.body', { world: this.$, object });
  }
  /** Changes the members that are given. */
  setBody(object: number, body: Partial<t.RigidBody>): void {
    this.call('world.setBody', { world: this.$, object, body });
  }
  ignore(a: number, b: number, ignored = true): void {
    this.call('world.ignore', { world: this.$, a, b, ignored });
  }
  setGravity(gravity: t.Vec3): void {
    this.call('world.setGravity', { world: this.$, gravity });
  }
  step(seconds: number): t.StepReport {
    return this.call('world.step', { world: this.$, seconds });
  }
  result(): t.SceneResult {
    return this.call('world.result', { world: this.$ });
  }
  sums(): t.WorldSums {
    return this.call('world.sums', { world: this.$ });
  }
}

/** Sets particles that are inside a body onto its surface. */
export class ParticlePushOut extends Held {
  /**
   * @param body positions of the body's vertices
   * @param positions of the particles; changed
   * @param velocities of the particles; changed
   */
  pushOut(
    body: Float32Array,
    positions: Float32Array,
    velocities: Float32Array,
    motion: { before?: Float32Array; seconds?: number } = {},
  ): t.PushOutReport {
    const args = { pushOut: this.$, body, positions, velocities, ...motion };
    return this.call('pushOut.pushOut', args, [positions, velocities]);
  }
}

/** Contact of soft bodies by their shared volume. */
export class VolumeContact extends Held {
  /** Adds to the forces on the vertices, x, y, z each. Without b: of the mesh with itself. */
  addForces(a: Mesh, forcesA: Float64Array, b?: Mesh, forcesB?: Float64Array): t.ContactReport {
    const changed = forcesB !== undefined ? [forcesA, forcesB] : [forcesA];
    return this.call('contact.addForces', { contact: this.$, a: a.$, b: b?.$, forcesA, forcesB }, changed);
  }
  /** Moves vertices of meshes in doubles apart. */
  project(
    a: Mesh,
    b?: Mesh,
    inverseMasses: { inverseMassesA?: Float64Array; inverseMassesB?: Float64Array } = {},
  ): t.ContactReport {
    return this.call('contact.project', { contact: this.$, a: a.$, b: b?.$, ...inverseMasses });
  }
}

/** Geometry images that move as one body. */
export class ImageBody extends Held {
  /** New positions for one of the images, and spheres that fit them. */
  refit(image: number, positions: Float32Array): void {
    this.call('body.refit', { body: this.$, image, positions });
  }
}

/** The library. Make one with load(). */
export class Lamella {
  /** @internal */
  constructor(private readonly engine: Engine) {}

  /** Version, threads, and the engines of this build. */
  about(): t.About {
    return this.engine.call('about', {});
  }

  // ---- meshes

  /** Copies the arrays: x, y, z of each vertex, and three vertices of each triangle, counter-clockwise from outside. */
  mesh(positions: Points | readonly number[], triangles: Uint32Array | readonly number[], origin?: t.Vec3): Mesh {
    const wide = positions instanceof Float64Array;
    if (positions.length % 3 !== 0) throw new LamellaError('positions: three numbers for each vertex were expected');
    if (triangles.length % 3 !== 0) throw new LamellaError('triangles: three numbers for each triangle were expected');
    const mesh = this.allocateMesh(positions.length / 3, triangles.length / 3, { wide, origin });
    mesh.positions.set(positions);
    mesh.triangles.set(triangles);
    return mesh;
  }
  /** Room for a mesh in the engine's memory, to be written into. */
  allocateMesh(vertices: number, triangles: number, options: { wide?: boolean; origin?: t.Vec3 } = {}): Mesh {
    return new Mesh(this.engine, this.engine.call('mesh', { vertices, triangles, ...options }));
  }
  readMesh(bytes: Uint8Array, format: t.MeshFormat, options: t.ReadOptions = {}): Mesh {
    return new Mesh(this.engine, this.engine.call('readMesh', { bytes, format, ...options }));
  }
  readParts(
    bytes: Uint8Array,
    format: t.MeshFormat,
    options: t.ReadOptions & { split?: t.Split } = {},
  ): { name: string; mesh: Mesh }[] {
    const parts: [string, any][] = this.engine.call('readParts', { bytes, format, ...options });
    return parts.map(([name, mesh]) => ({ name, mesh: new Mesh(this.engine, mesh) }));
  }
  readPoints(bytes: Uint8Array, format: t.MeshFormat, options: t.ReadOptions = {}): Float64Array {
    const found = answer<t.Answer & { points: Float64Array }>(
      this.engine,
      this.engine.call('readPoints', { bytes, format, ...options }),
    );
    const points = found.points.slice();
    found.free();
    return points;
  }
  inspect(mesh: Mesh): t.MeshReport {
    return this.engine.call('inspect', { mesh: mesh.$ });
  }
  bounds(mesh: Mesh): t.Box {
    return this.engine.call('bounds', { mesh: mesh.$ });
  }
  signedVolume(mesh: Mesh): number {
    return this.engine.call('signedVolume', { mesh: mesh.$ });
  }
  isClosed(mesh: Mesh): boolean {
    return this.engine.call('isClosed', { mesh: mesh.$ });
  }
  /** With its holes closed by fans. */
  closed(mesh: Mesh): Mesh {
    return new Mesh(this.engine, this.engine.call('closed', { mesh: mesh.$ }));
  }
  transformed(mesh: Mesh, pose: t.Pose): Mesh {
    return new Mesh(this.engine, this.engine.call('transformed', { mesh: mesh.$, pose }));
  }
  splitComponents(mesh: Mesh): Mesh[] {
    return this.engine.call('splitComponents', { mesh: mesh.$ }).map((part: any) => new Mesh(this.engine, part));
  }
  repair(mesh: Mesh, options?: t.RepairOptions): { mesh: Mesh; report: t.RepairReport; vertexMap: Uint32Array } {
    const [repaired, rest] = this.engine.call('repair', { mesh: mesh.$, options });
    const found = answer<t.Answer & { report: t.RepairReport; vertexMap: Uint32Array }>(this.engine, rest);
    const vertexMap = found.vertexMap.slice();
    found.free();
    return { mesh: new Mesh(this.engine, repaired), report: found.report, vertexMap };
  }

  // ---- queries

  intersect(a: Mesh, b: Mesh, options?: t.Options): t.Overlap {
    return answer(this.engine, this.engine.call('intersect', { a: a.$, b: b.$, options }));
  }
  selfIntersect(mesh: Mesh, options?: t.Options): t.SelfOverlap {
    return answer(this.engine, this.engine.call('selfIntersect', { mesh: mesh.$, options }));
  }
  contains(mesh: Mesh, points: Points, options?: t.Options, box?: t.Box): t.Containment {
    return answer(this.engine, this.engine.call('contains', { mesh: mesh.$, points, options, box }));
  }
  verticesInside(a: Mesh, b: Mesh, options?: t.Options): t.VerticesInside {
    return answer(this.engine, this.engine.call('verticesInside', { a: a.$, b: b.$, options }));
  }
  volumeGradient(a: Mesh, b: Mesh, options?: t.Options, vertices = true): t.OverlapGradient {
    return answer(this.engine, this.engine.call('volumeGradient', { a: a.$, b: b.$, options, vertices }));
  }
  selfGradient(mesh: Mesh, options?: t.Options, vertices = true): t.SelfGradient {
    return answer(this.engine, this.engine.call('selfGradient', { mesh: mesh.$, options, vertices }));
  }
  /** An overlap as a closed mesh of boxes, one for each span. */
  prisms(overlap: t.Overlap): Mesh {
    return new Mesh(this.engine, this.engine.call('prisms', { grid: overlap.grid, spans: overlap.spans }));
  }
  separation(a: Mesh, b: Mesh, options?: t.SeparationOptions): t.Separation {
    return this.engine.call('separation', { a: a.$, b: b.$, options });
  }
  freeShifts(a: Mesh, b: Mesh, direction: t.Vec3, resolution?: number): t.FreeInterval {
    return this.engine.call('freeShifts', { a: a.$, b: b.$, direction, resolution });
  }
  /** Where `a` first touches `b` when it moves; null where it does not. */
  sweep(a: Mesh, b: Mesh, motion: t.Vec3, threads?: number): t.SweepHit | null {
    return this.engine.call('sweep', { a: a.$, b: b.$, motion, threads });
  }
  distance(a: Mesh, b: Mesh, threads?: number): t.MeshDistance {
    return this.engine.call('distance', { a: a.$, b: b.$, threads });
  }
  closest(mesh: Mesh, points: Points, threads?: number): t.ClosestPoints {
    return answer(this.engine, this.engine.call('closest', { mesh: mesh.$, points, threads }));
  }
  massProperties(mesh: Mesh, density?: number): t.MassProperties {
    return this.engine.call('massProperties', { mesh: mesh.$, density });
  }

  // ---- layered depth images

  /** On `grid`, or on one over the mesh's own box. */
  buildLdi(mesh: Mesh, options?: t.Options, grid?: t.Grid): t.Ldi {
    return answer(this.engine, this.engine.call('ldi', { mesh: mesh.$, options, grid }));
  }
  intersectLdis(a: t.Ldi, b: t.Ldi, minThickness?: number): t.Overlap {
    const args = { a: numberOf(a, 'a'), b: numberOf(b, 'b'), minThickness };
    return answer(this.engine, this.engine.call('ldi.intersect', args));
  }
  selfIntersectLdi(ldi: t.Ldi, minThickness?: number): t.SelfOverlap {
    return answer(this.engine, this.engine.call('ldi.selfIntersect', { ldi: numberOf(ldi, 'ldi'), minThickness }));
  }
  containedInLdi(ldi: t.Ldi, points: Float32Array): t.Containment {
    return answer(this.engine, this.engine.call('ldi.contains', { ldi: numberOf(ldi, 'ldi'), points }));
  }

  // ---- for many frames

  detector(options?: t.Options): Detector {
    return new Detector(this.engine, this.engine.call('detector', { options }));
  }
  batch(options?: t.Options): Batch {
    return new Batch(this.engine, this.engine.call('batch', { options }));
  }
  scene(options?: t.SceneOptions): Scene {
    return new Scene(this.engine, this.engine.call('scene', { options }));
  }
  rigidWorld(options?: t.RigidWorldOptions, scene?: t.SceneOptions): RigidWorld {
    return new RigidWorld(this.engine, this.engine.call('world', { options, scene }));
  }
  particlePushOut(body: Mesh, options?: t.PushOutOptions): ParticlePushOut {
    return new ParticlePushOut(this.engine, this.engine.call('pushOut', { mesh: body.$, options }));
  }
  volumeContact(options?: t.VolumeContactOptions): VolumeContact {
    return new VolumeContact(this.engine, this.engine.call('contact', { options }));
  }

  // ---- geometry images

  makeImages(mesh: Mesh, options?: t.MakeImageOptions): { image: t.GeometryImage; report: t.MakeImageReport }[] {
    const made: [any, t.MakeImageReport][] = this.engine.call('images', { mesh: mesh.$, options });
    return made.map(([image, report]) => ({ image: answer<t.GeometryImage>(this.engine, image), report }));
  }
  imageFromPositions(positions: Float32Array): t.GeometryImage {
    return answer(this.engine, this.engine.call('imageFromPositions', { positions }));
  }
  imageFromHeights(heights: Float32Array, low: t.Vec3, high: t.Vec3): t.GeometryImage {
    return answer(this.engine, this.engine.call('imageFromHeights', { heights, low, high }));
  }
  imageOfSphere(n: number, center?: t.Vec3, radius?: number): t.GeometryImage {
    return answer(this.engine, this.engine.call('imageOfSphere', { n, center, radius }));
  }
  meshOfImage(image: t.GeometryImage): Mesh {
    return new Mesh(this.engine, this.engine.call('image.mesh', { image: numberOf(image, 'image') }));
  }
  pyramid(image: t.GeometryImage, fit?: t.SphereFit): t.SpherePyramid {
    return answer(this.engine, this.engine.call('pyramid', { image: numberOf(image, 'image'), fit }));
  }
  imageBody(images: readonly t.GeometryImage[], fit?: t.SphereFit): ImageBody {
    const list = images.map((image) => ({ image: numberOf(image, 'images') }));
    return new ImageBody(this.engine, this.engine.call('body', { images: list, fit }));
  }
  collideImages(
    a: ImageBody,
    poseA: t.Pose | undefined,
    b: ImageBody | Mesh,
    poseB?: t.Pose,
    options?: t.ImageCollideOptions,
  ): t.ImageCollision {
    const other = b instanceof Mesh ? { mesh: b.$ } : { b: b.$ };
    return answer(this.engine, this.engine.call('body.collide', { a: a.$, ...other, poseA, poseB, options }));
  }
}

/** Loads the engine. */
export async function load(options?: LoadOptions): Promise<Lamella> {
  return new Lamella(await loadEngine(options));
}

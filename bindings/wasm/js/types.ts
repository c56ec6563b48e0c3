// What is given to the engine and what it answers. Names, units and meanings are those of the C++ headers
// (include/lamella/), in camelCase.

export type Vec3 = [number, number, number];
/** [x, y, z], or [x, y, z, qx, qy, qz, qw]: turned by the unit quaternion, then moved. */
export type Pose = readonly number[];
export type Axis = 'x' | 'y' | 'z';
export type Verdict = 'clear' | 'colliding' | 'undecided';
export type MeshFormat = 'ply' | 'obj' | 'stl' | 'off' | 'gltf' | 'glb' | 'xyz';
export type Split = 'automatic' | 'none' | 'groups' | 'nodes' | 'components';
export type SphereFit = 'fast' | 'tight' | 'published' | 'publishedEnclosing';

export interface Box {
  min: Vec3;
  max: Vec3;
}
export interface Grid {
  box: Box;
  axis: Axis;
  columns: number;
  rows: number;
}
export interface Tolerance {
  relative?: number;
  absolute?: number;
}

// ------------------------------------------------------------------------------------------------------------ options

export interface Options {
  /** 'software' (the default); with all parts also 'reference' and 'software-wscg'. */
  engine?: string;
  resolution?: number;
  axis?: Axis;
  threads?: number;
  strict?: boolean;
  minThickness?: number;
  maxCrossings?: number;
  keepSpans?: boolean;
  aroundPoints?: boolean;
  tolerance?: Tolerance;
  certify?: boolean;
  exact?: boolean;
  ends?: boolean;
  explain?: boolean;
}
export interface SceneOptions {
  engine?: string;
  cell?: number;
  screen?: { eye: Vec3; pixelAngle?: number };
  resolution?: number;
  maxResolution?: number;
  axis?: Axis;
  views?: 1 | 3;
  threads?: number;
  closeHoles?: boolean;
  strict?: boolean;
  minThickness?: number;
  maxCrossings?: number;
  maxPairs?: number;
  maxSpans?: number;
  selfOverlap?: boolean;
  points?: boolean;
  threshold?: number;
  normals?: 'faces' | 'neighbours';
  maxContacts?: number;
  patches?: boolean;
  separations?: boolean;
  tolerance?: Tolerance;
  certify?: boolean;
}
export interface SeparationOptions {
  engine?: string;
  resolution?: number;
  directions?: number;
  threads?: number;
}
export interface RigidWorldOptions {
  gravity?: Vec3;
  collisionIterations?: number;
  contactIterations?: number;
  shockPropagation?: boolean;
  maxSubsteps?: number;
  waysOut?: boolean;
}
export interface BodyOptions {
  density?: number;
  restitution?: number;
  friction?: number;
  fixed?: boolean;
}
export interface RepairOptions {
  weld?: boolean;
  weldDistance?: number;
  dropDegenerate?: boolean;
  dropDoubled?: boolean;
  orient?: boolean;
  close?: boolean;
}
export interface MakeImageOptions {
  n?: number;
  maxCuts?: number;
  threads?: number;
}
export interface ImageCollideOptions {
  all?: boolean;
  maxLevel?: number;
  maxTests?: number;
  walk?: 'guided' | 'zigzag';
}
export interface PushOutOptions {
  resolution?: number;
  threads?: number;
  restitution?: number;
  friction?: number;
  clearance?: number;
  strict?: boolean;
  maxCrossings?: number;
}
export interface VolumeContactOptions {
  resolution?: number;
  cell?: number;
  threads?: number;
  stiffness?: number;
  damping?: number;
  passes?: number;
  iterations?: number;
  relaxation?: number;
  maxWay?: number;
  friction?: number;
  strict?: boolean;
  maxCrossings?: number;
}
export interface ReadOptions {
  /** What error messages call the file. */
  name?: string;
  maxMemory?: number;
}

// ------------------------------------------------------------------------------------------------------------ answers

/**
 * An answer that has arrays in the engine's memory. They are read there, so take what is to be kept with `slice()`.
 * `free()` gives their memory back at once; otherwise that happens when the answer is no longer used.
 */
export interface Answer {
  free(): void;
}
export interface Timings {
  broad: number;
  voi: number;
  ldi: number;
  query: number;
  points: number;
  contacts: number;
  solve: number;
}
export interface Health {
  ok: boolean;
  openColumns: number;
  occupiedColumns: number;
  insideOutColumns: number;
  skippedTriangles: number;
  droppedCrossings: number;
  untrustedVolume: number;
  untrustedPoints: number;
  uncertainSpans: number;
  closedEdges: number;
  fanArea: number;
  closingVolume: number;
}
export interface Doubt {
  cause: 'openColumns' | 'insideOut' | 'skippedTriangles' | 'droppedCrossings' | 'touching' | 'closedHoles';
  mesh: number;
  count: number;
  text: string;
}
export interface Certificate {
  certain: boolean;
  touching: boolean;
  witness: Vec3 | null;
  triangles: [number, number] | null;
}
export interface PairOverlap {
  verdict: Verdict;
  origin: Vec3;
  grid: Grid;
  spanCount: number;
  volume: number;
  volumeError: number;
  toleranceMet: boolean;
  certificate: Certificate;
  centroid: Vec3;
  bounds: Box;
  health: Health;
}
export interface Overlap extends PairOverlap, Answer {
  doubts: Doubt[];
  ms: Timings;
  engine: string;
  alternating: boolean;
  /** Three words for each: column, and as floats (asFloats) begin and end. */
  readonly spans: Uint32Array;
  /** With `ends`, eight words for each span: of both ends triangle, mesh, and as floats the weights of b and c. */
  readonly ends: Uint32Array;
}
export interface SelfOverlap extends Overlap {
  /** Laid out as `spans`. */
  readonly insideOut: Uint32Array;
  insideOutVolume: number;
}
export interface MotionGradient {
  translation: Vec3;
  rotation: Vec3;
}
export interface InnerSurface {
  area: number;
  normal: Vec3;
}
export interface GradientSums {
  a: MotionGradient;
  b: MotionGradient;
  moments: [Vec3, Vec3, Vec3];
  innerA: InnerSurface;
  innerB: InnerSurface;
}
export interface OverlapGradient extends Overlap {
  sums: GradientSums;
  readonly verticesA: Float32Array;
  readonly verticesB: Float32Array;
}
export interface SelfGradient extends SelfOverlap {
  sums: GradientSums;
  readonly vertices: Float32Array;
}
export interface PairGradient extends PairOverlap {
  sums: GradientSums;
}
export interface Containment extends Answer {
  grid: Grid;
  origin: Vec3;
  /** For each point 0 outside, 1 inside, 2 unknown. */
  readonly inside: Uint8Array;
  insideCount: number;
  box: Box | null;
  notLookedAt: number;
  health: Health;
  ms: Timings;
  engine: string;
  alternating: boolean;
}
export interface VerticesOfOne {
  grid: Grid;
  /** Three words for each: vertex, and as floats the ways back and ahead. */
  readonly inside: Uint32Array;
  lookedUp: number;
}
export interface VerticesInside extends Answer {
  aInB: VerticesOfOne;
  bInA: VerticesOfOne;
  origin: Vec3;
  health: Health;
  alternating: boolean;
  ms: Timings;
  engine: string;
}
export interface Ldi extends Answer {
  grid: Grid;
  outside: 'low' | 'high' | 'both';
  readonly offsets: Uint32Array;
  /** Keys: the bits of the depth as a float, shifted left by one, with 1 in the lowest bit for an entry. */
  readonly crossings: Uint32Array;
  skippedTriangles: number;
}
export interface Contact {
  position: Vec3;
  normal: Vec3;
  depth: number;
  frontA: boolean;
  frontB: boolean;
  triangleA: number;
  triangleB: number;
  id: number;
}
export interface ContactPatch {
  center: Vec3;
  normal: Vec3;
  volume: number;
  area: number;
  depth: number;
  oneSided: number;
  separation: number;
  spanCount: number;
}
export interface CollisionPoint {
  pair: number;
  onA: Vec3;
  onB: Vec3;
  frontA: boolean;
  frontB: boolean;
  triangleA: number;
  triangleB: number;
}
export interface ScenePair {
  a: number;
  b: number;
  volume: number | null;
  volumeError: number | null;
  toleranceMet: boolean;
  certificate: Certificate;
  centroid: Vec3;
  group: number;
  spanCount: number;
  depth: number;
  firstPoint: number;
  pointCount: number;
  firstContact: number;
  contactCount: number;
  moreContacts: boolean;
  firstPatch: number;
  patchCount: number;
}
export interface SceneResult {
  verdict: Verdict;
  pairs: ScenePair[];
  undecided: { a: number; b: number; doubt: Doubt }[];
  points: CollisionPoint[];
  contacts: Contact[];
  patches: ContactPatch[];
  groups: { grid: Grid; origin: Vec3; objectCount: number; candidateCount: number }[];
  selfOverlaps: { object: number; volume: number }[];
  defects: {
    object: number;
    openColumns: number;
    skippedTriangles: number;
    insideOutColumns: number;
    closedEdges: number;
  }[];
  health: Health;
  ms: Timings;
  objectCount: number;
  candidateCount: number;
  refinedCount: number;
  certifiedCount: number;
  engine: string;
}
export interface SweepHit {
  time: number;
  position: Vec3;
  normal: Vec3;
  triangleA: number;
  triangleB: number;
  overlapping: boolean;
}
export interface Separation {
  before: Verdict;
  translation: Vec3;
  direction: Vec3;
  length: number;
  margin: number;
  after: Verdict;
  certificate: Certificate;
  directions: number;
  ms: Timings;
  engine: string;
}
export interface FreeInterval {
  overlapping: boolean;
  forward: number;
  backward: number;
  roomForward: number;
  roomBackward: number;
  cell: number;
  open: boolean;
}
export interface MeshDistance {
  distance: number;
  onA: Vec3;
  onB: Vec3;
  triangleA: number;
  triangleB: number;
  verdict: Verdict;
  skippedTriangles: number;
  ms: Timings;
}
export interface ClosestPoints extends Answer {
  readonly distances: Float64Array;
  readonly positions: Float64Array;
  readonly normals: Float32Array;
  readonly triangles: Uint32Array;
  health: Health;
  ms: Timings;
}
export interface RigidBody {
  translation: Vec3;
  rotation: [number, number, number, number];
  velocity: Vec3;
  angularVelocity: Vec3;
  inverseMass: number;
  center: Vec3;
  inverseInertia: [Vec3, Vec3, Vec3];
  restitution: number;
  friction: number;
  thickness: number;
  reach: number;
}
export interface StepReport {
  substepCount: number;
  ms: Timings;
  impulseCount: number;
  pushedCount: number;
  wayCount: number;
  sweepCount: number;
  overLimit: boolean;
  secondsLeft: number;
}
export interface WorldSums {
  kineticEnergy: number;
  potentialEnergy: number;
  momentum: Vec3;
  angularMomentum: Vec3;
}
export interface MassProperties {
  mass: number;
  center: Vec3;
  inertia: [Vec3, Vec3, Vec3];
}
export interface MeshReport {
  vertices: number;
  triangles: number;
  closed: boolean;
  boundaryEdges: number;
  nonmanifoldEdges: number;
  inconsistentEdges: number;
  degenerateTriangles: number;
  nonfiniteVertices: number;
  components: number;
  openEdges: number;
  holes: number;
  insideOutComponents: number;
  cavities: number;
  duplicateFaces: number;
  volume: number;
  area: number;
  origin: Vec3;
  bounds: Box;
  defects: Vec3[];
}
export interface RepairReport {
  changed: boolean;
  unusableFaces: number;
  weldedVertices: number;
  unusedVertices: number;
  degenerateFaces: number;
  doubledFaces: number;
  turnedFaces: number;
  turnedShells: number;
  shells: number;
  cavities: number;
  closedHoles: number;
  closedEdges: number;
  fanArea: number;
  oneSidedPatches: number;
  unjudgedShells: number;
  openEdges: number;
}
export interface EngineInfo {
  name: string;
  summary: string;
  available: boolean;
  why: string;
}
export interface About {
  version: string;
  threads: number;
  engines: EngineInfo[];
  sceneEngines: EngineInfo[];
}
export interface MakeImageReport {
  triangleCount: number;
  genus: number;
  cutEdgeCount: number;
  cutLength: number;
  cutPathCount: number;
  flippedCount: number;
  stretch: number;
  volume: number;
  imageVolume: number;
  mapDistance: number;
  distance: number;
}
/** (2^n + 1)^2 vertices, row by row. */
export interface GeometryImage extends Answer {
  n: number;
  readonly positions: Float32Array;
  readonly normals: Float32Array;
}
export interface SpherePyramid extends Answer {
  n: number;
  width: number;
  height: number;
  /** Where each level starts, in spheres. */
  offsets: number[];
  /** x, y, z, radius of each. */
  readonly spheres: Float32Array;
}
export interface ImageCollision extends Answer {
  verdict: Verdict;
  complete: boolean;
  enclosing: boolean;
  /** Four for each: image and triangle of a, of b. */
  readonly pairs: Uint32Array;
  spherePairCount: number;
  level: number;
  position: Vec3;
  within: number;
  sphereTestCount: number;
  triangleTestCount: number;
}
export interface PushOutReport {
  /** Nine words for each: particle, triangle, and as floats the three weights, the normal and the depth. */
  readonly pushes: Uint32Array;
  turnedBackCount: number;
  deepest: number;
  motion: number;
  cell: number;
  health: Health;
  ms: Timings;
}
export interface ContactReport {
  verdict: Verdict;
  volume: number;
  energy: number;
  area: number;
  deepest: number;
  left: number;
  push: Vec3;
  spanCount: number;
  cell: number;
  health: Health;
  ms: Timings;
}

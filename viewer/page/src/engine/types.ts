// The messages of viewer/PROTOCOL.md as types.

export type Vec3 = [number, number, number];
export type Pose = [number, number, number, number, number, number, number];
export interface Box {
  min: Vec3;
  max: Vec3;
}

export interface ObjectInfo {
  id: number;
  name: string;
  faces: number;
  vertices: number;
  volume: number;
  bounds: Box;
  origin: Vec3;
  pose: Pose;
  closed: boolean;
  boundary_edges: number;
  nonmanifold_edges: number;
  inconsistent_edges: number;
  degenerate_triangles: number;
  components: number;
  unusable_vertices: number;
  /** As queries see it, to whom vertices at one place are one: 0 for a mesh that bounds a solid. */
  open_edges: number;
  holes: number;
  inside_out_components: number;
  deformed: boolean;
  source: { model: string; faces: number } | { file: string } | { report: true };
  /** Of the source, which has more faces. */
  simplified: { faces: number; volume?: number } | null;
}

export interface EngineInfo {
  name: string;
  available: boolean;
  why?: string;
}

export interface Hello {
  version: string;
  native: boolean;
  threads: number;
  engines: EngineInfo[];
  models: { name: string; faces: number; summary: string }[];
  simulations: { name: string; summary: string }[];
  formats: string[];
  most_bytes: number;
}

export interface StateReply {
  objects: ObjectInfo[];
  view: unknown;
  /** As it came, see report_of(). */
  report: unknown;
}

export interface MeshReply {
  positions: Float32Array;
  triangles: Uint32Array;
  origin: Vec3;
  faces: number;
  simplified: boolean;
}

export interface HolesReply {
  edges: Float32Array;
  count: number;
  nonmanifold?: Float32Array;
}

export type Kind = "intersect" | "self" | "scene" | "depth" | "distance" | "contain" | "layers";

export type Axis = "x" | "y" | "z";

export interface QueryOptions {
  engine?: string;
  resolution?: number;
  axis?: Axis;
  threads?: number;
  tolerance?: { relative?: number; absolute?: number };
  certify?: boolean;
  /** In scenes: edge of a cell, or who sees it, in place of `resolution`. */
  cell?: number;
  screen?: number[];
}

export interface Grid {
  box: Box;
  axis: Axis;
  columns: number;
  rows: number;
  origin: Vec3;
}

export interface Spans {
  grid: Grid;
  columns: Uint32Array;
  begin: Float32Array;
  end: Float32Array;
}

export interface Solid {
  positions: Float32Array;
  normals: Float32Array;
  triangles: Uint32Array;
  side: Uint8Array;
  origin: Vec3;
  missed: number;
  ms?: number;
}

export interface Columns {
  grid: Grid;
  offsets: Uint32Array;
  depths: Float32Array;
  entering: Uint8Array;
}

export type Verdict = "clear" | "colliding" | "undecided";

export interface Health {
  ok: boolean;
  open_columns: number;
  occupied_columns: number;
  inside_out_columns: number;
  untrusted_volume: number;
  skipped_triangles: number;
  uncertain_spans: number;
  closed_edges: number;
}

export interface Contact {
  position: Vec3;
  normal: Vec3;
  depth: number;
}

export interface PairDetail {
  a: number;
  b: number;
  volume: number | null;
  volume_error: number | null;
  depth?: number;
  centroid: Vec3;
  bounds: Box;
  contacts?: Contact[];
  /** What the two share, once the page has asked for it. */
  solid?: Solid;
  spans?: Spans;
  asked?: boolean;
}

/** What `answer` may have; which of these depends on the kind. The rest is kept as it came. */
export interface Answer {
  query?: string;
  colliding?: boolean;
  verdict?: Verdict;
  volume?: number;
  volume_error?: number;
  centroid?: Vec3 | null;
  bounds?: Box | null;
  axis?: Axis;
  resolution?: [number, number];
  spans?: number;
  engine?: string;
  health?: Health;
  ms?: Record<string, number>;
  doubts?: string[];
  inside_out?: { volume: number; spans: number };
  // depth
  depth?: number;
  translation?: Vec3;
  length?: number;
  after?: unknown;
  separation?: { translation: Vec3; length: number; verdict: Verdict; certain: boolean; margin: number } | null;
  patches?: { normal: Vec3; depth: number; area: number; center: Vec3; volume: number }[];
  // distance
  distance?: number | null;
  on_a?: Vec3;
  on_b?: Vec3;
  // contain
  inside?: number;
  points?: number | unknown[];
  unknown?: number;
  // layers
  layers?: { facing: string; crossings: number }[];
  crossings?: number;
  max_layers?: number;
  // scene
  objects?: number;
  pairs?: unknown[];
  pairs_detail?: PairDetail[];
  [key: string]: unknown;
}

export interface SceneDefect {
  id: number;
  open_columns: number;
  skipped_triangles: number;
  inside_out_columns: number;
  closed_edges: number;
}

export interface QueryReply {
  answer: Answer;
  spans?: Spans;
  inside_out_spans?: Spans;
  solid?: Solid;
  forces?: { a: Float32Array; b: Float32Array };
  undecided?: { a: number; b: number; why?: string }[];
  defects?: SceneDefect[];
  points?: Float32Array;
  points_origin?: Vec3;
  flags?: Uint8Array;
  columns?: Columns;
}

export interface TimesRow {
  engine: string;
  ms: number;
  least: number;
  volume: number;
  error?: string;
}

export interface FilmSolid {
  triangles?: Uint32Array;
  positions: Float32Array;
  color: Vec3;
  opacity: number;
}
export interface FilmDots {
  positions: Float32Array;
  color: Vec3;
  radius: number;
}
export interface FilmFrame {
  solids: FilmSolid[];
  dots: FilmDots[];
  bounds?: Box;
  looking?: Vec3;
  figures: Record<string, unknown>;
  note?: string;
  step?: number;
}

export interface Report {
  command: string;
  arguments?: string[];
  answer?: Answer;
  text?: string | string[];
  kind: string;
  objects?: number[];
  options?: QueryOptions;
  version?: string;
  title?: string;
  simplified?: { object: number; faces: number; kept: number }[];
  notes?: string[];
  points?: { positions: Float32Array; origin: Vec3; flags: Uint8Array; of?: number };
  columns?: Columns;
  frames?: ReportFrames;
  pictures?: { title: string; png: Uint8Array }[];
  clash?: ClashData;
}

export type ClashClass = "clear" | "near" | "touching" | "overlapping" | "piercing" | "contained" | "duplicate";

export interface ClashPair {
  /** Places in the report's list of objects; null: not in this page. */
  a: number | null;
  b: number | null;
  names: [string, string];
  class: ClashClass;
  volume: number;
  volume_error: number;
  depth: number;
  distance: number;
  at: Vec3;
  /** From where to look at it: the middle of a cube of half-side `reach`, and the direction from the eye. */
  target: Vec3;
  looking: Vec3;
  reach: number;
  allowed?: boolean;
  undecided?: boolean;
  change?: string;
}

export interface ClashFinding {
  title: string;
  class: ClashClass;
  /** How many; `pairs` may list fewer, as places in ClashData.pairs, the worst first. */
  places: number;
  pairs: number[];
  volume: number;
  total_volume: number;
  depth: number;
  distance?: number;
  lines: string[];
  allowed?: boolean;
  undecided?: boolean;
  change?: string;
  png?: Uint8Array;
}

export interface ClashData {
  unit: string;
  findings: ClashFinding[];
  pairs: ClashPair[];
  gone?: { a: string; b: string; class: ClashClass; volume: number }[];
  /** Some parts have fewer faces here than those that the findings are of. */
  simplified?: boolean;
}

export interface ReportFrames {
  solids: { triangles: Uint32Array; color: Vec3; opacity: number }[];
  dots: { color: Vec3; radius: number }[];
  steps: ReportStep[];
  rate: number;
  bounds?: Box;
  looking?: Vec3;
}

export interface ReportStep {
  /** Of each solid; null: those of the step before. */
  positions: (Float32Array | null)[];
  poses?: Float32Array;
  colors?: Uint8Array;
  dots: Float32Array[];
  figures: Record<string, unknown>;
  note?: string;
}

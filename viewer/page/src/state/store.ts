// What the page knows, in one place. Who changes it says so by changed(); panels and the view then read it again.

import type { Answer, Axis, Hello, Kind, ObjectInfo, Pose, QueryOptions, QueryReply, Report, TimesRow } from "../engine/types.ts";

export type Tool = "select" | "move" | "turn" | "pull";
export type Surface = "auto" | "glass" | "solid";
export type OverlapStyle = "solid" | "columns" | "both";

export interface Body {
  info: ObjectInfo;
  /** Where it was when it came. */
  home: Pose;
  visible: boolean;
  color: string;
}

export interface Cut {
  on: boolean;
  axis: Axis;
  /** 0 to 1: along the box of all objects. */
  position: number;
  flip: boolean;
}

export interface Shown {
  surface: Surface;
  overlap: OverlapStyle;
  forces: boolean;
  contacts: boolean;
  ghost: boolean;
  edges: boolean;
  grid: boolean;
  wires: boolean;
}

/** What each engine takes for the pair. */
export interface Times {
  /** Measured again after each answer. */
  live: boolean;
  /** In the order of the engines; `old`: of an earlier answer. */
  rows: (TimesRow & { old?: boolean })[];
}

export interface State {
  hello: Hello | null;
  bodies: Map<number, Body>;
  selection: number[];
  /** The objects of questions about two. */
  pair: [number | null, number | null];
  tool: Tool;
  pull_radius: number; // as a part of the object's size
  kind: Kind;
  options: QueryOptions;
  /** The engine that a report or a view was computed by, where it is not here. */
  missing_engine: string | null;
  times: Times;
  scene_self: boolean;
  /** Points of which object; or some at random in the box, or those of the report. */
  contain: { of: number | "box" | "report"; count: number };
  /** -1: all of them. */
  layer: number;
  shown: Shown;
  cut: Cut;
  report: Report | null;
  /** The last answer, with the question that it is of. */
  result: { kind: Kind; ids: number[]; options: QueryOptions; reply: QueryReply } | null;
  /** Why there is no answer: what is missing, or the engine's error. */
  no_answer: string;
  waiting: boolean;
  focused_pair: [number, number] | null;
  /** Of a clash report, the pair that the view shows. */
  clash_pair: number | null;
}

export function initial_state(): State {
  return {
    hello: null,
    bodies: new Map(),
    selection: [],
    pair: [null, null],
    tool: "move",
    pull_radius: 0.15,
    kind: "intersect",
    options: {},
    missing_engine: null,
    times: { live: false, rows: [] },
    scene_self: false,
    contain: { of: "box", count: 4000 },
    layer: -1,
    shown: {
      surface: "auto",
      overlap: "solid",
      forces: false,
      contacts: true,
      ghost: true,
      edges: true,
      grid: true,
      wires: false,
    },
    cut: { on: false, axis: "x", position: 0.5, flip: false },
    report: null,
    result: null,
    no_answer: "",
    waiting: false,
    focused_pair: null,
    clash_pair: null,
  };
}

/** What changed: listeners leave out what does not concern them. */
export type Change = "objects" | "pose" | "selection" | "question" | "answer" | "times" | "display" | "camera" | "history";

export class Store {
  readonly state = initial_state();
  private listeners: ((changes: ReadonlySet<Change>) => void)[] = [];
  private gathered = new Set<Change>();

  on(listener: (changes: ReadonlySet<Change>) => void): void {
    this.listeners.push(listener);
  }

  /** Listeners hear of it once, after what is going on now. */
  changed(...changes: Change[]): void {
    if (this.gathered.size === 0) queueMicrotask(() => this.tell());
    for (const change of changes) this.gathered.add(change);
  }

  private tell(): void {
    const changes = this.gathered;
    this.gathered = new Set();
    for (const listener of this.listeners) listener(changes);
  }

  body(id: number | null | undefined): Body | undefined {
    return id == null ? undefined : this.state.bodies.get(id);
  }

  name(id: number): string {
    return this.state.bodies.get(id)?.info.name ?? `object ${id}`;
  }

  get primary(): Body | undefined {
    return this.body(this.state.selection[0]);
  }
}

/** The objects that a question of this kind is about, or what is missing. */
export function subjects(state: State): number[] | string {
  const ids = [...state.bodies.keys()];
  if (ids.length === 0) return "Add a mesh to measure it.";
  const [a, b] = state.pair;
  switch (state.kind) {
    case "scene":
      return ids.length < 2 ? "Add a second object: a scene has at least two." : ids;
    case "self":
    case "layers":
    case "contain":
      return a === null ? "Select an object." : [a];
    default:
      if (ids.length < 2) return "Add a second object to measure the two.";
      return a === null || b === null || a === b ? "Choose two objects." : [a, b];
  }
}

export const answer_of = (state: State): Answer | null => state.result?.reply.answer ?? null;

/** Whether a question of this kind is about one object: the pair's first. */
export const single_object = (kind: Kind): boolean => kind === "self" || kind === "layers" || kind === "contain";

/** The pair that a selection means: what was selected comes first, the rest of the old pair stays. One of the old pair
 * that is selected stays where it is, unless the question is about the first alone (`single`). */
export function pair_of(
  selection: number[], old: [number | null, number | null], ids: number[], single = false,
): State["pair"] {
  const alive = (id: number | null | undefined): id is number => id != null && ids.includes(id);
  const kept = old.filter(alive);
  if (selection.length >= 2) return [selection[0], selection[1]];
  const [one] = selection;
  if (!alive(one)) {
    const a = kept[0] ?? ids[0] ?? null;
    return [a, kept.find((id) => id !== a) ?? ids.find((id) => id !== a) ?? null];
  }
  if ((old[0] === one || (old[1] === one && !single)) && alive(old[0]) && alive(old[1])) return old;
  const other = kept.find((id) => id !== one) ?? ids.find((id) => id !== one) ?? null;
  return [one, other];
}

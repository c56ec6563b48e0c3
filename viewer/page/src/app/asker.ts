// Asks the engine about what is on the stage, again whenever that changes. Never a queue: while an answer is awaited,
// changes only note that one more question is due, with what holds by then.

import type { Session } from "../engine/session.ts";
import type { ObjectInfo, PairDetail, Pose, QueryReply, TimesRow, Vec3 } from "../engine/types.ts";
import { subjects, type State, type Store } from "../state/store.ts";

const kMostSolids = 60; // pairs of a scene
const kPairSolid = 40;
const kRedrawEvery = 400; // milliseconds
const kSlowSolid = 25; // milliseconds
const kCoarseSolid = 32;

const kOverlapWanted = ["spans", "solid"];

export interface Pull {
  id: number;
  vertex: number;
  to: Vec3;
  radius: number;
  done: boolean;
}

export class Asker {
  private due = false;
  private running = false;
  private moved = new Map<number, Pose>();
  private pulls: Pull[] = [];
  private waiters: (() => void)[] = [];
  /** While this is above 0 nothing is asked: objects are being changed. */
  private held = 0;
  enabled = true;
  /** While something is dragged, the smooth surface may be coarser, where it would take long. */
  coarse = false;
  private solid_ms = 0;
  /** Of each engine that was compared: when, by a count, and how long that took. */
  private compared = new Map<string, { when: number; ms: number }>();
  private comparisons = 0;
  /** An engine that takes less to be compared is quick: a question that is due may wait for it. */
  quick_ms = 100;
  questions = 0;

  constructor(
    private session: Session,
    private store: Store,
    private on_pulled: (reply: { object: ObjectInfo; positions: Float32Array }, pull: Pull) => void,
    private on_error: (error: unknown) => void,
  ) {}

  /** Something that the answer depends on has changed. */
  ask(): void {
    this.due = true;
    void this.run();
  }

  /** Another pair is to be drawn; the answer is still the same. */
  draw_more(): void {
    if (!this.running) void this.run(true);
  }

  pose(id: number, pose: Pose): void {
    this.moved.set(id, pose);
    this.ask();
  }

  /** Of several pulls that wait the last one counts, and one that is done is never left out. */
  pull(pull: Pull): void {
    const last = this.pulls.at(-1);
    if (last && !last.done) this.pulls.pop();
    this.pulls.push(pull);
    this.ask();
  }

  /** Poses that are not told yet belong to objects that are there no more. */
  forget(): void {
    this.moved.clear();
    this.pulls = [];
  }

  /** Nothing is asked while `work` goes on; it is asked anew afterwards. */
  async hold<T>(work: () => Promise<T>): Promise<T> {
    ++this.held;
    try {
      await this.settled();
      await this.tell();
      return await work();
    } finally {
      --this.held;
      this.ask();
    }
  }

  /** Resolves when no question is out or due. */
  async idle(): Promise<void> {
    while (this.running || (this.due && this.held === 0)) await this.settled();
  }

  private settled(): Promise<void> {
    return this.running ? new Promise((resolve) => this.waiters.push(resolve)) : Promise.resolve();
  }

  private async run(only_draw = false): Promise<void> {
    if (this.running || this.held > 0) return;
    this.running = true;
    this.set_waiting(!only_draw);
    if (only_draw) await this.fetch_solids().catch((error) => this.on_error(error));
    while (this.due && this.held === 0) {
      this.due = false;
      try {
        await this.tell();
        await this.ask_once();
        await this.fetch_solids();
        await this.compare();
      } catch (error) {
        this.on_error(error);
      }
    }
    this.running = false;
    this.set_waiting(false);
    for (const done of this.waiters.splice(0)) done();
  }

  private set_waiting(waiting: boolean): void {
    this.store.state.waiting = waiting;
    this.store.changed("answer");
  }

  /** Tells the engine what people did: the newest poses, the newest pull. */
  private async tell(): Promise<void> {
    if (this.moved.size > 0) {
      const poses = [...this.moved];
      this.moved.clear();
      await this.session.call("pose", { poses });
    }
    for (let pull = this.pulls.shift(); pull; pull = this.pulls.shift())
      this.on_pulled(await this.session.call("pull", pull), pull);
  }

  /** The volumes that a scene's pairs share, one after the other, until something else is due. */
  private async fetch_solids(): Promise<void> {
    const { state } = this.store;
    let told = performance.now();
    for (let next = undrawn_pairs(state)[0]; next && !this.due && this.held === 0; next = undrawn_pairs(state)[0]) {
      this.set_waiting(false);
      const { a, b } = next;
      const asked = { kind: "intersect", a, b, want: kOverlapWanted, solid_resolution: kPairSolid, options: state.result!.options };
      next.asked = true;
      const { solid, spans } = await this.session.call<QueryReply>("query", asked);
      next.solid = solid;
      next.spans = spans;
      if (performance.now() - told < kRedrawEvery && undrawn_pairs(state).length > 0) continue;
      told = performance.now();
      this.store.changed("answer");
    }
  }

  /** Measures the engines, where their times are live, until something else is due. Then one quick engine has its turn
   * all the same, or in a drag none would ever; one that is slow, or not known, waits until nothing is dragged. */
  private async compare(): Promise<void> {
    const { times, pair, result, hello } = this.store.state;
    const [a, b] = pair;
    if (!times.live || !result || !this.store.body(a) || !this.store.body(b) || a === b) return;
    const engines = available_engines(this.store.state).sort((p, q) => this.compared_at(p) - this.compared_at(q));
    for (const row of times.rows) row.old = true;
    let measured = 0;
    for (const engine of engines) {
      const quick = (this.compared.get(engine)?.ms ?? Infinity) < this.quick_ms;
      if (this.held > 0 || !times.live || (quick ? this.due && measured > 0 : this.due || this.coarse)) continue;
      ++measured;
      this.set_waiting(false);
      const began = performance.now();
      const asked = { kind: "times", a, b, engines: [engine], rounds: 1, options: result.options };
      const { answer } = await this.session.call<{ answer: { rows: TimesRow[] } }>("query", asked);
      this.compared.set(engine, { when: ++this.comparisons, ms: performance.now() - began });
      const place = (row: TimesRow): number => hello!.engines.findIndex((e) => e.name === row.engine);
      times.rows = [...times.rows.filter((row) => row.engine !== engine), ...answer.rows].sort((p, q) => place(p) - place(q));
      this.store.changed("times");
    }
    this.store.changed("times");
  }

  private compared_at(engine: string): number {
    return this.compared.get(engine)?.when ?? 0;
  }

  private async ask_once(): Promise<void> {
    const { state } = this.store;
    const ids = subjects(state);
    if (typeof ids === "string" || !this.enabled) {
      state.result = null;
      state.no_answer = typeof ids === "string" ? ids : "";
      this.store.changed("answer");
      return;
    }
    const { kind, options } = state;
    ++this.questions;
    try {
      const ask = (asked: object): Promise<QueryReply> => this.session.call("query", { options, ...asked });
      const drawn = this.coarse && this.solid_ms > kSlowSolid ? { solid_resolution: kCoarseSolid } : {};
      let reply = await ask({ kind, ...members(state, ids), ...drawn });
      if (!("solid_resolution" in drawn)) this.solid_ms = reply.solid?.ms ?? 0;
      // A way out has no picture of what is shared: that comes from the question before it.
      if (kind === "depth" && (reply.answer.volume ?? 0) > 0)
        reply = { ...(await ask({ kind: "intersect", a: ids[0], b: ids[1], want: kOverlapWanted })), answer: reply.answer };
      if (state.kind !== kind) return; // another question is due by now
      state.result = { kind, ids, options, reply };
      state.no_answer = "";
    } catch (error) {
      if (state.kind !== kind) return;
      state.result = null;
      state.no_answer = error instanceof Error ? error.message : String(error);
    }
    this.store.changed("answer");
  }
}

export const available_engines = (state: State): string[] =>
  (state.hello?.engines ?? []).filter((e) => e.available).map((e) => e.name);

/** Of a scene's pairs, those whose shared volume is drawn next: the focused one, then the largest. */
export function undrawn_pairs(state: State): PairDetail[] {
  if (state.result?.kind !== "scene") return [];
  const pairs = [...(state.result.reply.answer.pairs_detail ?? [])].sort((p, q) => (q.volume ?? 0) - (p.volume ?? 0));
  const focused = pairs.filter((p) => p.a === state.focused_pair?.[0] && p.b === state.focused_pair[1]);
  return [...focused, ...pairs.slice(0, kMostSolids)].filter((p) => !p.asked);
}

/** What a question of each kind says beside its kind and options. */
export function members(state: State, ids: number[]): object {
  const [a, b] = ids;
  switch (state.kind) {
    case "intersect":
      return { a, b, want: [...kOverlapWanted, ...(state.shown.forces ? ["forces"] : [])] };
    case "depth":
    case "distance":
      return { a, b };
    case "self":
      return { id: a, want: kOverlapWanted };
    case "layers":
      return { id: a };
    case "contain":
      return { id: a, ...asked_points(state) };
    case "scene":
      return { contacts: true, self: state.scene_self };
  }
}

function asked_points(state: State): object {
  const { of, count } = state.contain;
  const given = state.report?.points;
  if (of === "report" && given) return { points: given.positions.map((x, i) => x + given.origin[i % 3]) };
  return typeof of === "number" && state.bodies.has(of) ? { points_of: of } : { points_in_box: count };
}

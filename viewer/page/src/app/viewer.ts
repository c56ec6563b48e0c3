// The viewer: what people can do, as functions. Panels, keys, the pointer and tests all come in here.

import { Vector3 } from "three";
import type { Session } from "../engine/session.ts";
import type { Box, Hello, Kind, Pose, QueryOptions, TimesRow, Vec3 } from "../engine/types.ts";
import { History, is_pull, type Step } from "../state/history.ts";
import { add, box_of, diagonal, is_usable, widened, world_box } from "../state/math.ts";
import { box_around, ids_of, shares_volume } from "../state/clash.ts";
import { measurements } from "../state/measurements.ts";
import { pair_of, single_object, Store, type Cut, type Shown, type State, type Tool } from "../state/store.ts";
import { Bodies } from "../view/bodies.ts";
import { CutView } from "../view/cut.ts";
import { FilmView } from "../view/film.ts";
import { Gizmo } from "../view/gizmo.ts";
import { Labels } from "../view/labels.ts";
import { Overlay } from "../view/overlay.ts";
import { Stage } from "../view/stage.ts";
import { appear } from "../view/appearance.ts";
import { Asker, available_engines } from "./asker.ts";
import { Keeper } from "./keeper.ts";
import { Library } from "./library.ts";
import { Projector } from "./projector.ts";
import { Puller } from "./puller.ts";

const kHome = new Vector3(-0.55, 0.8, -0.45);

export interface Notices {
  error(message: string): void;
  say(message: string): void;
  /** Progress of something long: `part` 0 to 1, or null when it cannot be told; message null when it has ended. */
  progress(message: string | null, part?: number | null): void;
}

export class Viewer {
  readonly store = new Store();
  readonly stage: Stage;
  readonly bodies: Bodies;
  readonly labels = new Labels();
  readonly overlay: Overlay;
  readonly cut: CutView;
  readonly gizmo: Gizmo;
  readonly puller: Puller;
  readonly asker: Asker;
  readonly projector: Projector;
  readonly history = new History();
  readonly library = new Library(this);
  readonly keeper = new Keeper(this);
  private drag_start: [number, Pose] | null = null;
  private jobs = 0;
  private job_waiters: (() => void)[] = [];

  constructor(readonly session: Session, canvas: HTMLCanvasElement, readonly notices: Notices) {
    this.stage = new Stage(canvas);
    this.bodies = new Bodies(this.stage);
    this.overlay = new Overlay(this.stage, this.bodies, this.labels);
    this.cut = new CutView(this.stage);
    this.gizmo = new Gizmo(this.stage, {
      begin: () => this.begin_move(),
      move: (pose) => this.move_to(pose),
      end: () => this.end_move(),
    });
    this.puller = new Puller(this);
    this.asker = new Asker(session, this.store, (reply, pull) => this.puller.pulled(reply, pull), (e) => this.report_error(e));
    this.projector = new Projector(
      session, new FilmView(this.stage), () => this.film_changed(), (e) => this.report_error(e),
    );
    this.stage.after.push(() => this.labels.place(this.stage.camera, this.stage.size.width, this.stage.size.height));
    this.store.on((changes) => {
      if (changes.has("objects") || changes.has("selection") || changes.has("display") || changes.has("pose")) this.place_gizmo();
      canvas.parentElement!.dataset.tool = this.state.tool;
      if (changes.has("answer") || changes.has("display") || changes.has("objects") || changes.has("selection")) this.redraw();
    });
  }

  get state() {
    return this.store.state;
  }

  report_error(error: unknown): void {
    this.notices.error(error instanceof Error ? error.message : String(error));
  }

  /** Runs something that talks to the engine; what goes wrong is shown. */
  async job<T>(message: string | null, work: () => Promise<T>): Promise<T | undefined> {
    ++this.jobs;
    if (message) this.notices.progress(message, null);
    try {
      return await this.asker.hold(work);
    } catch (error) {
      this.report_error(error);
      return undefined;
    } finally {
      if (--this.jobs === 0) {
        this.notices.progress(null);
        for (const done of this.job_waiters.splice(0)) done();
      }
    }
  }

  /** Resolves when nothing is pending: no work, no question, no flight of the camera. */
  async idle(): Promise<void> {
    for (;;) {
      if (this.jobs > 0) await new Promise<void>((resolve) => this.job_waiters.push(resolve));
      await this.asker.idle();
      await this.projector.idle();
      await this.session.idle();
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      if (this.jobs === 0 && !this.session.busy && !this.stage.flying) return;
    }
  }

  // --- start

  async greet(): Promise<void> {
    this.state.hello = await this.session.call<Hello>("hello");
    this.store.changed("question", "objects", "display");
    this.asker.ask();
  }

  set_visible(id: number, visible: boolean): void {
    const body = this.store.body(id);
    if (!body) return;
    body.visible = visible;
    this.store.changed("objects", "display");
  }

  color(id: number, color: string): void {
    const body = this.store.body(id);
    if (!body) return;
    body.color = color;
    this.bodies.views.get(id)?.set_color(color);
    this.store.changed("objects", "display");
  }

  /** The box of all objects where they are, or null when there are none. */
  bounds(ids = [...this.state.bodies.keys()]): Box | null {
    const boxes = ids
      .map((id) => this.state.bodies.get(id)!)
      .filter((b) => b && is_usable(b.info.bounds))
      .map((b) => world_box(b.info.pose, b.info.bounds));
    const corners = boxes.flatMap((b) => [b.min, b.max]);
    if (ids.length === this.state.bodies.size) corners.push(...this.report_points());
    return corners.length === 0 ? null : box_of(corners);
  }

  /** The corners of the box of the points that a report asks about. */
  private report_points(): Vec3[] {
    const points = this.state.report?.points;
    if (!points) return [];
    const box = box_of(Array.from({ length: points.positions.length / 3 }, (_, i): Vec3 => {
      const [x, y, z] = points.positions.subarray(3 * i, 3 * i + 3);
      return [x, y, z];
    }).filter((p) => p.every(Number.isFinite)));
    return is_usable(box) ? [add(box.min, points.origin), add(box.max, points.origin)] : [];
  }

  bounds_changed(): void {
    const box = this.projector.film?.bounds ?? this.bounds();
    if (box) this.stage.set_bounds(box);
  }

  // --- selection and the question

  select(ids: number[]): void {
    const { state } = this;
    state.selection = ids.filter((id) => state.bodies.has(id));
    const old = state.pair;
    state.pair = pair_of(state.selection, old, [...state.bodies.keys()], single_object(state.kind));
    this.store.changed("selection", "display");
    if (old[0] !== state.pair[0] || old[1] !== state.pair[1]) this.asker.ask();
  }

  /** Adds to the selection, or takes from it. */
  toggle(id: number): void {
    const { selection } = this.state;
    this.select(selection.includes(id) ? selection.filter((s) => s !== id) : [...selection, id].slice(-2));
  }

  set_pair(pair: [number | null, number | null]): void {
    this.state.pair = pair;
    this.store.changed("question");
    this.asker.ask();
  }

  set_kind(kind: Kind): void {
    if (this.state.kind === kind) return;
    const { state } = this;
    state.kind = kind;
    state.pair = pair_of(state.selection, state.pair, [...state.bodies.keys()], single_object(kind));
    state.result = null;
    state.focused_pair = null;
    this.store.changed("question", "answer");
    this.asker.ask();
  }

  set_options(options: QueryOptions): void {
    this.state.options = options;
    this.store.changed("question");
    this.asker.ask();
  }

  set_contain(contain: State["contain"]): void {
    this.state.contain = contain;
    this.store.changed("question");
    this.asker.ask();
  }

  set_scene_self(self: boolean): void {
    this.state.scene_self = self;
    this.store.changed("question");
    this.asker.ask();
  }

  show(shown: Partial<Shown>): void {
    Object.assign(this.state.shown, shown);
    if (shown.grid !== undefined) this.stage.show_grid(shown.grid);
    if (shown.wires !== undefined) for (const view of this.bodies.views.values()) view.show_wires(shown.wires);
    this.store.changed("display");
    if (shown.forces) this.asker.ask();
  }

  set_cut(cut: Partial<Cut>): void {
    Object.assign(this.state.cut, cut);
    this.store.changed("display");
  }

  set_layer(layer: number): void {
    this.state.layer = layer;
    this.store.changed("display");
  }

  set_tool(tool: Tool): void {
    this.state.tool = tool;
    this.puller.let_go();
    this.store.changed("selection");
  }

  measurements(): object | null {
    return measurements(this.state);
  }

  async compare_engines(rounds: number): Promise<void> {
    const [a, b] = this.state.pair;
    const engines = available_engines(this.state);
    const reply = await this.job("Comparing engines", () =>
      this.session.call<{ answer: { rows: TimesRow[] } }>("query", {
        kind: "times", a, b, engines, rounds, options: this.state.options,
      }),
    );
    this.state.times.rows = reply?.answer.rows ?? [];
    this.store.changed("times");
  }

  /** Whether the comparison of engines follows each answer. */
  set_times_live(live: boolean): void {
    this.state.times.live = live;
    this.store.changed("times");
    if (live) this.asker.ask();
  }

  // --- moves

  private begin_move(): void {
    const body = this.store.primary;
    this.drag_start = body ? [body.info.id, body.info.pose] : null;
    this.asker.coarse = true;
  }

  private move_to(pose: Pose): void {
    if (this.drag_start) this.set_poses([[this.drag_start[0], pose]], false);
  }

  private end_move(): void {
    if (!this.drag_start) return;
    const [id, before] = this.drag_start;
    this.drag_start = null;
    this.asker.coarse = false;
    this.asker.ask();
    const after = this.store.body(id)?.info.pose;
    if (after) this.history.push({ before: [[id, before]], after: [[id, after]] });
    this.bounds_changed();
    this.store.changed("history", "display");
  }

  /** `kept`: can be undone. */
  set_poses(poses: [number, Pose][], kept: boolean): void {
    const before: [number, Pose][] = [];
    for (const [id, pose] of poses) {
      const body = this.store.body(id);
      if (!body) continue;
      before.push([id, body.info.pose]);
      body.info = { ...body.info, pose };
      this.bodies.views.get(id)?.place(pose);
      this.asker.pose(id, pose);
    }
    if (kept) {
      this.history.push({ before, after: poses });
      this.bounds_changed();
      this.store.changed("history");
    }
    this.stage.invalidate();
    this.store.changed("pose", ...(this.state.cut.on ? (["display"] as const) : []));
  }

  undo(): void {
    this.take(this.history.undo(), "before");
  }
  redo(): void {
    this.take(this.history.redo(), "after");
  }

  private take(step: Step | null, side: "before" | "after"): void {
    if (!step) return;
    if (is_pull(step)) void this.puller.take(step, side);
    else this.set_poses(step[side], false);
    this.bounds_changed();
    this.store.changed("history");
  }

  // --- the view

  private place_gizmo(): void {
    const { tool } = this.state;
    const mode = tool === "move" ? "translate" : tool === "turn" ? "rotate" : null;
    this.gizmo.attach(this.projector.film ? null : (this.store.primary ?? null), mode);
  }

  private redraw(): void {
    const { state } = this;
    const film = this.projector.film !== null;
    this.bodies.group.visible = !film;
    const views = appear(state, this.bodies, (id) => this.library.open_edges(id));
    if (film) {
      this.overlay.clear();
    } else {
      this.cut.place(state.cut, this.stage.bounds);
      this.overlay.update(state, this.cut.planes);
      this.cut.close(views, this.overlay.overlap);
    }
    for (const { view } of views) view.mesh.material.set_planes(this.cut.planes);
    this.stage.invalidate();
  }

  fit_all(fly = true, looking?: Vector3): void {
    if (this.projector.film) return this.fit_film();
    const box = this.bounds();
    if (box) this.stage.fit(box, looking ?? (fly ? undefined : kHome), fly);
  }

  fit_film(): void {
    const film = this.projector.film;
    if (!film?.bounds) return;
    this.stage.recenter(film.bounds);
    this.stage.set_bounds(film.bounds);
    this.stage.fit(film.bounds, film.looking ? new Vector3(...film.looking) : kHome, false);
  }

  fit_selection(): void {
    const { selection } = this.state;
    const box = selection.length > 0 ? this.bounds(selection) : this.bounds();
    if (box) this.stage.fit(box);
  }

  look_along(looking: Vector3): void {
    // Straight up or down the camera would not know which way is up.
    if (Math.abs(looking.z) > 0.999) looking = new Vector3(0, 0.001, looking.z);
    this.fit_all(true, looking);
  }

  zoom_to_pair(a: number, b: number): void {
    const pair = this.state.result?.reply.answer.pairs_detail?.find((p) => p.a === a && p.b === b);
    this.state.focused_pair = [a, b];
    this.state.selection = [a, b];
    this.store.changed("selection", "display");
    if (!pair) return;
    if (!pair.asked) this.asker.draw_more();
    this.stage.fit(widened(pair.bounds, 0.5 * diagonal(pair.bounds)));
  }

  /** Looks at a pair of a clash report, as its picture does, and measures it. */
  show_clash(index: number): void {
    const { state } = this;
    const pair = state.report?.clash?.pairs[index];
    if (!state.report || !pair) return;
    state.clash_pair = index;
    const ids = ids_of(state.report, pair, state.bodies);
    state.focused_pair = ids;
    state.selection = ids ?? [];
    if (ids) {
      state.kind = shares_volume(pair) ? "intersect" : "distance";
      state.pair = ids;
      state.result = null;
      this.asker.ask();
    }
    this.store.changed("selection", "question", "display", "answer");
    this.stage.fit(box_around(pair.target, pair.reach), new Vector3(...pair.looking));
  }

  // --- simulations

  async simulate(name: string): Promise<void> {
    await this.job(`Starting ${name}`, async () => {
      this.asker.enabled = false;
      this.state.result = null;
      try {
        await this.projector.start(name);
      } finally {
        this.asker.enabled = this.projector.film === null;
      }
      this.fit_film();
      this.store.changed("objects", "selection", "display", "answer");
    });
  }

  async end_film(): Promise<void> {
    await this.job(null, async () => {
      await this.leave_film();
      this.fit_all(false);
    });
  }

  /** Back from a film to the objects. */
  async leave_film(): Promise<void> {
    if (!this.projector.film) return;
    await this.projector.end();
    const box = this.bounds();
    if (box) this.stage.recenter(box);
    for (const [id, view] of this.bodies.views) view.place(this.store.body(id)!.info.pose);
    this.bounds_changed();
    this.store.changed("objects", "selection", "display", "answer");
  }

  private film_changed(): void {
    this.asker.enabled = this.projector.film === null;
    this.store.changed("camera");
  }
}

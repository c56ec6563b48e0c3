// The viewer: what people can do, as functions. Panels, keys, the pointer and tests all come in here.

import { Vector3 } from "three";
import type { Session } from "../engine/session.ts";
import type {
  Box, Hello, HolesReply, Kind, MeshReply, ObjectInfo, Pose, QueryOptions, Report, StateReply, TimesRow,
  Vec3,
} from "../engine/types.ts";
import { History } from "../state/history.ts";
import { options_of, to_hash, view_state, type LinkState, type ViewState } from "../state/link.ts";
import { hole_groups } from "../state/holes.ts";
import { add, box_of, diagonal, is_usable, kIdentity, to_world, widened, world_box } from "../state/math.ts";
import { measurements } from "../state/measurements.ts";
import { bytes_text, plural } from "../state/numbers.ts";
import { is_saved_view, pack, unpack } from "../state/saved.ts";
import { pair_of, Store, type Cut, type Shown, type State, type Tool } from "../state/store.ts";
import { Bodies, BodyView } from "../view/bodies.ts";
import { kBodyColors } from "../view/colors.ts";
import { CutView } from "../view/cut.ts";
import { FilmView } from "../view/film.ts";
import { Gizmo, PullMarker } from "../view/gizmo.ts";
import { Labels } from "../view/labels.ts";
import { Overlay } from "../view/overlay.ts";
import { Stage } from "../view/stage.ts";
import { Asker } from "./asker.ts";
import { Projector } from "./projector.ts";

/** Faces of one object that are drawn; the engine has all of them. */
const kMostDrawn = 2_000_000;

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
  private marker: PullMarker;
  readonly asker: Asker;
  readonly projector: Projector;
  readonly history = new History();
  private drag_start: [number, Pose] | null = null;
  private jobs = 0;
  private job_waiters: (() => void)[] = [];
  private holes = new Map<number, HolesReply>();

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
    this.marker = new PullMarker(this.stage);
    this.asker = new Asker(session, this.store, (r) => this.pulled(r), (e) => this.report_error(e));
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
  private async job<T>(message: string | null, work: () => Promise<T>): Promise<T | undefined> {
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

  /** What the engine has already: of `lamella view`, or of a report. */
  async adopt(reply: StateReply): Promise<void> {
    await this.forget_objects();
    const view = view_state(reply.view);
    this.state.report = reply.report;
    await this.add_objects(reply.objects, view.camera === undefined);
    if (reply.report) this.adopt_report(reply.report);
    this.adopt_view(view);
    this.store.changed("objects", "selection", "question", "display");
  }

  private adopt_report(report: Report): void {
    const { state } = this;
    const kinds: Kind[] = ["intersect", "self", "scene", "depth", "contain", "layers"];
    const kind = kinds.find((k) => k === report.kind);
    if (kind) state.kind = kind;
    if (report.options) state.options = options_of(report.options);
    const ids = (report.objects ?? []).filter((id) => state.bodies.has(id));
    state.pair = pair_of(ids.slice(0, 2), [null, null], [...state.bodies.keys()]);
    if (kind === "contain") state.contain.of = ids.length > 1 ? ids[1] : report.points ? "report" : "box";
    if (!kind && ids.length === 1) state.kind = "self";
    if (report.frames) {
      this.projector.play_report(report.title ?? report.command, report.frames);
      this.fit_film();
    }
  }

  private adopt_view(view: Partial<ViewState>): void {
    const { state } = this;
    const ids = [...state.bodies.keys()];
    if (view.kind) state.kind = view.kind;
    if (view.options) state.options = view.options;
    if (view.shown) Object.assign(state.shown, view.shown);
    if (view.cut) state.cut = view.cut;
    for (const place of view.hidden ?? []) {
      const body = state.bodies.get(ids[place]);
      if (body) body.visible = false;
    }
    view.colors?.forEach((color, place) => {
      const body = state.bodies.get(ids[place]);
      if (body && color) this.color(body.info.id, color);
    });
    if (view.pair) {
      const [a, b] = view.pair.map((place) => (place === null ? null : (ids[place] ?? null)));
      state.pair = pair_of([], [a, b], ids);
    }
    if (view.camera) this.stage.set_camera_state(view.camera);
  }

  private async forget_objects(): Promise<void> {
    if (this.projector.film) await this.projector.end();
    this.asker.forget();
    this.bodies.clear();
    this.holes.clear();
    this.history.clear();
    Object.assign(this.state, { bodies: new Map(), selection: [], pair: [null, null], result: null, report: null, focused_pair: null });
    this.overlay.clear();
  }

  // --- objects

  /** Draws objects that the engine has added. */
  private async add_objects(objects: ObjectInfo[], fit = true): Promise<number[]> {
    const { state } = this;
    const first = state.bodies.size === 0;
    for (const info of objects) {
      const color = kBodyColors[state.bodies.size % kBodyColors.length];
      state.bodies.set(info.id, { info, visible: true, color });
    }
    if (first && objects.length > 0) this.stage.recenter(this.bounds() ?? { min: [-1, -1, -1], max: [1, 1, 1] });
    for (const [i, info] of objects.entries()) {
      if (objects.length > 8) this.notices.progress(`Drawing ${info.name}`, i / objects.length);
      await this.draw_object(info.id);
    }
    state.pair = pair_of(state.selection, state.pair, [...state.bodies.keys()]);
    this.bounds_changed();
    if (fit) this.fit_all(!first);
    this.store.changed("objects", "selection");
    return objects.map((o) => o.id);
  }

  private async draw_object(id: number): Promise<void> {
    const body = this.store.body(id);
    if (!body) return;
    const reply = await this.session.call<MeshReply>("mesh", { id, most_faces: kMostDrawn });
    const view = new BodyView(id, this.stage, reply, reply.origin, body.color);
    view.place(body.info.pose);
    this.bodies.add(view);
    await this.find_holes(id);
  }

  private async find_holes(id: number): Promise<void> {
    const info = this.store.body(id)?.info;
    this.holes.delete(id);
    if (!info || info.open_edges + info.nonmanifold_edges === 0) return;
    this.holes.set(id, await this.session.call<HolesReply>("holes", { id }));
  }

  /** Where a mesh is open, the largest hole first: boxes in the world, with some room around them. */
  hole_places(id: number): { box: Box; edges: number }[] {
    const reply = this.holes.get(id);
    const body = this.store.body(id);
    if (!reply || !body) return [];
    const { group, count } = hole_groups(reply.edges);
    const points: Vec3[][] = Array.from({ length: count }, () => []);
    for (let i = 0; i < group.length; ++i)
      for (const end of [0, 3]) {
        const p = reply.edges.subarray(6 * i + end, 6 * i + end + 3);
        points[group[i]].push(to_world(body.info.pose, add([p[0], p[1], p[2]], body.info.origin)));
      }
    const room = 0.02 * diagonal(body.info.bounds);
    return points
      .map((hole) => ({ box: widened(box_of(hole), room), edges: hole.length / 2 }))
      .sort((a, b) => b.edges - a.edges);
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

  private bounds_changed(): void {
    const box = this.projector.film?.bounds ?? this.bounds();
    if (box) this.stage.set_bounds(box);
  }

  async open_files(files: File[]): Promise<number[]> {
    const { hello } = this.state;
    const added: number[] = [];
    await this.job("Reading", async () => {
      if (this.projector.film) await this.projector.end();
      for (const file of files) {
        try {
          if (hello && file.size > hello.most_bytes) {
            throw new Error(
              `${file.name} has ${bytes_text(file.size)}; ${hello.native ? "this program" : "a page"} takes files of up to ` +
                `${bytes_text(hello.most_bytes)}.` + (hello.native ? "" : " `lamella view` reads larger ones."),
            );
          }
          added.push(...(await this.open_file(file)));
        } catch (error) {
          this.report_error(error); // the other files may be good
        }
      }
    });
    return added;
  }

  private async open_file(file: File): Promise<number[]> {
    const bytes = await this.read(file);
    this.notices.progress(`Opening ${file.name}`, null);
    if (is_saved_view(bytes)) {
      await this.load_now(bytes);
      return [...this.state.bodies.keys()];
    }
    const { objects } = await this.session.call<{ objects: ObjectInfo[] }>("open", { name: file.name, file: bytes });
    const ids = await this.add_objects(objects);
    if (ids.length > 1 && this.state.kind === "intersect" && this.state.bodies.size > 2) this.state.kind = "scene";
    return ids;
  }

  private async read(file: File): Promise<Uint8Array> {
    let bytes: Uint8Array;
    try {
      bytes = new Uint8Array(file.size);
      let at = 0;
      for (const reader = file.stream().getReader(); ; ) {
        const { done, value } = await reader.read();
        if (done) break;
        bytes.set(value, at);
        at += value.length;
        this.notices.progress(`Reading ${file.name}`, file.size > 0 ? at / file.size : null);
      }
    } catch (error) {
      throw new Error(`${file.name} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
    }
    return bytes;
  }

  async add_models(models: { name: string; faces?: number; pose?: Pose }[]): Promise<number[]> {
    return (
      (await this.job(`Making ${models.map((m) => m.name).join(", ")}`, async () => {
        if (this.projector.film) await this.projector.end();
        const objects: ObjectInfo[] = [];
        for (const model of models)
          objects.push(...(await this.session.call<{ objects: ObjectInfo[] }>("model", model)).objects);
        return this.add_objects(objects);
      })) ?? []
    );
  }

  async copy(id: number): Promise<void> {
    await this.job(null, async () => {
      const { objects } = await this.session.call<{ objects: ObjectInfo[] }>("copy", { id });
      const ids = await this.add_objects(objects, false);
      this.select(ids);
    });
  }

  async remove(ids: number[]): Promise<void> {
    if (ids.length === 0) return;
    await this.job(null, async () => {
      await this.session.call("remove", { ids });
      const { state } = this;
      for (const id of ids) {
        state.bodies.delete(id);
        this.bodies.remove(id);
        this.holes.delete(id);
      }
      state.selection = state.selection.filter((id) => state.bodies.has(id));
      state.pair = pair_of(state.selection, state.pair, [...state.bodies.keys()]);
      state.result = null;
      state.focused_pair = null;
      this.history.clear(); // steps may be of what was removed
      this.bounds_changed();
      this.store.changed("objects", "selection", "history");
    });
  }

  /** The mesh is another one now: draw it again. */
  private async object_changed(info: ObjectInfo): Promise<void> {
    const body = this.store.body(info.id);
    if (!body) return;
    body.info = info;
    await this.draw_object(info.id);
    this.bounds_changed();
    this.store.changed("objects");
  }

  async reset(id: number): Promise<void> {
    await this.job(null, async () => {
      const { object } = await this.session.call<{ object: ObjectInfo }>("reset", { id });
      await this.object_changed(object);
      const before = this.store.body(id)!.info.pose;
      if (before.some((x, i) => x !== kIdentity[i])) this.set_poses([[id, kIdentity]], true);
    });
  }

  async repair(id: number): Promise<Record<string, number> | undefined> {
    return this.job(`Repairing ${this.store.name(id)}`, async () => {
      const { object, report } = await this.session.call<{ object: ObjectInfo; report: Record<string, number> }>("repair", { id });
      await this.object_changed(object);
      this.notices.say(repair_text(object.name, report));
      return report;
    });
  }

  async rename(id: number, name: string): Promise<void> {
    await this.job(null, async () => {
      const { object } = await this.session.call<{ object: ObjectInfo }>("rename", { id, name });
      this.store.body(id)!.info = object;
      this.store.changed("objects");
    });
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

  // --- selection and the question

  select(ids: number[]): void {
    const { state } = this;
    state.selection = ids.filter((id) => state.bodies.has(id));
    const old = state.pair;
    state.pair = pair_of(state.selection, old, [...state.bodies.keys()]);
    this.store.changed("selection", "display");
    if (old[0] !== state.pair[0] || old[1] !== state.pair[1] || state.kind === "self") this.asker.ask();
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
    this.state.kind = kind;
    this.state.result = null;
    this.state.focused_pair = null;
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
    this.store.changed("selection");
  }

  async times(rounds: number): Promise<TimesRow[]> {
    const [a, b] = this.state.pair;
    const engines = (this.state.hello?.engines ?? []).filter((e) => e.available).map((e) => e.name);
    const reply = await this.job("Comparing engines", () =>
      this.session.call<{ answer: { rows: TimesRow[] } }>("query", {
        kind: "times", a, b, engines, rounds, options: this.state.options,
      }),
    );
    return reply?.answer.rows ?? [];
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
    const poses = this.history.undo();
    if (poses) this.set_poses(poses, false);
    this.bounds_changed();
    this.store.changed("history");
  }
  redo(): void {
    const poses = this.history.redo();
    if (poses) this.set_poses(poses, false);
    this.bounds_changed();
    this.store.changed("history");
  }

  // --- pulls

  /** Why an object's vertices cannot be pulled, or null. */
  cannot_pull(id: number): string | null {
    return this.bodies.views.get(id)?.simplified
      ? "This object is drawn with fewer faces than it has, so its vertices cannot be pulled."
      : null;
  }

  pull(id: number, vertex: number, to: [number, number, number], done: boolean): void {
    const body = this.store.body(id);
    if (!body) return;
    const radius = this.state.pull_radius * diagonal(body.info.bounds);
    this.asker.coarse = !done;
    this.asker.pull({ id, vertex, to, radius, done });
    if (done) this.marker.hide();
    else this.marker.show(this.stage.at(to_world(body.info.pose, to)), radius);
  }

  private pulled(reply: { object: ObjectInfo; positions: Float32Array }): void {
    const body = this.store.body(reply.object.id);
    const view = this.bodies.views.get(reply.object.id);
    if (!body || !view) return;
    body.info = { ...reply.object, pose: body.info.pose };
    view.surface.move(reply.positions);
    this.stage.invalidate();
    this.store.changed("objects");
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
    const views = [...this.bodies.views.values()].flatMap((view) => {
      const body = state.bodies.get(view.id);
      if (!body) return [];
      view.group.visible = body.visible;
      const glass = this.is_glass(view.id);
      view.mesh.material.set_glass(glass, this.is_subject(view.id) ? 0.2 : 0.1, this.is_subject(view.id) ? 0.7 : 0.4);
      view.mesh.material.set_selected(state.selection.includes(view.id));
      view.show_holes(state.shown.edges ? (this.holes.get(view.id) ?? null) : null);
      return body.visible ? [{ view, color: body.color }] : [];
    });
    if (film) {
      this.overlay.clear();
    } else {
      this.cut.update(state.cut, this.stage.bounds, [], null);
      this.overlay.update(state, this.cut.planes);
      this.cut.update(state.cut, this.stage.bounds, views, this.overlay.overlap);
    }
    for (const { view } of views) view.mesh.material.set_planes(this.cut.planes);
    this.stage.invalidate();
  }

  private is_subject(id: number): boolean {
    const { result, kind, pair } = this.state;
    return kind === "scene" ? true : (result?.ids.includes(id) ?? pair.includes(id));
  }

  /** Objects are like glass where what is inside is the answer. */
  private is_glass(id: number): boolean {
    const { shown, kind, result } = this.state;
    if (shown.surface !== "auto") return shown.surface === "glass";
    if (kind === "distance") return false;
    if (kind === "layers" || kind === "contain") return true;
    if (kind === "scene") return (result?.reply.answer.pairs_detail?.length ?? 0) > 0;
    return this.state.bodies.size > 1 || (kind === "self" && this.is_subject(id));
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
    this.stage.fit(widened(pair.bounds, 0.5 * diagonal(pair.bounds)));
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
      await this.projector.end();
      this.asker.enabled = true;
      const box = this.bounds();
      if (box) this.stage.recenter(box);
      for (const [id, view] of this.bodies.views) view.place(this.store.body(id)!.info.pose);
      this.bounds_changed();
      this.fit_all(false);
      this.store.changed("objects", "selection", "display", "answer");
    });
  }

  private film_changed(): void {
    this.asker.enabled = this.projector.film === null;
    this.store.changed("camera");
  }

  // --- measurements, files, links

  measurements(): object | null {
    return measurements(this.state);
  }

  view_state(): ViewState {
    const { state } = this;
    const ids = [...state.bodies.keys()];
    const place = (id: number | null): number | null => (id === null ? null : ids.indexOf(id));
    return {
      camera: this.stage.camera_state(),
      kind: state.kind,
      pair: [place(state.pair[0]), place(state.pair[1])],
      options: state.options,
      shown: state.shown,
      cut: state.cut,
      hidden: ids.flatMap((id, i) => (state.bodies.get(id)!.visible ? [] : [i])),
      colors: ids.map((id) => state.bodies.get(id)!.color),
    };
  }

  /** The state as the end of an address, or a sentence that says why it does not fit into one. */
  link(): { hash: string } | { why: string } {
    const models: LinkState["models"] = [];
    for (const { info } of this.state.bodies.values()) {
      if (!("model" in info.source)) return { why: `${info.name} comes from a file: save the view to a file instead.` };
      if (info.deformed) return { why: `${info.name} was deformed: save the view to a file instead.` };
      const title = info.name === info.source.model ? {} : { title: info.name };
      models.push({ name: info.source.model, faces: info.source.faces, pose: info.pose, ...title });
    }
    const simulation = this.projector.film?.live ? this.projector.film.name : undefined;
    return { hash: to_hash({ ...this.view_state(), models, simulation }) };
  }

  async follow_link(link: LinkState): Promise<void> {
    await this.job("Opening the link", async () => {
      await this.forget_objects();
      const objects: ObjectInfo[] = [];
      for (const { name, faces, pose, title } of link.models) {
        const made = (await this.session.call<{ objects: ObjectInfo[] }>("model", { name, faces, pose })).objects;
        for (const object of made) {
          const named = title === undefined ? object :
            (await this.session.call<{ object: ObjectInfo }>("rename", { id: object.id, name: title })).object;
          objects.push(named);
        }
      }
      await this.add_objects(objects, link.camera === undefined);
      this.adopt_view(link);
      this.store.changed("objects", "selection", "question", "display");
    });
    if (link.simulation) await this.simulate(link.simulation);
  }

  async save(): Promise<Uint8Array | undefined> {
    return this.job("Saving", async () => {
      const { file } = await this.session.call<{ file: Uint8Array }>("save", { view: this.view_state() });
      return is_saved_view(file) ? file : pack(file);
    });
  }

  private async load_now(bytes: Uint8Array): Promise<void> {
    const file = is_saved_view(bytes) && !this.state.hello?.native ? await unpack(bytes) : bytes;
    await this.adopt(await this.session.call<StateReply>("load", { file }));
  }

  async load(bytes: Uint8Array, message = "Opening"): Promise<void> {
    await this.job(message, () => this.load_now(bytes));
  }

  async adopt_engine_state(): Promise<void> {
    await this.job("Loading", async () => this.adopt(await this.session.call<StateReply>("state")));
  }
}

/** What a repair did, in a sentence. */
export function repair_text(name: string, report: Record<string, number>): string {
  const done: string[] = [];
  const say = (key: string, words: (n: number) => string): void => {
    if (report[key] > 0) done.push(words(report[key]));
  };
  say("welded_vertices", (n) => `welded ${plural(n, "vertex", "vertices")}`);
  say("degenerate_faces", (n) => `removed ${plural(n, "face")} without area`);
  say("doubled_faces", (n) => `removed ${plural(n, "doubled face")}`);
  say("unusable_faces", (n) => `removed ${plural(n, "unusable face")}`);
  say("turned_faces", (n) => `turned ${plural(n, "face")}`);
  say("turned_shells", (n) => `turned ${plural(n, "part")} inside out`);
  say("closed_holes", (n) => `closed ${plural(n, "hole")}`);
  const rest = report.open_edges > 0 ? ` ${plural(report.open_edges, "edge")} stay open.` : "";
  return `${name}: ${done.length > 0 ? done.join(", ") : "nothing to repair"}.${rest}`;
}

// What is kept and comes back: saved views, reports, links.

import type { OnSent } from "../engine/port.ts";
import type { Kind, QueryOptions, Report, StateReply } from "../engine/types.ts";
import { options_here } from "../state/engines.ts";
import { to_hash, view_state, type LinkState, type ViewState } from "../state/link.ts";
import { report_of } from "../state/report.ts";
import { is_saved_view, pack, unpack } from "../state/saved.ts";
import { pair_of, type State } from "../state/store.ts";
import type { Viewer } from "./viewer.ts";

export class Keeper {
  constructor(private viewer: Viewer) {}

  /** What the engine has already: of `lamella view`, or of a report. */
  private async adopt(reply: StateReply): Promise<void> {
    await this.viewer.library.forget_all();
    const view = view_state(reply.view);
    const report = report_of(reply.report);
    this.viewer.state.report = report;
    await this.viewer.library.add_objects(reply.objects, view.camera === undefined);
    if (report) this.adopt_report(report);
    this.adopt_view(view);
    this.viewer.store.changed("objects", "selection", "question", "display");
    if (report?.clash && view.camera === undefined) this.viewer.show_clash(0);
  }

  /** An engine that is not here is left out, and named beside the answer. */
  private adopt_options(given: QueryOptions): void {
    const { state } = this.viewer;
    const { options, missing } = options_here(given, state.hello);
    state.options = options;
    state.missing_engine = missing;
  }

  private adopt_report(report: Report): void {
    const { state } = this.viewer;
    const kinds: Kind[] = ["intersect", "self", "scene", "depth", "contain", "layers"];
    const kind = kinds.find((k) => k === report.kind);
    if (kind) state.kind = kind;
    const { self, ...options } = (report.options ?? {}) as QueryOptions & { self?: unknown };
    this.adopt_options(options);
    state.scene_self = self === true;
    const ids = (report.objects ?? []).filter((id) => state.bodies.has(id));
    state.pair = pair_of(ids.slice(0, 2), [null, null], [...state.bodies.keys()]);
    if (kind === "contain") state.contain.of = ids.length > 1 ? ids[1] : report.points ? "report" : "box";
    if (!kind && ids.length === 1) state.kind = "self";
    state.clash_pair = null;
    if (report.clash) state.tool = "select"; // there is nothing to move, and handles would hide small things
    if (report.frames) {
      this.viewer.projector.play_report(report.title ?? report.command, report.frames);
      this.viewer.fit_film();
    }
  }

  private adopt_view(view: Partial<ViewState>): void {
    const { state } = this.viewer;
    const ids = [...state.bodies.keys()];
    if (view.kind) state.kind = view.kind;
    if (view.options) this.adopt_options(view.options);
    if (view.shown) this.viewer.show(view.shown);
    if (view.cut) state.cut = view.cut;
    if (view.layer !== undefined) state.layer = view.layer;
    if (view.scene_self !== undefined) state.scene_self = view.scene_self;
    if (view.contain) state.contain = this.adopted_contain(view.contain, ids);
    for (const place of view.hidden ?? []) {
      const body = state.bodies.get(ids[place]);
      if (body) body.visible = false;
    }
    view.colors?.forEach((color, place) => {
      const body = state.bodies.get(ids[place]);
      if (body && color) this.viewer.color(body.info.id, color);
    });
    if (view.pair) {
      const [a, b] = view.pair.map((place) => (place === null ? null : (ids[place] ?? null)));
      state.pair = pair_of([], [a, b], ids);
    }
    if (view.camera) this.viewer.stage.set_camera_state(view.camera);
  }

  /** With an id in place of a place; of what is not there the box remains. */
  private adopted_contain({ of, count }: State["contain"], ids: number[]): State["contain"] {
    if (typeof of === "number") return { of: ids[of] ?? "box", count };
    return { of: of === "report" && !this.viewer.state.report?.points ? "box" : of, count };
  }

  view_state(): ViewState {
    const { state } = this.viewer;
    const ids = [...state.bodies.keys()];
    const { of, count } = state.contain;
    const place = (id: number | null): number | null => (id === null ? null : ids.indexOf(id));
    return {
      camera: this.viewer.stage.camera_state(),
      kind: state.kind,
      pair: [place(state.pair[0]), place(state.pair[1])],
      options: state.options,
      shown: state.shown,
      cut: state.cut,
      layer: state.layer,
      scene_self: state.scene_self,
      contain: { of: typeof of !== "number" ? of : state.bodies.has(of) ? ids.indexOf(of) : "box", count },
      hidden: ids.flatMap((id, i) => (state.bodies.get(id)!.visible ? [] : [i])),
      colors: ids.map((id) => state.bodies.get(id)!.color),
    };
  }

  /** The state as the end of an address, or a sentence that says why it does not fit into one. */
  link(): { hash: string } | { why: string } {
    const models: LinkState["models"] = [];
    for (const { info } of this.viewer.state.bodies.values()) {
      if (!("model" in info.source)) return { why: `${info.name} comes from a file: save the view to a file instead.` };
      if (info.deformed) return { why: `${info.name} was deformed: save the view to a file instead.` };
      const title = info.name === info.source.model ? {} : { title: info.name };
      models.push({ name: info.source.model, faces: info.source.faces, pose: info.pose, ...title });
    }
    const simulation = this.viewer.projector.film?.live ? this.viewer.projector.film.name : undefined;
    return { hash: to_hash({ ...this.view_state(), models, simulation }) };
  }

  async follow_link(link: LinkState): Promise<void> {
    await this.viewer.job("Opening the link", async () => {
      await this.viewer.library.forget_all();
      await this.empty_engine();
      const objects = await this.viewer.library.make_models(link.models);
      await this.viewer.library.add_objects(objects, link.camera === undefined);
      this.adopt_view(link);
      this.viewer.store.changed("objects", "selection", "question", "display");
    });
    if (link.simulation) await this.viewer.simulate(link.simulation);
  }

  /** Questions about all objects are about those of the engine: what the page has forgotten must not stay there. */
  private async empty_engine(): Promise<void> {
    const { session } = this.viewer;
    const { objects } = await session.call<StateReply>("state");
    if (objects.length > 0) await session.call("remove", { ids: objects.map(({ id }) => id) });
    await session.call("set_report");
  }

  async save(): Promise<Uint8Array | undefined> {
    return this.viewer.job("Saving", async () => {
      const { file } = await this.viewer.session.call<{ file: Uint8Array }>("save", { view: this.view_state() });
      return is_saved_view(file) ? file : pack(file);
    });
  }

  async load_now(bytes: Uint8Array, on_sent?: OnSent): Promise<void> {
    const file = is_saved_view(bytes) && !this.viewer.state.hello?.native ? await unpack(bytes) : bytes;
    await this.adopt(await this.viewer.session.call<StateReply>("load", { file }, on_sent));
  }

  async load(bytes: Uint8Array, message = "Opening"): Promise<void> {
    await this.viewer.job(message, () => this.load_now(bytes));
  }

  async adopt_engine_state(): Promise<void> {
    await this.viewer.job("Loading", async () => this.adopt(await this.viewer.session.call<StateReply>("state")));
  }
}

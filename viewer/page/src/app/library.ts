// The objects: what opens, adds, changes and removes them, here and in the engine.

import type { Box, HolesReply, MeshReply, ObjectInfo, Pose, Vec3 } from "../engine/types.ts";
import { with_buffers } from "../state/gltf.ts";
import { hole_groups } from "../state/holes.ts";
import { add, box_of, diagonal, to_world, widened } from "../state/math.ts";
import { bytes_text } from "../state/numbers.ts";
import { repair_text } from "../state/repair.ts";
import { is_saved_view } from "../state/saved.ts";
import { pair_of } from "../state/store.ts";
import { BodyView } from "../view/bodies.ts";
import { kBodyColors } from "../view/colors.ts";
import type { Viewer } from "./viewer.ts";

/** Faces of one object that are drawn; the engine has all of them. */
const kMostDrawn = 2_000_000;
/** Materials and textures beside a mesh: nothing of them is needed. */
const kLooks = /\.(mtl|png|jpe?g|webp|ktx2|bmp|tga)$/i;

export class Library {
  private holes = new Map<number, HolesReply>();

  constructor(private viewer: Viewer) {}

  /** Draws objects that the engine has added. */
  async add_objects(objects: ObjectInfo[], fit = true): Promise<number[]> {
    const { state } = this.viewer;
    const first = state.bodies.size === 0;
    for (const info of objects) {
      const color = kBodyColors[state.bodies.size % kBodyColors.length];
      state.bodies.set(info.id, { info, home: info.pose, visible: true, color });
    }
    if (first && objects.length > 0) this.viewer.stage.recenter(this.viewer.bounds() ?? { min: [-1, -1, -1], max: [1, 1, 1] });
    for (const [i, info] of objects.entries()) {
      if (objects.length > 8) this.viewer.notices.progress(`Drawing ${info.name}`, i / objects.length);
      await this.draw_object(info.id);
    }
    state.pair = pair_of(state.selection, state.pair, [...state.bodies.keys()]);
    this.viewer.bounds_changed();
    if (fit) this.viewer.fit_all(!first);
    this.viewer.store.changed("objects", "selection");
    return objects.map((o) => o.id);
  }

  private async draw_object(id: number): Promise<void> {
    const body = this.viewer.store.body(id);
    if (!body) return;
    const reply = await this.viewer.session.call<MeshReply>("mesh", { id, most_faces: kMostDrawn });
    const view = new BodyView(id, this.viewer.stage, reply, reply.origin, body.color);
    view.place(body.info.pose);
    view.show_wires(this.viewer.state.shown.wires);
    this.viewer.bodies.add(view);
    await this.find_holes(id);
  }

  private async find_holes(id: number): Promise<void> {
    const info = this.viewer.store.body(id)?.info;
    this.holes.delete(id);
    // Merging vertices joins sheets of a surface: edges of many faces are then no fault of the mesh.
    const many = !info || info.simplified ? 0 : info.nonmanifold_edges;
    if (!info || info.open_edges + many === 0) return;
    const reply = await this.viewer.session.call<HolesReply>("holes", { id });
    this.holes.set(id, many > 0 ? reply : { ...reply, nonmanifold: new Float32Array(0) });
  }

  /** Where a mesh is open, the largest hole first: boxes in the world, with some room around them. */
  hole_places(id: number): { box: Box; edges: number }[] {
    const reply = this.holes.get(id);
    const body = this.viewer.store.body(id);
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

  /** Files that were chosen or dropped together: of those that are no meshes, some belong to one that is. */
  async open_files(files: File[]): Promise<number[]> {
    const added: number[] = [];
    await this.viewer.job("Reading", async () => {
      await this.viewer.leave_film();
      const { meshes, others } = this.sorted(files);
      const used = new Set<File>();
      for (const file of [...meshes, ...others]) {
        if (used.has(file) || (meshes.length > 0 && kLooks.test(file.name))) continue;
        try {
          this.check_size(file.name, file.size);
          added.push(...(await this.open_file(file, others, used)));
        } catch (error) {
          this.viewer.report_error(error); // the other files may be good
        }
      }
    });
    return added;
  }

  private sorted(files: File[]): { meshes: File[]; others: File[] } {
    const formats = [...(this.viewer.state.hello?.formats ?? []), "lamella"];
    const is_mesh = ({ name }: File): boolean => formats.includes(name.slice(name.lastIndexOf(".") + 1).toLowerCase());
    return { meshes: files.filter(is_mesh), others: files.filter((file) => !is_mesh(file)) };
  }

  private check_size(name: string, size: number): void {
    const { hello } = this.viewer.state;
    if (!hello || size <= hello.most_bytes) return;
    throw new Error(
      `${name} has ${bytes_text(size)}; ${hello.native ? "this program" : "a page"} takes files of up to ` +
        `${bytes_text(hello.most_bytes)}.` + (hello.native ? "" : " `lamella view` reads larger ones."),
    );
  }

  private async open_file(file: File, others: File[], used: Set<File>): Promise<number[]> {
    const bytes = /\.gltf$/i.test(file.name) ? await this.read_gltf(file, others, used) : await this.read(file);
    const { notices } = this.viewer;
    const opening = (): void => notices.progress(`Opening ${file.name}`, null);
    const on_sent = (part: number): void => (part < 1 ? notices.progress(`Sending ${file.name}`, part) : opening());
    opening();
    if (is_saved_view(bytes)) {
      await this.viewer.keeper.load_now(bytes, on_sent);
      return [...this.viewer.state.bodies.keys()];
    }
    const { objects } = await this.viewer.session.call<{ objects: ObjectInfo[] }>("open", { name: file.name, file: bytes }, on_sent);
    const ids = await this.add_objects(objects);
    if (ids.length > 1 && this.viewer.state.kind === "intersect" && this.viewer.state.bodies.size > 2) this.viewer.state.kind = "scene";
    return ids;
  }

  /** With its buffers in it, where they are among the other files; those are then used. */
  private async read_gltf(file: File, others: File[], used: Set<File>): Promise<Uint8Array> {
    let size = file.size;
    return with_buffers(await this.read(file), async (name) => {
      const buffer = others.find((other) => other.name === name);
      if (!buffer) throw new Error(`${file.name}: its buffer ${name} is a file of its own; open both together.`);
      used.add(buffer);
      size += Math.ceil((4 / 3) * buffer.size); // as text
      this.check_size(`${file.name} with its buffers`, size);
      return this.read(buffer);
    });
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
        this.viewer.notices.progress(`Reading ${file.name}`, file.size > 0 ? at / file.size : null);
      }
    } catch (error) {
      throw new Error(`${file.name} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
    }
    return bytes;
  }

  async add_models(models: { name: string; faces?: number; pose?: Pose }[]): Promise<number[]> {
    return (
      (await this.viewer.job(`Making ${models.map((m) => m.name).join(", ")}`, async () => {
        await this.viewer.leave_film();
        return this.add_objects(await this.make_models(models));
      })) ?? []
    );
  }

  /** The engine makes models: all of them, or none. They are not drawn yet. */
  async make_models(models: { name: string; faces?: number; pose?: Pose; title?: string }[]): Promise<ObjectInfo[]> {
    const { session } = this.viewer;
    const made: ObjectInfo[] = [];
    try {
      for (const { title, ...model } of models) {
        const [object] = (await session.call<{ objects: ObjectInfo[] }>("model", model)).objects;
        made.push(object);
        if (title !== undefined && title !== "")
          made[made.length - 1] = (await session.call<{ object: ObjectInfo }>("rename", { id: object.id, name: title })).object;
      }
    } catch (error) {
      await session.call("remove", { ids: made.map(({ id }) => id) });
      throw error;
    }
    return made;
  }

  async copy(id: number): Promise<void> {
    await this.viewer.job(null, async () => {
      const { objects } = await this.viewer.session.call<{ objects: ObjectInfo[] }>("copy", { id });
      const ids = await this.add_objects(objects, false);
      this.viewer.select(ids);
    });
  }

  async remove(ids: number[]): Promise<void> {
    if (ids.length === 0) return;
    await this.viewer.job(null, async () => {
      await this.viewer.session.call("remove", { ids });
      const { state } = this.viewer;
      for (const id of ids) {
        state.bodies.delete(id);
        this.viewer.bodies.remove(id);
        this.holes.delete(id);
      }
      state.selection = state.selection.filter((id) => state.bodies.has(id));
      state.pair = pair_of(state.selection, state.pair, [...state.bodies.keys()]);
      state.result = null;
      state.focused_pair = null;
      this.viewer.puller.let_go();
      this.viewer.history.clear(); // steps may be of what was removed
      this.viewer.bounds_changed();
      this.viewer.store.changed("objects", "selection", "history");
    });
  }

  /** The mesh is another one now: draw it again. */
  private async object_changed(info: ObjectInfo): Promise<void> {
    const body = this.viewer.store.body(info.id);
    if (!body) return;
    body.info = info;
    this.viewer.puller.let_go();
    this.viewer.history.forget_pulls(info.id);
    await this.draw_object(info.id);
    this.viewer.bounds_changed();
    this.viewer.store.changed("objects", "history");
  }

  async reset(id: number): Promise<void> {
    await this.viewer.job(null, async () => {
      const { object } = await this.viewer.session.call<{ object: ObjectInfo }>("reset", { id });
      await this.object_changed(object);
      const { info, home } = this.viewer.store.body(id)!;
      if (info.pose.some((x, i) => x !== home[i])) this.viewer.set_poses([[id, home]], true);
    });
  }

  async repair(id: number): Promise<Record<string, number> | undefined> {
    return this.viewer.job(`Repairing ${this.viewer.store.name(id)}`, async () => {
      const { object, report } = await this.viewer.session.call<{ object: ObjectInfo; report: Record<string, number> }>("repair", { id });
      await this.object_changed(object);
      this.viewer.notices.say(repair_text(object.name, report));
      return report;
    });
  }

  async rename(id: number, name: string): Promise<void> {
    await this.viewer.job(null, async () => {
      const { object } = await this.viewer.session.call<{ object: ObjectInfo }>("rename", { id, name });
      this.viewer.store.body(id)!.info = object;
      this.viewer.store.changed("objects");
    });
  }

  /** Of an object's open edges; null when it has none. */
  open_edges(id: number): HolesReply | null {
    return this.holes.get(id) ?? null;
  }

  /** The page forgets all objects; the engine has forgotten them, or is about to. */
  async forget_all(): Promise<void> {
    const { viewer } = this;
    await viewer.leave_film();
    viewer.asker.forget();
    viewer.puller.let_go();
    viewer.bodies.clear();
    this.holes.clear();
    viewer.history.clear();
    const nothing = {
      bodies: new Map(), selection: [], pair: [null, null], result: null, report: null, focused_pair: null, clash_pair: null,
      missing_engine: null,
    };
    Object.assign(viewer.state, nothing);
    viewer.overlay.clear();
  }
}

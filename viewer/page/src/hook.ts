// `window.lamella`: drives the page from outside, for tests and for those who want to script it from the console.
//
//   await lamella.ready            the page has started (rejects with the reason when it cannot)
//   await lamella.idle()           nothing is pending: no reading, no question, no flight of the camera
//   lamella.state()                objects, selection, pair, kind, options, messages that were shown, frame of a simulation
//   lamella.answer()               the engine's answer to the current question, or null
//   lamella.measurements()         what "Copy measurements" copies
//   await lamella.add("hand")      adds a model; resolves with the ids
//   await lamella.open(name, bytes)     opens a file's bytes (Uint8Array or base64 text)
//   lamella.select(id, …)          selects
//   lamella.pose(id, [7 numbers])  places an object, as a drag does
//   lamella.kind("self")           asks another question
//   lamella.options({resolution})  replaces the query's options
//   lamella.show({surface: "solid"}), lamella.cut({on: true}), lamella.layer(n), lamella.tool("turn")
//   lamella.pull(id, vertex, [x, y, z], done)   pulls a vertex, in the object's frame
//   await lamella.simulate("cube"), lamella.step(), lamella.end()
//   lamella.link()                 the address's end that restores the state, or why there is none
//   await lamella.save()           the view's file as bytes
//   lamella.screen(point)          where a point of the world is on the page, in pixels
//   lamella.viewer                 everything else

import type { Viewer } from "./app/viewer.ts";
import { from_base64 } from "./engine/embedded.ts";
import type { Kind, Pose, QueryOptions, Vec3 } from "./engine/types.ts";
import type { NoticeBoard } from "./panels/notices.ts";
import { answer_of, type Cut, type Shown, type Tool } from "./state/store.ts";

export function make_hook(viewer: Viewer, notices: NoticeBoard, ready: Promise<void>) {
  const { state } = viewer;
  return {
    ready,
    idle: () => viewer.idle(),
    state: () => ({
      objects: [...state.bodies.values()].map((b) => ({ ...b.info, visible: b.visible, color: b.color })),
      selection: state.selection,
      pair: state.pair,
      kind: state.kind,
      tool: state.tool,
      options: state.options,
      shown: { ...state.shown },
      cut: { ...state.cut },
      layer: state.layer,
      contain: { ...state.contain },
      scene_self: state.scene_self,
      hello: state.hello,
      times: { live: state.times.live, rows: [...state.times.rows] },
      report: state.report !== null,
      waiting: state.waiting,
      no_answer: state.no_answer,
      errors: [...notices.errors],
      film: viewer.projector.film && { at: viewer.projector.film.at, frames: viewer.projector.film.frames.length, playing: viewer.projector.film.playing },
      frames_drawn: viewer.stage.frames,
      questions: viewer.asker.questions,
    }),
    answer: () => answer_of(state),
    measurements: () => viewer.measurements(),
    add: (...names: string[]) => viewer.library.add_models(names.map((name) => ({ name }))),
    open: (name: string, bytes: Uint8Array | string) =>
      viewer.library.open_files([new File([typeof bytes === "string" ? from_base64(bytes) : new Uint8Array(bytes)], name)]),
    remove: (...ids: number[]) => viewer.library.remove(ids),
    select: (...ids: number[]) => viewer.select(ids),
    pose: (id: number, pose: Pose) => viewer.set_poses([[id, pose]], true),
    kind: (kind: Kind) => viewer.set_kind(kind),
    options: (options: QueryOptions) => viewer.set_options(options),
    show: (shown: Partial<Shown>) => viewer.show(shown),
    cut: (cut: Partial<Cut>) => viewer.set_cut(cut),
    layer: (layer: number) => viewer.set_layer(layer),
    tool: (tool: Tool) => viewer.set_tool(tool),
    pull: (id: number, vertex: number, to: Vec3, done: boolean) => viewer.puller.pull(id, vertex, to, done),
    repair: (id: number) => viewer.library.repair(id),
    simulate: (name: string) => viewer.simulate(name),
    step: () => viewer.projector.step(),
    end: () => viewer.end_film(),
    link: () => viewer.keeper.link(),
    save: () => viewer.keeper.save(),
    screen: (point: Vec3) => {
      viewer.stage.camera.updateMatrixWorld();
      const p = viewer.stage.at(point).project(viewer.stage.camera);
      const box = viewer.stage.canvas.getBoundingClientRect();
      return { x: box.left + ((p.x + 1) / 2) * box.width, y: box.top + ((1 - p.y) / 2) * box.height };
    },
    viewer,
  };
}

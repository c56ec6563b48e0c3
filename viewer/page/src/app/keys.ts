// What keys do. Letters work wherever no text is typed; arrows only in the view, so that lists and sliders keep theirs.

import { Vector3 } from "three";
import { about, diagonal, middle, moved, to_world, turned } from "../state/math.ts";
import type { Pose, Vec3 } from "../engine/types.ts";
import { toggle_glass, type Commands } from "../panels/bars.ts";
import type { Viewer } from "./viewer.ts";

export interface KeyTargets {
  viewer: Viewer;
  commands: Commands;
  walk_pairs(by: number): void;
  jump_frames(by: number): void;
}

const is_typing = (target: EventTarget | null): boolean =>
  target instanceof HTMLInputElement ? !["checkbox", "radio", "range", "color", "button"].includes(target.type)
    : target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement;

const in_view = (target: EventTarget | null): boolean => target === document.body || target instanceof HTMLCanvasElement;

/** Where the selection is at hand. On other buttons a key that slips must not remove anything: it cannot be undone. */
const may_remove = (target: EventTarget | null, key: string): boolean =>
  in_view(target) || (key === "Delete" && target instanceof Element && target.closest(".objects") !== null);

export function listen_to_keys(targets: KeyTargets): void {
  addEventListener("keydown", (event) => {
    if (is_typing(event.target) || document.querySelector("dialog[open]")) return;
    const handled = event.ctrlKey || event.metaKey ? with_control(event, targets) : !event.altKey && plain(event, targets);
    if (handled) event.preventDefault();
  });
}

function with_control(event: KeyboardEvent, { viewer }: KeyTargets): boolean {
  const key = event.key.toLowerCase();
  if (key === "z") event.shiftKey ? viewer.redo() : viewer.undo();
  else if (key === "y") viewer.redo();
  else return false;
  return true;
}

function plain(event: KeyboardEvent, targets: KeyTargets): boolean {
  const { viewer, commands } = targets;
  const selection = viewer.state.selection;
  if (in_view(event.target) && arrow(event, viewer)) return true;
  switch (event.key) {
    case "v": viewer.set_tool("select"); break;
    case "t": viewer.set_tool("move"); break;
    case "r": viewer.set_tool("turn"); break;
    case "g": viewer.set_tool("pull"); break;
    case "f": viewer.fit_selection(); break;
    case "Home": viewer.fit_all(); break;
    case "1": viewer.look_along(new Vector3(-1, 0, 0)); break;
    case "2": viewer.look_along(new Vector3(0, -1, 0)); break;
    case "3": viewer.look_along(new Vector3(0, 0, -1)); break;
    case "0": viewer.fit_all(true, new Vector3(-0.55, 0.8, -0.45)); break;
    case "+": case "=": viewer.stage.zoom(1 / 1.15); break;
    case "-": viewer.stage.zoom(1.15); break;
    case "x": toggle_glass(viewer); break;
    case "k": viewer.set_cut({ on: !viewer.state.cut.on }); break;
    case "h": for (const id of selection) viewer.set_visible(id, !viewer.store.body(id)?.visible); break;
    case "d": if (selection[0] !== undefined) void viewer.library.copy(selection[0]); break;
    case "Delete": case "Backspace":
      if (!may_remove(event.target, event.key)) return false;
      void viewer.library.remove(selection);
      break;
    case "n": targets.walk_pairs(1); break;
    case "p": targets.walk_pairs(-1); break;
    case ",": targets.jump_frames(-1); break;
    case ".": targets.jump_frames(1); break;
    case " ":
      if (!viewer.projector.film || !in_view(event.target)) return false;
      viewer.projector.set_playing(!viewer.projector.film.playing);
      break;
    case "o": commands.open(); break;
    case "s": commands.save(); break;
    case "l": commands.link(); break;
    case "c": if (String(getSelection()) !== "") return false; commands.copy(); break;
    case "?": commands.help(); break;
    case "Enter":
      if (viewer.state.tool !== "pull" || viewer.projector.film || !in_view(event.target)) return false;
      viewer.puller.hold_middle();
      break;
    case "Escape":
      if (!viewer.puller.let_go()) viewer.select([]);
      break;
    default: return false;
  }
  return true;
}

/** Of the world's axes the one that lies closest to a direction, with its sign. */
function axis_near(way: Vector3, of: number[]): Vec3 {
  const best = of.reduce((a, b) => (Math.abs(way.getComponent(b)) > Math.abs(way.getComponent(a)) ? b : a));
  const axis: Vec3 = [0, 0, 0];
  axis[best] = Math.sign(way.getComponent(best)) || 1;
  return axis;
}

function arrow(event: KeyboardEvent, viewer: Viewer): boolean {
  const right = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
  const up = event.key === "ArrowUp" ? 1 : event.key === "ArrowDown" ? -1 : 0;
  const high = event.key === "PageUp" ? 1 : event.key === "PageDown" ? -1 : 0;
  if (right === 0 && up === 0 && high === 0) return false;
  const fine = event.shiftKey ? 0.1 : 1;
  const { selection: ids, tool } = viewer.state;
  // Left and right go along the ground's axis that points most to the right on the screen, and so on.
  const camera = viewer.stage.camera;
  const to_right = axis_near(new Vector3(1, 0, 0).applyQuaternion(camera.quaternion), [0, 1]);
  const away = axis_near(new Vector3(0, 0, -1).applyQuaternion(camera.quaternion), to_right[0] !== 0 ? [1] : [0]);
  const step = 0.01 * diagonal(viewer.stage.bounds) * fine;
  const by: Vec3 = right !== 0 ? scaled(to_right, right * step) : up !== 0 ? scaled(away, up * step) : [0, 0, high * step];
  if (tool === "pull" && !viewer.projector.film && viewer.puller.nudge(by)) return true;
  if (ids.length === 0 || tool === "pull" || viewer.projector.film) {
    if (high !== 0) viewer.stage.zoom(high > 0 ? 1 / 1.15 : 1.15);
    else viewer.stage.orbit(0.12 * fine * right, 0.12 * fine * up);
    return true;
  }
  const poses = ids.map((id): [number, Pose] => {
    const { info } = viewer.store.body(id)!;
    if (tool === "turn") {
      const angle = (Math.PI / 36) * fine;
      const axis: Vec3 = right !== 0 ? [0, 0, right] : up !== 0 ? scaled(to_right, -up) : scaled(away, high);
      return [id, turned(info.pose, about(axis, angle), to_world(info.pose, middle(info.bounds)))];
    }
    return [id, moved(info.pose, by)];
  });
  viewer.set_poses(poses, true);
  return true;
}

const scaled = (v: Vec3, s: number): Vec3 => [v[0] * s, v[1] * s, v[2] * s];

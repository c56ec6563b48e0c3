// The state as text for an address: which models, where they are, the camera, the question. Meshes of files are not in
// it; those go into a saved view.

import type { Kind, Pose, QueryOptions } from "../engine/types.ts";
import { are_numbers, is_box, is_number, is_place } from "./checks.ts";
import type { Cut, Shown, State } from "./store.ts";

export interface CameraState {
  eye: [number, number, number];
  target: [number, number, number];
}

/** What `set_view` is given, and what a link has beside its models. */
export interface ViewState {
  camera: CameraState;
  kind: Kind;
  /** By place in the list of objects. */
  pair: [number | null, number | null];
  options: QueryOptions;
  shown: Partial<Shown>;
  cut: Cut;
  layer: number;
  scene_self: boolean;
  /** `of` an object: its place in the list. */
  contain: State["contain"];
  hidden: number[];
  colors: string[];
}

export interface LinkState extends Partial<ViewState> {
  models: { name: string; faces: number; pose: Pose; title?: string }[];
  simulation?: string;
}

const kPrefix = "#view=";

function to_base64url(text: string): string {
  let binary = "";
  for (const byte of new TextEncoder().encode(text)) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

function from_base64url(text: string): string {
  const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return new TextDecoder("utf-8", { fatal: true }).decode(Uint8Array.from(binary, (c) => c.charCodeAt(0)));
}

export function to_hash(state: LinkState): string {
  return kPrefix + to_base64url(JSON.stringify(state));
}

/** What is said in an address; null when it says nothing of a view. Throws Error when what it says cannot be read. */
export function from_hash(hash: string): LinkState | null {
  if (!hash.startsWith(kPrefix)) return null;
  const bad = new Error("The address does not hold a view that can be read; was it cut off?");
  let value: unknown;
  try {
    value = JSON.parse(from_base64url(hash.slice(kPrefix.length)));
  } catch {
    throw bad;
  }
  if (typeof value !== "object" || value === null) throw bad;
  const state = value as LinkState;
  if (!Array.isArray(state.models) || state.models.length > 1000) throw bad;
  for (const model of state.models) {
    if (typeof model?.name !== "string" || !is_number(model.faces) || !are_numbers(model.pose, 7)) throw bad;
    if (model.title !== undefined && typeof model.title !== "string") throw bad;
  }
  return { ...view_state(state), models: state.models, simulation: text_or_nothing(state.simulation) };
}

const text_or_nothing = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

const kKinds = ["intersect", "self", "scene", "depth", "distance", "contain", "layers"];

/** What can be used of a view that comes from a file or an address: anybody may have written it. */
export function view_state(value: unknown): Partial<ViewState> {
  if (typeof value !== "object" || value === null) return {};
  const v = value as Partial<ViewState>;
  const out: Partial<ViewState> = {};
  if (v.camera && are_numbers(v.camera.eye, 3) && are_numbers(v.camera.target, 3))
    out.camera = { eye: v.camera.eye, target: v.camera.target };
  if (kKinds.includes(v.kind as string)) out.kind = v.kind;
  if (Array.isArray(v.pair) && v.pair.length === 2 && v.pair.every((p) => p === null || is_number(p))) out.pair = v.pair;
  if (v.options && typeof v.options === "object") out.options = options_of(v.options);
  if (v.shown && typeof v.shown === "object") out.shown = shown_of(v.shown);
  if (v.cut && typeof v.cut === "object" && ["x", "y", "z"].includes(v.cut.axis) && is_number(v.cut.position))
    out.cut = { on: v.cut.on === true, axis: v.cut.axis, position: v.cut.position, flip: v.cut.flip === true };
  if (v.layer === -1 || is_place(v.layer, Infinity)) out.layer = v.layer;
  if (typeof v.scene_self === "boolean") out.scene_self = v.scene_self;
  const contain = contain_of(v.contain);
  if (contain) out.contain = contain;
  if (Array.isArray(v.hidden)) out.hidden = v.hidden.filter(is_number);
  if (Array.isArray(v.colors)) out.colors = v.colors.map((c) => (/^#[0-9a-f]{6}$/i.test(String(c)) ? String(c) : ""));
  return out;
}

const kMostPoints = 1_000_000; // at random: more take too long to draw

function contain_of(value: unknown): State["contain"] | null {
  if (typeof value !== "object" || value === null) return null;
  const { of, count } = value as Partial<State["contain"]>;
  if (of !== "box" && of !== "report" && !is_place(of, Infinity)) return null;
  return is_place(count, kMostPoints + 1) && count > 0 ? { of, count } : null;
}

const kMostNumbers = 8; // of an option that is a list: `screen` has four

export function options_of(value: object): QueryOptions {
  const o = value as Record<string, unknown>;
  // What the page has no field for (`as_is`, `min_thickness` …) goes back to the engine as it came.
  const out: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(o))
    if (["string", "number", "boolean"].includes(typeof item) || are_few_numbers(item) || (key === "box" && is_box(item))) out[key] = item;
  if (typeof o.tolerance === "object" && o.tolerance !== null) {
    const { relative, absolute } = o.tolerance as Record<string, unknown>;
    out.tolerance = { ...(is_number(relative) && { relative }), ...(is_number(absolute) && { absolute }) };
  }
  return out as QueryOptions;
}

const are_few_numbers = (value: unknown): boolean =>
  Array.isArray(value) && value.length <= kMostNumbers && value.every(is_number);

function shown_of(value: Partial<Shown>): Partial<Shown> {
  const out: Partial<Shown> = {};
  if (["auto", "glass", "solid"].includes(value.surface as string)) out.surface = value.surface;
  if (["solid", "columns", "both"].includes(value.overlap as string)) out.overlap = value.overlap;
  for (const key of ["forces", "contacts", "ghost", "edges", "grid", "wires"] as const)
    if (typeof value[key] === "boolean") out[key] = value[key];
  return out;
}

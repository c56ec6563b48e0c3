import assert from "node:assert/strict";
import test from "node:test";
import { load } from "./load.mjs";

const { options_of, to_hash, from_hash, view_state } = await load("state/link.ts");

const kPose = [0.1, -2, 3e-7, 0, 0, 0.7071067811865475, 0.7071067811865476];
const kState = {
  models: [{ name: "hand", faces: 12000, pose: kPose, title: "die Händ <b>" }],
  camera: { eye: [1, 2, 3], target: [0, 0, 0.1] },
  kind: "depth",
  pair: [0, null],
  options: { resolution: 256, tolerance: { relative: 0.001 }, certify: true },
  shown: { surface: "glass", contacts: false },
  cut: { on: true, axis: "y", position: 0.25, flip: true },
  layer: 3,
  scene_self: true,
  contain: { of: 0, count: 1000 },
  hidden: [1],
  colors: ["#0072b2"],
};

test("a link restores the state to the bit", () => {
  const { simulation, ...restored } = from_hash(to_hash(kState));
  assert.equal(simulation, undefined);
  assert.deepEqual(restored, kState);
});

test("a link has only letters that addresses may have", () => {
  assert.match(to_hash(kState), /^#view=[A-Za-z0-9_-]+$/);
});

test("an address without a view says nothing", () => {
  assert.equal(from_hash(""), null);
  assert.equal(from_hash("#other"), null);
});

test("an address that was cut off is an error that says so", () => {
  const hash = to_hash(kState);
  assert.throws(() => from_hash(hash.slice(0, 60)), /cut off/);
  assert.throws(() => from_hash("#view=%%%"), /cut off/);
  assert.throws(() => from_hash(to_hash({ models: [{ name: "hand", faces: 1, pose: [1, 2] }] })), /cut off/);
  assert.throws(() => from_hash(to_hash({ models: 3 })), /cut off/);
});

test("options of the engine that the page has no field for stay", () => {
  const options = { min_thickness: 0.3, as_is: true, cell: 0.01, screen: [0, 0, 5, 0.001], box: { min: [0, 0, 0], max: [1, 1, 1] } };
  assert.deepEqual(options_of({ ...options, evil: { a: 1 }, list: ["x"], long: Array(9).fill(1) }), options);
});

test("of a view that anybody wrote only what can be used is taken", () => {
  const view = view_state({
    kind: "delete", camera: { eye: [1, 2, "x"], target: [0, 0, 0] }, pair: ["a", 1], colors: ["red;}", "#123456"],
    cut: { axis: "w", position: 0 }, shown: { surface: "none", grid: 1, wires: true },
    options: { resolution: 64, engine: "software", tolerance: { relative: "1" }, evil: { a: 1 } },
  });
  assert.deepEqual(view, {
    options: { resolution: 64, engine: "software", tolerance: {} }, shown: { wires: true }, colors: ["", "#123456"],
  });
  for (const contain of [5, { of: -1, count: 9 }, { of: 0.5, count: 9 }, { of: "all", count: 9 }, { of: "box", count: 0 }, { of: "box", count: 1e9 }])
    assert.deepEqual(view_state({ layer: -2, scene_self: "yes", contain }), {});
  assert.deepEqual(view_state({ layer: -1, contain: { of: "box", count: 9 } }), { layer: -1, contain: { of: "box", count: 9 } });
  assert.deepEqual(view_state(null), {});
  assert.deepEqual(view_state("text"), {});
});

import assert from "node:assert/strict";
import test from "node:test";
import { load } from "./load.mjs";

const { report_of } = await load("state/report.ts");
const { command_line, table_rows } = await load("panels/report.ts");

const kPair = {
  a: 0, b: 1, names: ["plate", "bolt"], class: "piercing", volume: 1, volume_error: 0.1, depth: 2, distance: 0,
  at: [0, 0, 0], target: [1, 2, 3], looking: [0, 1, 0], reach: 2, change: "new",
};
const kFinding = { title: "plate × bolt", class: "piercing", places: 1, pairs: [0], volume: 1, total_volume: 1, depth: 2, lines: ["a line"], png: Uint8Array.of(1) };
const kStep = { positions: [Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0)], poses: new Float32Array(7), dots: [new Float32Array(3)], figures: { pairs: 2 }, note: "" };
const kFrames = {
  solids: [{ triangles: Uint32Array.of(0, 1, 2), color: [255, 0, 0], opacity: 1 }], dots: [{ color: [0, 0, 0], radius: 0.1 }],
  steps: [kStep, { ...kStep, positions: [null] }], rate: 60, bounds: { min: [0, 0, 0], max: [1, 1, 1] }, looking: [0, 1, 0],
};
const kReport = {
  command: "clash", arguments: ["a.json"], kind: "clash", answer: { volume: 1 }, text: "volume  1\n", objects: [4, 7],
  options: { resolution: 64 }, version: "1", title: "a", notes: ["One."], simplified: [{ object: 4, faces: 10, kept: 5 }],
  pictures: [{ title: "p", png: Uint8Array.of(2) }], points: { positions: new Float32Array(3), origin: [0, 0, 0], flags: Uint8Array.of(1), of: 1 },
  frames: kFrames, clash: { unit: "mm", findings: [kFinding], pairs: [kPair], gone: [{ a: "x", b: "y", class: "near", volume: 0 }], simplified: true },
};

test("a sound report is used as it is", () => {
  assert.deepEqual(report_of(kReport), kReport);
});

test("of no report there is none", () => {
  for (const value of [null, undefined, 5, "text", [], new Uint8Array(3)]) assert.equal(report_of(value), null);
});

test("any member may be missing or of another kind", () => {
  const kEmpty = { command: "", arguments: [], kind: "", text: [], objects: [], notes: [], simplified: [], pictures: [] };
  assert.deepEqual(report_of({}), kEmpty);
  for (const wrong of [5, "text", true, [{}], [null], [[]], {}, new Uint8Array(2)])
    for (const key of Object.keys(kReport)) {
      const report = report_of({ ...kReport, [key]: wrong });
      // What panels do with it.
      assert.equal(typeof command_line(report), "string");
      table_rows(report.answer ?? {});
      assert.ok(report.notes.every((note) => typeof note === "string"));
      for (const finding of report.clash?.findings ?? []) assert.ok(finding.pairs.every((i) => report.clash.pairs[i]));
    }
  assert.equal(report_of({ ...kReport, frames: {} }).frames, undefined);
  assert.deepEqual(report_of({ clash: {} }).clash, { unit: "", findings: [], pairs: [], gone: [], simplified: false });
});

test("objects keep their places, which others count", () => {
  assert.deepEqual(report_of({ objects: ["x", 7] }).objects, [-1, 7]);
});

test("findings still name their pairs when another pair is left out", () => {
  const clash = { ...kReport.clash, pairs: [5, kPair, { ...kPair, class: "evil" }, { ...kPair, names: ["p", "q"] }], findings: [{ ...kFinding, pairs: [0, 1, 2, 3, 9, "x"] }] };
  const used = report_of({ clash }).clash;
  assert.deepEqual(used.pairs.map(({ names }) => names[0]), ["plate", "p"]);
  assert.deepEqual(used.findings[0].pairs, [0, 1]);
});

test("a film whose frames do not fit one another is not played", () => {
  const film = (steps, more = {}) => report_of({ frames: { ...kFrames, steps, ...more } }).frames;
  assert.ok(film([kStep]));
  assert.equal(film([]), undefined);
  assert.equal(film([{ ...kStep, positions: [null] }]), undefined, "nothing to stay");
  assert.equal(film([kStep, { ...kStep, positions: [new Float32Array(3)] }]), undefined);
  assert.equal(film([{ ...kStep, positions: [new Float32Array(6)] }]), undefined, "a triangle has vertices that are not there");
  assert.equal(film([{ ...kStep, dots: [] }]), undefined);
  assert.equal(film([kStep], { solids: [5] }), undefined);
  assert.equal(film([{ ...kStep, poses: new Float32Array(6) }])?.steps[0].poses, undefined);
  assert.equal(film([kStep], { rate: -1 }).rate, 30);
});

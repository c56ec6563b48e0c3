import assert from "node:assert/strict";
import test from "node:test";
import { load } from "./load.mjs";

const { box_around, class_counts, filtered, ids_of, shares_volume, sorted, status_of } = await load("state/clash.ts");

const pair = (a, b, names, kind = "overlapping") => ({ a, b, names, class: kind });
const finding = (title, kind, volume, pairs, more = {}) =>
  ({ title, class: kind, volume, total_volume: volume, depth: 0, places: pairs.length, pairs, lines: [], ...more });
const data = {
  unit: "mm",
  pairs: [pair(0, 1, ["plate", "bolt 1"], "piercing"), pair(0, 2, ["plate", "bolt 2"], "piercing"), pair(3, null, ["cover", "Seal"], "near"), pair(4, 5, ["a10", "x"])],
  findings: [
    finding("plate × bolt: piercing in 2 places", "piercing", 640, [0, 1], { change: "new" }),
    finding("a10 × x: overlapping", "overlapping", 900, [3], { change: "same", allowed: true }),
    finding("cover × Seal: near", "near", 0, [2], { distance: 0.5, change: "same", undecided: true }),
  ],
};
const everything = { hidden: new Set(), change: "", allowed: true, text: "" };

test("findings are listed by class, change, allowance and names", () => {
  assert.deepEqual(filtered(data, everything), [0, 1, 2]);
  assert.deepEqual(filtered(data, { ...everything, hidden: new Set(["near", "piercing"]) }), [1]);
  assert.deepEqual(filtered(data, { ...everything, change: "new" }), [0]);
  assert.deepEqual(filtered(data, { ...everything, allowed: false }), [0, 2]);
  assert.deepEqual(filtered(data, { ...everything, text: " SEAL " }), [2]);
  assert.deepEqual(filtered(data, { ...everything, text: "bolt 2" }), [0], "a place's own name");
  assert.deepEqual(filtered(data, { ...everything, text: "nothing" }), []);
});

test("a column sorts both ways, and the report's order decides between equals", () => {
  assert.deepEqual(sorted(data, [0, 1, 2], "volume", true), [1, 0, 2]);
  assert.deepEqual(sorted(data, [0, 1, 2], "volume", false), [2, 0, 1]);
  assert.deepEqual(sorted(data, [0, 1, 2], "depth", true), [0, 1, 2]);
  assert.deepEqual(sorted(data, [0, 1, 2], "distance", false), [2, 0, 1], "those without a distance come last");
  assert.deepEqual(sorted(data, [2, 1, 0], "order", false), [0, 1, 2]);
  assert.deepEqual(sorted(data, [0, 1, 2], "title", false), [1, 2, 0]);
  assert.deepEqual(sorted(data, [0, 1, 2], "class", false), [0, 1, 2]);
});

test("status, counts, and objects of a pair", () => {
  assert.equal(status_of(data.findings[0]), "new");
  assert.equal(status_of(data.findings[1]), "allowed");
  assert.equal(status_of(data.findings[2]), "undecided");
  assert.deepEqual([...class_counts(data.findings)], [["piercing", 1], ["overlapping", 1], ["near", 1]]);
  const report = { objects: [10, 11, 12, 13] };
  const there = new Set([10, 11, 12, 13]);
  assert.deepEqual(ids_of(report, data.pairs[1], there), [10, 12]);
  assert.equal(ids_of(report, data.pairs[1], new Set([10, 11])), null, "one was removed");
  assert.equal(ids_of(report, data.pairs[2], there), null, "one is not in the page");
  assert.equal(ids_of(report, data.pairs[3], there), null, "there are no such objects");
  assert.deepEqual(data.pairs.map(shares_volume), [true, true, false, true]);
  assert.deepEqual(box_around([1, 2, 3], 2), { min: [-1, 0, 1], max: [3, 4, 5] });
});

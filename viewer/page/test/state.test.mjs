import assert from "node:assert/strict";
import test from "node:test";
import { load } from "./load.mjs";

const { pair_of, subjects, initial_state } = await load("state/store.ts");
const { History, pull_step } = await load("state/history.ts");
const { hole_groups } = await load("state/holes.ts");
const { measured, number_text, counted, bytes_text } = await load("state/numbers.ts");
const { measurements } = await load("state/measurements.ts");
const math = await load("state/math.ts");

test("the pair: what is selected comes first, the rest of the old pair stays", () => {
  assert.deepEqual(pair_of([], [null, null], [1]), [1, null]);
  assert.deepEqual(pair_of([], [null, null], [1, 2]), [1, 2]);
  assert.deepEqual(pair_of([2], [1, 2], [1, 2, 3]), [1, 2]);
  assert.deepEqual(pair_of([3], [1, 2], [1, 2, 3]), [3, 1]);
  assert.deepEqual(pair_of([3, 2], [1, 2], [1, 2, 3]), [3, 2]);
  assert.deepEqual(pair_of([], [1, 2], [2, 3]), [2, 3]);
  assert.deepEqual(pair_of([2], [1, 2], [2]), [2, null]);
  assert.deepEqual(pair_of([2], [1, 2], [1, 2], true), [2, 1]); // a question about one object is about the selected one
});

test("a question says what it lacks", () => {
  const state = initial_state();
  assert.equal(typeof subjects(state), "string");
  state.bodies.set(4, {});
  state.pair = [4, null];
  assert.match(subjects(state), /second object/);
  state.kind = "self";
  assert.deepEqual(subjects(state), [4]);
  state.bodies.set(7, {});
  state.kind = "scene";
  assert.deepEqual(subjects(state), [4, 7]);
});

test("undo and redo go back and forth, and a new step forgets what was undone", () => {
  const history = new History();
  const step = (from, to) => ({ before: [[1, [from]]], after: [[1, [to]]] });
  assert.equal(history.undo(), null);
  history.push(step(0, 1));
  history.push(step(1, 2));
  assert.deepEqual(history.undo().before, [[1, [1]]]);
  assert.deepEqual(history.undo().before, [[1, [0]]]);
  assert.equal(history.can_undo, false);
  assert.deepEqual(history.redo().after, [[1, [1]]]);
  history.push(step(1, 5));
  assert.equal(history.redo(), null);
});

test("a pull as a step has the vertices that moved, and goes when the object gets another shape", () => {
  const from = Float32Array.of(0, 0, 0, 1, 0, 0, 2, 0, 0), to = Float32Array.of(0, 0, 0, 1, 0.5, 0, 2, 0, 7);
  const pull = pull_step(4, from, to, true);
  assert.deepEqual(pull, { id: 4, vertices: Uint32Array.of(1, 2), before: from.slice(3), after: to.slice(3), first: true });
  assert.equal(pull_step(4, from, from.slice(), false), null);
  const history = new History();
  history.push({ before: [], after: [] });
  history.push(pull);
  history.push({ ...pull, id: 5 });
  history.undo();
  history.forget_pulls(5);
  assert.equal(history.can_redo, false);
  assert.equal(history.undo().id, 4);
  history.redo();
  history.forget_pulls(4);
  assert.deepEqual(history.undo(), { before: [], after: [] });
});

test("pulls of very large meshes do not gather without end", () => {
  const history = new History();
  const large = { id: 1, vertices: { length: 3_000_000 }, before: [], after: [], first: false };
  for (let i = 0; i < 4; ++i) history.push({ ...large, i });
  assert.equal(history.undo().i, 3);
  assert.equal(history.undo(), null, "the last one can always be undone, those before are too large");
});

test("open edges that share an end are one hole", () => {
  const edge = (a, b) => [a, 0, 0, b, 0, 0];
  const { group, count } = hole_groups(Float32Array.from([edge(0, 1), edge(5, 6), edge(1, 2), edge(2, 0), edge(6, 5)].flat()));
  assert.equal(count, 2);
  assert.deepEqual([...group], [0, 1, 0, 0, 1]);
});

test("a value is written to its error's second digit", () => {
  assert.deepEqual(measured(0.00039832375470904885, 4.2287e-7), { value: "398.32", error: "0.42", unit: "× 10⁻⁶" });
  assert.deepEqual(measured(12.3456789, 0.01), { value: "12.346", error: "0.010", unit: "" });
  assert.deepEqual(measured(0, 0), { value: "0", error: "", unit: "" });
  assert.equal(measured(2, 0).value, "2");
});

test("numbers are short, and say when they are none", () => {
  assert.equal(number_text(0.1 + 0.2, 6), "0.3");
  assert.equal(number_text(-1234.5678, 6), "−1234.57");
  assert.equal(number_text(1e-9), "1 × 10⁻⁹");
  assert.equal(number_text(123456789, 4), "123.5 × 10⁶");
  assert.equal(number_text(NaN), "not a number");
  assert.equal(number_text(100), "100");
  assert.equal(counted(1234567), "1,234,567");
  assert.equal(bytes_text(1 << 30), "1.07 GB");
});

test("angles and quaternions agree", () => {
  for (const degrees of [[10, 20, 30], [-170, 45, 5], [0, 0, 0], [90, -80, 179]]) {
    const back = math.to_angles(math.from_angles(degrees));
    back.forEach((angle, k) => assert.ok(Math.abs(angle - degrees[k]) < 1e-9, `${back} is not ${degrees}`));
  }
  // Looking straight along the middle axis there are many answers: the turn itself has to be the same.
  const q = math.from_angles([30, 90, 20]);
  const again = math.from_angles(math.to_angles(q));
  const dot = q.reduce((sum, x, k) => sum + x * again[k], 0);
  assert.ok(Math.abs(Math.abs(dot) - 1) < 1e-12);
});

test("turning about a point leaves that point where it is", () => {
  const pose = [1, 2, 3, ...math.from_angles([10, 20, 30])];
  const pivot = [4, -1, 2];
  const local = math.to_local(pose, pivot);
  const after = math.to_world(math.turned(pose, math.about([1, 1, 0], 0.7), pivot), local);
  after.forEach((x, k) => assert.ok(Math.abs(x - pivot[k]) < 1e-12));
});

test("measurements have the answer's digits and no arrays", () => {
  const state = initial_state();
  assert.equal(measurements(state), null);
  state.bodies.set(1, { info: { name: "<script>", pose: [0, 0, 0, 0, 0, 0, 1], faces: 12 } });
  const answer = { volume: 0.00039832375470904885, pairs_detail: [{ a: 1, solid: {} }], raw: new Float32Array(2) };
  state.result = { kind: "scene", ids: [1], options: {}, reply: { answer } };
  const copied = JSON.parse(JSON.stringify(measurements(state)));
  assert.equal(copied.answer.volume, 0.00039832375470904885);
  assert.deepEqual(copied.answer.pairs_detail, [{ a: 1 }]);
  assert.equal("raw" in copied.answer, false);
  assert.equal(copied.objects[0].name, "<script>");
});

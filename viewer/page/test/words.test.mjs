import assert from "node:assert/strict";
import test from "node:test";
import { load } from "./load.mjs";

const { again_text, doubts_of, facts_of, of_simplified } = await load("panels/answer_text.ts");
const { options_here, missing_text } = await load("state/engines.ts");
const { rough_text, simplified_text } = await load("state/simplified.ts");
const { defects, volume_rows } = await load("panels/objects.ts");
const { initial_state } = await load("state/store.ts");

const kHealth = { ok: false, open_columns: 1, inside_out_columns: 0, skipped_triangles: 0 };

test("one column does not close, two do not", () => {
  const state = initial_state();
  const health = (n) => facts_of("intersect", { health: { ...kHealth, open_columns: n } }, state).find(([key]) => key === "Health")[1];
  assert.equal(health(1), "1 column does not close");
  assert.equal(health(2), "2 columns do not close");
  const defect = { id: 3, open_columns: 1, inside_out_columns: 0, skipped_triangles: 0, closed_edges: 0 };
  assert.deepEqual(doubts_of({ answer: {}, defects: [defect] }, state), ["object 3: 1 column does not close"]);
});

test("an engine that is not here is left out, and named", () => {
  const hello = { engines: [{ name: "software", available: true }, { name: "cuda", available: false }] };
  for (const options of [{}, { engine: "automatic" }, { engine: "software", resolution: 64 }])
    assert.deepEqual(options_here(options, hello), { options, missing: null });
  for (const engine of ["cuda", "gl-ordered"])
    assert.deepEqual(options_here({ engine, resolution: 64 }, hello), { options: { resolution: 64 }, missing: engine });
  assert.equal(missing_text("cuda", "software"), "The engine cuda is not here: computed here by software.");
  assert.equal(missing_text(null, "software"), "");
});

const kMesh = {
  name: "serpent", volume: 0.212, open_edges: 0, inside_out_components: 1, nonmanifold_edges: 2, inconsistent_edges: 0,
  degenerate_triangles: 0, unusable_vertices: 0, deformed: false, simplified: { faces: 40000, volume: 1 },
};

test("a mesh that was simplified has the volume of its source, and not the faults of simplifying", () => {
  assert.deepEqual(defects(kMesh), []);
  assert.deepEqual(volume_rows(kMesh), [["Volume", "1", "1"], ["Simplified", "0.212", "0.212"]]);
  assert.match(simplified_text(kMesh), /40,000 faces.*off by 78\.8 %/);
  const whole = { ...kMesh, simplified: null };
  assert.deepEqual(defects(whole), ["1 part that is inside out", "2 edges of more than two faces"]);
  assert.deepEqual(volume_rows(whole), [["Volume", "0.212", "0.212"]]);
  assert.equal(simplified_text(whole), "");
  assert.deepEqual(volume_rows({ ...kMesh, deformed: true }), [["Volume", "0.212", "0.212"]]);
});

test("a report names objects whose volume did not survive", () => {
  const good = { ...kMesh, name: "ball", volume: 0.97 };
  assert.equal(rough_text([good]), "");
  assert.equal(rough_text([good, kMesh]), "Of 1 object the volume here is off by more than 5 %, as so few faces are left: serpent.");
  assert.match(rough_text([kMesh, kMesh, kMesh, kMesh]), /^Of 4 objects .*serpent, serpent, serpent …\.$/);
});

test("an answer of simplified meshes says so", () => {
  const state = initial_state();
  state.bodies.set(1, { info: kMesh });
  state.bodies.set(2, { info: { ...kMesh, simplified: null } });
  state.result = { kind: "self", ids: [2], options: {}, reply: { answer: {} } };
  assert.equal(of_simplified(state), false);
  state.result.ids = [1, 2];
  assert.equal(of_simplified(state), true);
  assert.equal(again_text(state), "");
  state.report = {};
  assert.match(again_text(state), /computed again, from the simplified meshes/);
});

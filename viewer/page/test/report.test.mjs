import assert from "node:assert/strict";
import test from "node:test";
import { load } from "./load.mjs";

const { command_line, quoted, table_rows } = await load("panels/report.ts");

test("the command is shown as it was typed", () => {
  assert.equal(command_line({ command: "intersect", arguments: ["intersect", "a.ply", "b c.ply"] }), "lamella intersect a.ply 'b c.ply'");
  assert.equal(command_line({ command: "gi picture", arguments: ["gi", "picture", "x.tiff"] }), "lamella gi picture x.tiff");
  assert.equal(command_line({ command: "self", arguments: ["a.ply"] }), "lamella self a.ply");
});

test("words are quoted for a shell where they must be", () => {
  assert.equal(quoted("model:hand"), "model:hand");
  assert.equal(quoted("it's $HOME"), "'it'\\''s $HOME'");
  assert.equal(quoted(""), "''");
});

test("an answer becomes rows, what is within it with both names", () => {
  assert.deepEqual(
    table_rows({ verdict: "clear", volume: 0.25, spans: 12345, centroid: [1, 2, 3], health: { ok: true }, nothing: null, pairs: [[0, 1]] }),
    [["verdict", "clear"], ["volume", "0.25"], ["spans", "12,345"], ["centroid", "1, 2, 3"], ["health: ok", "true"], ["pairs", "1 entry"]],
  );
});

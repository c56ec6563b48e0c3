import assert from "node:assert/strict";
import test from "node:test";
import { load } from "./load.mjs";

const { answer_lines, command_line, quoted, table_rows } = await load("panels/report.ts");

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

test("tables of a command's text are told from sentences, which may wrap", () => {
  const text = `colliding     yes: 6 pairs
candidates    6 pairs of boxes that share a volume, sampled in 18 grids

a              b                volume  points
0 model:hand   1 model:phone  0.000398   1,008
and one whose columns are not known
0 model:hand   2 model:knot   0.002522     136
and 4 pairs more

grid 0        2 objects, 128 x 128 columns along x
              and 10 grids more
`;
  const lines = answer_lines(text);
  assert.deepEqual(lines.map(({ line }) => line), text.trimEnd().split("\n"));
  assert.deepEqual(lines.flatMap(({ in_table }, i) => (in_table ? [i] : [])), [3, 4, 5, 6]);
  assert.deepEqual(answer_lines("a  b  c\n\nd\n\ne  f  g").map((l) => l.in_table), [true, false, false, false, true]);
  assert.deepEqual(answer_lines("<b>bold</b>"), [{ line: "<b>bold</b>", in_table: false }]);
});

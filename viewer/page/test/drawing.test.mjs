import assert from "node:assert/strict";
import test from "node:test";
import { load } from "./load.mjs";

const { Surface } = await load("view/surface.ts");
const { column_sticks, layer_count, by_side } = await load("view/overlay.ts");
const { flat_figures, look_with, report_frames } = await load("app/projector.ts");

const kCube = Float32Array.of(0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0, 0, 1, 1, 0, 1, 1, 1, 1, 0, 1, 1);
const kFaces = Uint32Array.of(
  0, 2, 1, 0, 3, 2, 4, 5, 6, 4, 6, 7, 0, 1, 5, 0, 5, 4, 1, 2, 6, 1, 6, 5, 2, 3, 7, 2, 7, 6, 3, 0, 4, 3, 4, 7,
);

function normals_of(surface) {
  const { geometry } = surface;
  return { index: geometry.getIndex().array, normal: geometry.getAttribute("normal").array, position: geometry.getAttribute("position").array };
}

test("a cube's corners are drawn three times, once for each side", () => {
  const surface = new Surface(kCube.slice(), kFaces);
  const { index, normal, position } = normals_of(surface);
  assert.equal(position.length / 3, 24);
  for (let c = 0; c < index.length; ++c) {
    const n = [...normal.subarray(3 * index[c], 3 * index[c] + 3)];
    assert.deepEqual(n.map(Math.abs).sort(), [0, 0, 1]);
    // The drawn vertex stands where the mesh's own does.
    const own = surface.vertex(index[c]);
    assert.equal(own, kFaces[c]);
    assert.deepEqual([...position.subarray(3 * index[c], 3 * index[c] + 3)], [...kCube.subarray(3 * own, 3 * own + 3)]);
  }
});

test("vertices that move take their copies along", () => {
  const surface = new Surface(kCube.slice(), kFaces);
  const moved = kCube.map((x) => 2 * x + 1);
  surface.move(moved);
  const { index, position } = normals_of(surface);
  for (let c = 0; c < index.length; ++c)
    assert.deepEqual([...position.subarray(3 * index[c], 3 * index[c] + 3)], [...moved.subarray(3 * kFaces[c], 3 * kFaces[c] + 3)]);
});

test("a shallow fold stays smooth", () => {
  const positions = Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0.1, 0, -1, 0.1);
  const surface = new Surface(positions, Uint32Array.of(0, 1, 2, 0, 3, 1));
  assert.equal(normals_of(surface).position.length / 3, 4);
});

test("a vertex that is no number spoils neither the bounds nor the normals of others", () => {
  const broken = Float32Array.of(...kCube, NaN, 0, 0);
  const surface = new Surface(broken, Uint32Array.of(...kFaces, 0, 1, 8));
  assert.ok(Math.abs(surface.geometry.boundingSphere.radius - Math.sqrt(3) / 2) < 1e-6);
  const { normal } = normals_of(surface);
  for (let v = 0; v < 8; ++v) assert.ok(Number.isFinite(normal[3 * v] + normal[3 * v + 1] + normal[3 * v + 2]));
});

test("columns become sticks where rays are inside, by layer", () => {
  const columns = {
    offsets: Uint32Array.of(0, 4, 4, 8, 9),
    depths: Float32Array.of(0, 1, 2, 3, /* overlapping itself */ 0, 1, 2, 3, /* open */ 5),
    entering: Uint8Array.of(1, 0, 1, 0, 1, 1, 0, 0, 1),
  };
  assert.deepEqual(column_sticks(columns, -1), [
    { column: 0, begin: 0, end: 1, layer: 0 }, { column: 0, begin: 2, end: 3, layer: 1 },
    { column: 2, begin: 0, end: 1, layer: 0 }, { column: 2, begin: 1, end: 2, layer: 1 }, { column: 2, begin: 2, end: 3, layer: 2 },
  ]);
  assert.deepEqual(column_sticks(columns, 1).map((s) => s.column), [0, 2]);
  assert.equal(layer_count(columns), 3);
});

test("triangles are sorted by the surface that they come from", () => {
  const { index, first } = by_side({ triangles: Uint32Array.of(0, 1, 2, 3, 4, 5, 6, 7, 8), side: Uint8Array.of(1, 0, 1) });
  assert.deepEqual([...index], [3, 4, 5, 0, 1, 2, 6, 7, 8]);
  assert.equal(first, 3);
});

test("a step of a report that leaves places out has those of the step before", () => {
  const a = Float32Array.of(1, 2, 3), b = Float32Array.of(4, 5, 6);
  const poses = Float32Array.of(1, 0, 0, 0, 0, 0, 1);
  const frames = report_frames({
    steps: [
      { positions: [a], poses, dots: [], figures: { pairs: 1 } },
      { positions: [null], poses, dots: [], figures: { pairs: 2 }, note: "n" },
      { positions: [b], dots: [], figures: {} },
      { positions: [null], dots: [], figures: {} },
    ],
  });
  assert.deepEqual(frames.map((f) => f.places.positions[0]), [a, a, b, b]);
  assert.equal(frames[0].places.positions[0], frames[1].places.positions[0]); // the same memory: nothing to upload
  assert.deepEqual(frames.map((f) => f.places.poses), [poses, poses, null, null]);
  assert.deepEqual(frames.map((f) => f.note), ["", "n", "", ""]);
});

test("triangles that a frame tells anew are taken, also when they are as many", () => {
  const look = { solids: [{ triangles: Uint32Array.of(0, 1, 2), color: [0, 0, 0], opacity: 1 }], dots: [] };
  assert.equal(look_with(look, [{}]), look);
  assert.equal(look_with(look, [{ triangles: Uint32Array.of(0, 1, 2) }]), look, "nothing has to be drawn anew");
  const other = look_with(look, [{ triangles: Uint32Array.of(0, 2, 3) }]);
  assert.deepEqual(other.solids[0], { triangles: Uint32Array.of(0, 2, 3), color: [0, 0, 0], opacity: 1 });
  assert.deepEqual(look.solids[0].triangles, Uint32Array.of(0, 1, 2), "frames before still have theirs");
});

test("figures within figures are plotted under both names", () => {
  assert.deepEqual(flat_figures({ pairs: 3, ms: { total: 1.5 }, note: "x", list: [1] }), { pairs: 3, "ms.total": 1.5 });
});

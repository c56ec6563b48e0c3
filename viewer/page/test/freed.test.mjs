// What is on the GPU goes when it is no longer drawn: three frees only what is disposed of.

import assert from "node:assert/strict";
import test from "node:test";
import { load } from "./load.mjs";

const { BodyView, CutView, Group, Vector3 } = await load("../test/drawn.ts");

const kCube = Float32Array.of(0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0, 0, 1, 1, 0, 1, 1, 1, 1, 0, 1, 1);
const kFaces = Uint32Array.of(
  0, 2, 1, 0, 3, 2, 4, 5, 6, 4, 6, 7, 0, 1, 5, 0, 5, 4, 1, 2, 6, 1, 6, 5, 2, 3, 7, 2, 7, 6, 3, 0, 4, 3, 4, 7,
);
const make_stage = () => ({ scene: new Group(), origin: [0, 0, 0], at: (p) => new Vector3(...p), relative: (p) => p });
const make_view = (stage) =>
  new BodyView(1, stage, { positions: kCube, triangles: kFaces, origin: [0, 0, 0], simplified: false }, [0, 0, 0], "#0072b2");

/** All geometries and materials that were ever below these objects, and how many of them live. */
function watch(...roots) {
  const live = new Set();
  const known = new Set();
  return () => {
    for (const root of roots)
      root.traverse(({ geometry, material }) => {
        for (const thing of [geometry, material]) {
          if (!thing || known.has(thing)) continue;
          known.add(thing);
          live.add(thing);
          thing.addEventListener("dispose", () => live.delete(thing));
        }
      });
    return live.size;
  };
}

const kHoles = { edges: Float32Array.of(0, 0, 0, 1, 0, 0), nonmanifold: Float32Array.of(0, 0, 0, 0, 1, 0), count: 1 };

test("an object that is removed leaves nothing", () => {
  const view = make_view(make_stage());
  const live = watch(view.group);
  view.show_wires(true);
  view.show_holes(kHoles);
  view.set_stencils([{}], 1);
  assert.equal(live(), 2 + 2 + 4 + 2, "surface, edges, two kinds of open ones, two materials for stencils");
  view.show_holes(null);
  assert.equal(live(), 6);
  view.dispose();
  assert.equal(live(), 0);
});

test("edges that are switched off and on again do not gather", () => {
  const view = make_view(make_stage());
  const live = watch(view.group);
  for (let i = 0; i < 5; ++i) {
    view.show_wires(true);
    live();
  }
  assert.equal(live(), 4);
  view.show_wires(false);
  assert.equal(live(), 2);
});

test("edges are drawn once, and follow what is pulled", () => {
  const view = make_view(make_stage());
  view.show_wires(true);
  const lines = view.group.children.find((child) => child.isLineSegments);
  assert.equal(lines.geometry.getIndex().count / 2, 18, "twelve of the cube, six diagonals");
  const moved = kCube.map((x) => 2 * x);
  view.surface.move(moved);
  assert.deepEqual([...lines.geometry.getAttribute("position").array.subarray(0, kCube.length)], [...moved]);
  view.show_wires(false);
  assert.ok(view.surface.geometry.getAttribute("position"), "the surface keeps its positions");
});

test("a cutting plane that moves makes nothing anew, and one that is switched off leaves its frame alone", () => {
  const stage = make_stage();
  const cut = new CutView(stage);
  const view = make_view(stage);
  const views = [{ view, color: "#0072b2" }];
  const live = watch(stage.scene, view.group);
  const none = live();
  const box = { min: [0, 0, 0], max: [1, 1, 1] };
  const at = (position, on = true) => {
    cut.place({ on, axis: "x", position, flip: false }, box);
    cut.close(views, null);
    return live();
  };
  const one = at(0.1);
  assert.equal(one, none + 4, "two stencils; a cap and its square");
  for (const position of [0.2, 0.4, 0.6]) assert.equal(at(position), one);
  assert.equal(cut.planes[0].distanceToPoint(new Vector3(0.6, 0, 0)), 0);
  assert.equal(at(0.6, false), none + 1, "the square is kept for the next time");
});

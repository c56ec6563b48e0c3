import assert from "node:assert/strict";
import test from "node:test";
import { load } from "./load.mjs";

const { lay_out, leader } = await load("view/label_layout.ts");

const kHeight = 20, kView = 600;
const tag = (x, y, width = 60) => ({ x, y, width, height: kHeight });
const fresh = (tags, height = kView) => lay_out(tags, [], height);
const box = ({ x, y, width, height }, { shift }) => ({ left: x - width / 2, right: x + width / 2, top: y - 1.4 * height + shift, bottom: y - 0.4 * height + shift });

function covers_none(tags, spots) {
  const boxes = tags.map(box_at(spots)).filter((_, i) => spots[i].shown);
  for (const [i, a] of boxes.entries())
    for (const b of boxes.slice(i + 1))
      if (a.left < b.right && b.left < a.right && a.top < b.bottom - 1e-9 && b.top < a.bottom - 1e-9) return false;
  return true;
}
const box_at = (spots) => (t, i) => box(t, spots[i]);

/** Numbers between 0 and 1, the same each time. */
function dice(seed) {
  let x = seed;
  return () => ((x = (x * 1103515245 + 12345) % 2147483648) / 2147483648);
}

test("labels that have room stay where they are, without a line", () => {
  const tags = [tag(100, 100), tag(170, 100), tag(100, 130)];
  const spots = fresh(tags);
  for (const spot of spots) assert.deepEqual({ shift: Math.abs(spot.shift), shown: spot.shown }, { shift: 0, shown: true });
  assert.deepEqual(tags.map((t, i) => leader(t, spots[i])), [null, null, null]);
});

test("of two at one place the more important one stays, the other moves up beside it", () => {
  const tags = [tag(100, 100), tag(110, 100)];
  const spots = fresh(tags);
  assert.deepEqual(spots, [{ shift: 0, shown: true }, { shift: -23, shown: true }]);
  assert.deepEqual(leader(tags[1], spots[1]), { top: 69, length: 31 }); // from its lower edge to its place
  // One whose place is lower moves down: that is nearer. Its line, if any, goes up to its place.
  const lower = [tag(100, 100), tag(110, 110)];
  assert.deepEqual(fresh(lower)[1], { shift: 13, shown: true });
  assert.equal(leader(lower[1], { shift: 13, shown: true }), null); // the label lies on its place
  assert.deepEqual(leader(lower[1], { shift: 40, shown: true }), { top: 110, length: 12 });
});

test("no label covers another, wherever they are; the first one stays at its place", () => {
  const next = dice(7);
  for (let round = 0; round < 500; ++round) {
    const tags = Array.from({ length: 1 + Math.floor(12 * next()) }, () => tag(300 + 200 * next(), 300 + 120 * next(), 40 + 60 * next()));
    const spots = fresh(tags);
    assert.ok(covers_none(tags, spots));
    assert.deepEqual({ ...spots[0], shift: Math.abs(spots[0].shift) }, { shift: 0, shown: true });
    for (const { shift } of spots) assert.ok(Math.abs(shift) <= 3 * kHeight);
  }
});

test("what finds no room near its place is hidden until there is room again", () => {
  const crowd = Array.from({ length: 12 }, () => tag(100, 300));
  const spots = fresh(crowd);
  assert.deepEqual(spots.map((s) => s.shown), crowd.map((_, i) => i < 5)); // two above, two below
  assert.ok(covers_none(crowd, spots));
  assert.equal(leader(crowd[11], spots[11]), null);
  const apart = crowd.map((t, i) => ({ ...t, x: 100 + 80 * i }));
  assert.ok(lay_out(apart, spots, kView).every((s) => s.shown && Math.abs(s.shift) === 0));
});

test("nothing is moved out of the view", () => {
  const above = [tag(100, 30), tag(100, 30), tag(100, 30)];
  assert.deepEqual(fresh(above).map((s) => s.shift), [0, 23, 46]);
  const below = [tag(100, 595), tag(100, 595), tag(100, 598)];
  assert.deepEqual(fresh(below).map((s) => s.shift), [0, -23, -49]);
  assert.deepEqual(fresh([tag(10, 30), tag(10, 30)], 40).map((s) => s.shown), [true, false]);
});

test("labels do not jump to and fro where places tremble", () => {
  const next = dice(3);
  // At the limits where a label goes up or down, is moved or not, is shown or not.
  for (const [x, y, others] of [[110, 100, []], [163, 98, []], [100, 101, []], [100, 114, [77, 123, 146, 169].map((y) => [100, y])]]) {
    let before = [];
    let changes = 0;
    for (let frame = 0; frame < 200; ++frame) {
      const tremble = () => 1.5 * (next() - 0.5);
      const tags = [tag(100, 100), ...others.map(([ox, oy]) => tag(ox, oy)), tag(x + tremble(), y + tremble())];
      const spots = lay_out(tags, before, kView);
      const now = spots.at(-1), then = before.at(-1);
      if (then && (now.shown !== then.shown || Math.abs(now.shift - then.shift) > 5)) ++changes;
      before = spots;
    }
    assert.ok(changes <= 1, `${changes} jumps at ${x}, ${y}`);
  }
});

test("while the camera turns, labels slide; they seldom jump", () => {
  // Six places on a sphere that turns, as pairs of a scene do.
  const next = dice(11);
  const places = Array.from({ length: 6 }, () => [40 * (next() - 0.5), 40 * (next() - 0.5), 40 * (next() - 0.5)]);
  const frames = 720;
  let before = [];
  let jumps = 0;
  for (let frame = 0; frame < frames; ++frame) {
    const turn = (2 * Math.PI * frame) / frames;
    const tags = places.map(([x, y, z]) => tag(300 + x * Math.cos(turn) + y * Math.sin(turn), 300 + z + 0.4 * (y * Math.cos(turn) - x * Math.sin(turn))));
    const spots = lay_out(tags, before, kView);
    assert.ok(covers_none(tags, spots));
    spots.forEach((s, i) => {
      if (before[i] && (s.shown !== before[i].shown || Math.abs(s.shift - before[i].shift) > 3)) ++jumps;
    });
    before = spots;
  }
  assert.ok(jumps <= 12, `${jumps} jumps`);
});

// Small vectors, quaternions and poses, in doubles. A pose is [tx, ty, tz, qx, qy, qz, qw].

import type { Box, Pose, Vec3 } from "../engine/types.ts";

export type Quat = [number, number, number, number];

export const add = (a: Vec3, b: Vec3): Vec3 => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
export const sub = (a: Vec3, b: Vec3): Vec3 => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
export const scale = (a: Vec3, s: number): Vec3 => [a[0] * s, a[1] * s, a[2] * s];
export const length = (a: Vec3): number => Math.hypot(a[0], a[1], a[2]);
export const middle = (box: Box): Vec3 => scale(add(box.min, box.max), 0.5);
export const diagonal = (box: Box): number => length(sub(box.max, box.min));

export const place_of = (pose: Pose): Vec3 => [pose[0], pose[1], pose[2]];
export const turn_of = (pose: Pose): Quat => [pose[3], pose[4], pose[5], pose[6]];
export const make_pose = (place: Vec3, turn: Quat): Pose => [...place, ...turn];

export function multiply(a: Quat, b: Quat): Quat {
  const [ax, ay, az, aw] = a;
  const [bx, by, bz, bw] = b;
  return [
    aw * bx + ax * bw + ay * bz - az * by,
    aw * by + ay * bw + az * bx - ax * bz,
    aw * bz + az * bw + ax * by - ay * bx,
    aw * bw - ax * bx - ay * by - az * bz,
  ];
}
export const conjugate = (q: Quat): Quat => [-q[0], -q[1], -q[2], q[3]];
export function normalized(q: Quat): Quat {
  const n = Math.hypot(...q) || 1;
  return [q[0] / n, q[1] / n, q[2] / n, q[3] / n];
}
export function rotate(q: Quat, v: Vec3): Vec3 {
  const [x, y, z, w] = q;
  const tx = 2 * (y * v[2] - z * v[1]);
  const ty = 2 * (z * v[0] - x * v[2]);
  const tz = 2 * (x * v[1] - y * v[0]);
  return [
    v[0] + w * tx + (y * tz - z * ty),
    v[1] + w * ty + (z * tx - x * tz),
    v[2] + w * tz + (x * ty - y * tx),
  ];
}
export function about(axis: Vec3, angle: number): Quat {
  const n = length(axis) || 1;
  const s = Math.sin(angle / 2) / n;
  return [axis[0] * s, axis[1] * s, axis[2] * s, Math.cos(angle / 2)];
}

export const to_world = (pose: Pose, p: Vec3): Vec3 => add(rotate(turn_of(pose), p), place_of(pose));
export const to_local = (pose: Pose, p: Vec3): Vec3 => rotate(conjugate(turn_of(pose)), sub(p, place_of(pose)));

/** The pose turned about a point of the world. */
export function turned(pose: Pose, turn: Quat, pivot: Vec3): Pose {
  const q = normalized(multiply(turn, turn_of(pose)));
  return make_pose(add(pivot, rotate(turn, sub(place_of(pose), pivot))), q);
}
export const moved = (pose: Pose, by: Vec3): Pose => make_pose(add(place_of(pose), by), turn_of(pose));

export function box_corners(box: Box): Vec3[] {
  const corners: Vec3[] = [];
  for (const x of [box.min[0], box.max[0]])
    for (const y of [box.min[1], box.max[1]]) for (const z of [box.min[2], box.max[2]]) corners.push([x, y, z]);
  return corners;
}

export function box_of(points: Vec3[]): Box {
  const box: Box = { min: [Infinity, Infinity, Infinity], max: [-Infinity, -Infinity, -Infinity] };
  for (const p of points)
    for (let k = 0; k < 3; ++k) {
      box.min[k] = Math.min(box.min[k], p[k]);
      box.max[k] = Math.max(box.max[k], p[k]);
    }
  return box;
}

/** Of the box's corners where the pose takes them: holds the object, and is not larger than needed by much. */
export const world_box = (pose: Pose, box: Box): Box => box_of(box_corners(box).map((p) => to_world(pose, p)));

export const is_usable = (box: Box): boolean => [...box.min, ...box.max].every(Number.isFinite);

export const widened = (box: Box, by: number): Box => ({
  min: sub(box.min, [by, by, by]),
  max: add(box.max, [by, by, by]),
});

const kDegree = Math.PI / 180;

/** Degrees about x, then y, then z of the turned axes (three's order XYZ). */
export function to_angles(q: Quat): Vec3 {
  const [x, y, z, w] = q;
  const m13 = 2 * (x * z + w * y);
  const clamped = Math.max(-1, Math.min(1, m13));
  if (Math.abs(m13) < 0.9999999)
    return [
      Math.atan2(2 * (w * x - y * z), 1 - 2 * (x * x + y * y)) / kDegree,
      Math.asin(clamped) / kDegree,
      Math.atan2(2 * (w * z - x * y), 1 - 2 * (y * y + z * z)) / kDegree,
    ];
  return [Math.atan2(2 * (y * z + w * x), 1 - 2 * (x * x + z * z)) / kDegree, Math.asin(clamped) / kDegree, 0];
}
export const from_angles = (degrees: Vec3): Quat =>
  normalized(
    multiply(
      multiply(about([1, 0, 0], degrees[0] * kDegree), about([0, 1, 0], degrees[1] * kDegree)),
      about([0, 0, 1], degrees[2] * kDegree),
    ),
  );

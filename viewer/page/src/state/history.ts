// Undo and redo of moves and of pulls.

import type { Pose } from "../engine/types.ts";

/** What poses were and became, of one or several objects. */
export interface MoveStep {
  before: [number, Pose][];
  after: [number, Pose][];
}

/** Which vertices of an object were where, and went where: three numbers each, relative to its origin. */
export interface PullStep {
  id: number;
  vertices: Uint32Array;
  before: Float32Array;
  after: Float32Array;
  /** The object was not deformed before. */
  first: boolean;
}

export type Step = MoveStep | PullStep;

export const is_pull = (step: Step): step is PullStep => "vertices" in step;

/** The step from some positions to others; null where they are the same. */
export function pull_step(id: number, from: Float32Array, to: Float32Array, first: boolean): PullStep | null {
  const moved: number[] = [];
  for (let v = 0; v < from.length / 3; ++v)
    if (from[3 * v] !== to[3 * v] || from[3 * v + 1] !== to[3 * v + 1] || from[3 * v + 2] !== to[3 * v + 2]) moved.push(v);
  const of = (all: Float32Array): Float32Array => Float32Array.from(moved.flatMap((v) => [all[3 * v], all[3 * v + 1], all[3 * v + 2]]));
  return moved.length === 0 ? null : { id, vertices: Uint32Array.from(moved), before: of(from), after: of(to), first };
}

const kMostSteps = 500;
const kMostVertices = 5_000_000; // of all pulls: 28 bytes each

export class History {
  private done: Step[] = [];
  private undone: Step[] = [];

  push(step: Step): void {
    this.done.push(step);
    this.undone = [];
    while (this.done.length > kMostSteps || (this.done.length > 1 && this.vertices > kMostVertices)) this.done.shift();
  }

  private get vertices(): number {
    return this.done.reduce((sum, step) => sum + (is_pull(step) ? step.vertices.length : 0), 0);
  }

  undo(): Step | null {
    const step = this.done.pop();
    if (!step) return null;
    this.undone.push(step);
    return step;
  }

  redo(): Step | null {
    const step = this.undone.pop();
    if (!step) return null;
    this.done.push(step);
    return step;
  }

  get can_undo(): boolean {
    return this.done.length > 0;
  }
  get can_redo(): boolean {
    return this.undone.length > 0;
  }

  /** The object has another shape now, to which pulls do not lead back. */
  forget_pulls(id: number): void {
    const kept = (step: Step): boolean => !is_pull(step) || step.id !== id;
    this.done = this.done.filter(kept);
    this.undone = this.undone.filter(kept);
  }

  clear(): void {
    this.done = [];
    this.undone = [];
  }
}

// Undo and redo of moves. A step is what poses were and became, of one or several objects.

import type { Pose } from "../engine/types.ts";

export interface Step {
  before: [number, Pose][];
  after: [number, Pose][];
}

const kMostSteps = 500;

export class History {
  private done: Step[] = [];
  private undone: Step[] = [];

  push(step: Step): void {
    this.done.push(step);
    if (this.done.length > kMostSteps) this.done.shift();
    this.undone = [];
  }

  undo(): [number, Pose][] | null {
    const step = this.done.pop();
    if (!step) return null;
    this.undone.push(step);
    return step.before;
  }

  redo(): [number, Pose][] | null {
    const step = this.undone.pop();
    if (!step) return null;
    this.done.push(step);
    return step.after;
  }

  get can_undo(): boolean {
    return this.done.length > 0;
  }
  get can_redo(): boolean {
    return this.undone.length > 0;
  }

  clear(): void {
    this.done = [];
    this.undone = [];
  }
}

// Runs in the worker that worker.ts starts: makes the calls that come as messages, and answers with copies.

import { Lamella, LamellaError, load } from './index.js';
import { isNumberArray } from './codec.js';

interface Request {
  id: number;
  /** 0: the library itself; -1: load it. */
  object: number;
  method: string;
  args: unknown[];
}

/** Arguments that a method changes: they go back with the reply. */
const changes: Record<string, number[]> = { pushOut: [1, 2], addForces: [1, 3] };

const objects = new Map<number, any>();
const numbers = new Map<object, number>();
let last = 0;

function remember(object: object): number {
  let id = numbers.get(object);
  if (id === undefined) {
    id = ++last;
    objects.set(id, object);
    numbers.set(object, id);
  }
  return id;
}

function forget(id: number) {
  const object = objects.get(id);
  if (object === undefined) return;
  objects.delete(id);
  numbers.delete(object);
  object.free?.();
}

function alive(object: any): any {
  if (object === undefined) throw new LamellaError('this object was freed');
  return object;
}

/** Arguments: what stands for an object of this side becomes that object. */
function arrive(value: any): any {
  if (Array.isArray(value)) return value.map(arrive);
  if (value !== null && typeof value === 'object' && !isNumberArray(value)) {
    if (typeof value.$object === 'number') return alive(objects.get(value.$object));
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, arrive(member)]));
  }
  return value;
}

/** Results: objects with methods stay here and are named; arrays are copied; the rest goes as it is. */
function leave(value: any): any {
  if (value === null || typeof value !== 'object') return value;
  if (isNumberArray(value)) return value.slice();
  if (Array.isArray(value)) return value.map(leave);
  const plain = Object.getPrototypeOf(value) === Object.prototype;
  const names = plain ? Object.keys(value) : ['positions', 'triangles', 'origin'].filter((name) => name in value);
  const out: Record<string, unknown> = {};
  for (const name of names) out[name] = leave(value[name]);
  if (!plain || typeof value.free === 'function') out.$object = remember(value);
  return out;
}

function call(target: any, method: string, given: unknown[]): { result: unknown; changed: [number, unknown][] } {
  if (method === 'allocateMesh') {
    throw new LamellaError("allocateMesh: a worker's memory cannot be written into from here; use mesh()");
  }
  const args = given.map(arrive);
  const result = leave(target[method](...args));
  return { result, changed: (changes[method] ?? []).map((i) => [i, leave(args[i])]) };
}

export function serve(post: (message: unknown) => void): (request: Request) => Promise<void> {
  let lamella: Lamella | undefined;
  return async ({ id, object, method, args }) => {
    try {
      if (object === -1) {
        lamella = await load(args[0] as object);
        post({ id, result: null });
      } else if (method === '$free') {
        forget(object);
        post({ id, result: null });
      } else {
        post({ id, ...call(object === 0 ? lamella : alive(objects.get(object)), method, args) });
      }
    } catch (error) {
      post({ id, error: { name: (error as Error).name, message: (error as Error).message } });
    }
  };
}

/** Which call it was is not known: the worker ends, and with it all of them. */
function fail(): never {
  throw new Error('a message to the worker could not be read');
}

declare const process: { versions?: { node?: string } } | undefined;
if (typeof process !== 'undefined' && process?.versions?.node !== undefined) {
  const name = 'node:worker_threads';
  const { parentPort } = await import(/* @vite-ignore */ name);
  const handle = serve((message) => parentPort.postMessage(message));
  parentPort.on('message', handle);
  parentPort.on('messageerror', fail);
} else {
  const handle = serve((message) => (self as any).postMessage(message));
  self.onmessage = (event: MessageEvent) => handle(event.data);
  self.onmessageerror = fail;
}

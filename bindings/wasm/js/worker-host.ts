// Runs in the worker that worker.ts starts: makes the calls that come as messages, and answers with copies.

import { Lamella, load } from './index.js';
import { isNumberArray } from './codec.js';

interface Request {
  id: number;
  /** 0: the library itself; -1: load it. */
  object: number;
  method: string;
  args: unknown[];
}

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

/** Arguments: what stands for an object of this side becomes that object. */
function arrive(value: any): any {
  if (Array.isArray(value)) return value.map(arrive);
  if (value !== null && typeof value === 'object' && !isNumberArray(value)) {
    if (typeof value.$object === 'number') return objects.get(value.$object);
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, arrive(member)]));
  }
  return value;
}

/** Results: objects with methods stay here and are named; arrays are copied; the rest goes as it is. */
function leave(value: any): any {
  if (value === null || typeof value !== 'object') return value;
  if (isNumberArray(value)) return value.slice();
  if (Array.isArray(value)) return value.map(leave);
  const named = Object.getPrototypeOf(value) !== Object.prototype || typeof value.free === 'function';
  const out: Record<string, unknown> = {};
  for (const name of Object.keys(value)) if (name !== 'data' && name !== '$') out[name] = leave(value[name]);
  if (Object.getPrototypeOf(value) !== Object.prototype) {
    for (const name of ['positions', 'triangles', 'origin']) if (name in value) out[name] = leave(value[name]);
  }
  if (named) out.$object = remember(value);
  return out;
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
        const target: any = object === 0 ? lamella : objects.get(object);
        if (target === undefined) throw new Error('this object was freed');
        post({ id, result: leave(target[method](...args.map(arrive))) });
      }
    } catch (error) {
      post({ id, error: { name: (error as Error).name, message: (error as Error).message } });
    }
  };
}

declare const process: { versions?: { node?: string } } | undefined;
if (typeof process !== 'undefined' && process?.versions?.node !== undefined) {
  const name = 'node:worker_threads';
  const { parentPort } = await import(/* @vite-ignore */ name);
  const handle = serve((message) => parentPort.postMessage(message));
  parentPort.on('message', handle);
} else {
  const handle = serve((message) => (self as any).postMessage(message));
  self.onmessage = (event: MessageEvent) => handle(event.data);
}

// The library in a worker of its own, so that a page does not stall: every function returns a promise.
//
//   const lamella = await connect();
//   const a = await lamella.mesh(positions, triangles), b = await lamella.readMesh(bytes, 'ply');
//   const { verdict, volume } = await lamella.intersect(a, b);

import type { Batch, Detector, ImageBody, Lamella, Mesh, ParticlePushOut, RigidWorld, Scene, VolumeContact } from './index.js';
import { LamellaError, LoadOptions } from './engine.js';

type Held = Batch | Detector | ImageBody | Mesh | ParticlePushOut | RigidWorld | Scene | VolumeContact;

/** Arguments may be the objects of this side. */
type Given<T> = T extends Held ? Remote<T> | T : T extends number[] | readonly number[] ? T : T extends (infer U)[] ? Given<U>[] : T;
type Returned<T> = T extends Held
  ? Remote<T>
  : T extends (infer U)[]
    ? Returned<U>[]
    : T extends { mesh: Mesh }
      ? Omit<T, 'mesh'> & { mesh: Remote<Mesh> }
      : T;

/** The same functions, as promises. Of a mesh, arrays are copies as they were when it came. */
export type Remote<T> = {
  [K in keyof T]: K extends 'free'
    ? () => Promise<void>
    : T[K] extends (...args: infer A) => infer R
      ? (...args: { [I in keyof A]: Given<A[I]> }) => Promise<Returned<Awaited<R>>>
      : T[K];
};

export interface ConnectOptions extends Omit<LoadOptions, 'factory'> {
  /** The worker to use, which must run worker-host.js. When not given, one is made of the file beside this one. */
  worker?: Worker;
}

/** An Remote<Lamella> with close(), which ends the worker. */
export type RemoteLamella = Remote<Lamella> & { close(): void };

declare const process: { versions?: { node?: string } } | undefined;
const inNode = typeof process !== 'undefined' && process?.versions?.node !== undefined;

interface Port {
  post(message: unknown): void;
  listen(message: (data: any) => void, error: (what: Error) => void): void;
  close(): void;
}

async function open(given?: Worker): Promise<Port> {
  if (inNode && given === undefined) {
    const name = 'node:worker_threads';
    const { Worker: Thread } = await import(/* @vite-ignore */ name);
    const thread = new Thread(new URL('worker-host.js', import.meta.url));
    return {
      post: (message) => thread.postMessage(message),
      listen: (message, error) => {
        thread.on('message', message);
        thread.on('error', error);
      },
      close: () => thread.terminate(),
    };
  }
  const worker = given ?? new Worker(new URL('worker-host.js', import.meta.url), { type: 'module' });
  return {
    post: (message) => worker.postMessage(message),
    listen: (message, error) => {
      worker.onmessage = (event) => message(event.data);
      worker.onerror = (event) => error(new Error(event.message || 'the worker could not be started'));
    },
    close: () => worker.terminate(),
  };
}

/** Starts the worker and loads the engine in it. */
export async function connect(options: ConnectOptions = {}): Promise<RemoteLamella> {
  const { worker, ...load } = options;
  const port = await open(worker);
  const waiting = new Map<number, { resolve: (value: any) => void; reject: (why: Error) => void }>();
  let last = 0;
  const freed = new FinalizationRegistry<number>((object) => void send(object, '$free', []));

  function send(object: number, method: string, args: unknown[]): Promise<any> {
    const id = ++last;
    return new Promise((resolve, reject) => {
      waiting.set(id, { resolve, reject });
      port.post({ id, object, method, args });
    });
  }

  const remotes = new WeakMap<object, number>();
  const leave = (value: any): any => {
    if (value === null || typeof value !== 'object' || ArrayBuffer.isView(value)) return value;
    const id = remotes.get(value);
    if (id !== undefined) return { $object: id };
    if (Array.isArray(value)) return value.map(leave);
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, leave(member)]));
  };
  const arrive = (value: any): any => {
    if (value === null || typeof value !== 'object' || ArrayBuffer.isView(value)) return value;
    if (Array.isArray(value)) return value.map(arrive);
    const members = Object.fromEntries(Object.entries(value).map(([name, member]) => [name, arrive(member)]));
    if (typeof members.$object !== 'number') return members;
    const id = members.$object;
    delete members.$object;
    return remote(id, members);
  };
  function remote(object: number, members: Record<string, unknown>): any {
    const proxy: any = new Proxy(members, {
      get: (target, name) => {
        if (typeof name !== 'string' || name === 'then' || name in target) return (target as any)[name];
        if (name === 'free') {
          return () => {
            freed.unregister(proxy);
            return send(object, '$free', []);
          };
        }
        return async (...args: unknown[]) => arrive(await send(object, name, args.map(leave)));
      },
    });
    remotes.set(proxy, object);
    if (object > 0) freed.register(proxy, object, proxy);
    return proxy;
  }

  port.listen(
    ({ id, result, error }) => {
      const call = waiting.get(id);
      waiting.delete(id);
      if (call === undefined) return;
      if (error !== undefined) {
        call.reject(error.name === 'LamellaError' ? new LamellaError(error.message) : new Error(error.message));
      } else {
        call.resolve(result);
      }
    },
    (why) => {
      for (const call of waiting.values()) call.reject(why);
      waiting.clear();
    },
  );
  try {
    await send(-1, 'load', [load]);
  } catch (error) {
    port.close();
    throw error;
  }
  return remote(0, { close: () => port.close() });
}

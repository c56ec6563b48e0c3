// The library in a worker of its own, so that a page does not stall: every function returns a promise.
//
//   const lamella = await connect();
//   const a = await lamella.mesh(positions, triangles), b = await lamella.readMesh(bytes, 'ply');
//   const { verdict, volume } = await lamella.intersect(a, b);

import type { Batch, Detector, ImageBody, Lamella, Mesh, ParticlePushOut, RigidWorld, Scene, VolumeContact } from './index.js';
import { Calls, NodeWorker, open } from './calls.js';
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

/**
 * The same functions, as promises. Of a mesh, arrays are copies as they were when it came; read() and write() reach the
 * positions that the worker has.
 */
export type Remote<T> = {
  [K in keyof T]: K extends 'free'
    ? () => Promise<void>
    : T[K] extends (...args: infer A) => infer R
      ? (...args: { [I in keyof A]: Given<A[I]> }) => Promise<Returned<Awaited<R>>>
      : T[K];
};

export interface ConnectOptions extends Omit<LoadOptions, 'factory'> {
  /**
   * The worker to use, a page's or one of node:worker_threads, which must run worker-host.js. When not given, one is
   * made of the file beside this one.
   */
  worker?: Worker | NodeWorker;
}

/**
 * A Remote<Lamella> with close(), which ends the worker: calls that are not answered by then, and later ones, are
 * rejected. So they are when the worker ends by itself.
 */
export type RemoteLamella = Omit<Remote<Lamella>, 'allocateMesh'> & { close(): void };

/** Starts the worker and loads the engine in it. */
export async function connect(options: ConnectOptions = {}): Promise<RemoteLamella> {
  const { worker, ...load } = options;
  const calls = new Calls(await open(worker));
  // Of a worker that has ended nothing is left to free.
  const free = (object: number): Promise<void> => calls.send(object, '$free', []).catch(() => {});
  const freed = new FinalizationRegistry<number>(free);

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
            return free(object);
          };
        }
        return async (...args: unknown[]) => arrive(await calls.send(object, name, args.map(leave), args));
      },
    });
    remotes.set(proxy, object);
    if (object > 0) freed.register(proxy, object, proxy);
    return proxy;
  }

  try {
    await calls.send(-1, 'load', [load]);
  } catch (error) {
    calls.end(error as Error);
    throw error;
  }
  return remote(0, { close: () => calls.end(new LamellaError('the worker was closed')) });
}

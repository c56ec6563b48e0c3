// The module: how it is loaded, and calls of its functions.

import { Decoder, Encoder, kindOf, NumberArray, Place } from './codec.js';

export interface LoadOptions {
  /**
   * Threads to use, at least 1. When not given: all cores, where pages may share memory between threads
   * (crossOriginIsolated), and in Node; else 1. More than 1 elsewhere is an error.
   */
  threads?: number;
  /**
   * 'all': all of the library. When not given: what pages need most, a smaller file. docs/wasm.md has the list; what
   * is not there is a LamellaError that says so.
   */
  parts?: 'all';
  /** The bytes of the module's .wasm file, lamella-engine.wasm when no other is asked for, for pages without a server. */
  wasmBinary?: ArrayBuffer | Uint8Array;
  /** The default export of lamella-engine.js, for pages that have all code in one file; then there are no threads. */
  factory?: ModuleFactory;
}

export type ModuleFactory = (options: object) => Promise<Module>;

interface Module {
  HEAPU8: Uint8Array;
  _lamella_start(threads: number): void;
  _lamella_allocate(bytes: number): number;
  _lamella_free(address: number): void;
  _lamella_call(request: number, size: number): number;
  _lamella_reply(): number;
  _lamella_reply_size(): number;
}

/** What the engine could not do, in the library's own words. */
export class LamellaError extends Error {
  override name = 'LamellaError';
}

declare const process: { versions?: { node?: string } } | undefined;
const inNode = typeof process !== 'undefined' && process?.versions?.node !== undefined;

function canShare(): boolean {
  return typeof SharedArrayBuffer !== 'undefined' && (inNode || (globalThis as any).crossOriginIsolated === true);
}

// So that bundlers leave Node's modules alone.
const nodeImport = (name: string) => import(/* @vite-ignore */ name);

async function cores(): Promise<number> {
  if (inNode) return (await nodeImport('node:os')).cpus().length;
  return (globalThis as any).navigator?.hardwareConcurrency ?? 1;
}

async function bytesOf(file: URL): Promise<Uint8Array> {
  return (await nodeImport('node:fs')).readFileSync(file);
}

export async function loadEngine(options: LoadOptions = {}): Promise<Engine> {
  const share = canShare() && options.factory === undefined;
  if (options.threads !== undefined && !(Number.isInteger(options.threads) && options.threads >= 1)) {
    throw new LamellaError('threads: a whole number, 1 or more, was expected');
  }
  if (!share && (options.threads ?? 1) > 1) {
    throw new LamellaError(
      'threads: this page may not share memory between threads; serve it with the headers ' +
        'Cross-Origin-Opener-Policy: same-origin and Cross-Origin-Embedder-Policy: require-corp, or ask for 1 thread',
    );
  }
  const threads = options.threads ?? (share ? Math.max(1, await cores()) : 1);
  if (options.parts !== undefined && options.parts !== 'all') throw new LamellaError("parts: 'all' was expected, or nothing");
  const name = `lamella-engine${options.parts === 'all' ? '-full' : ''}${threads > 1 ? '-threads' : ''}`;
  let factory = options.factory;
  if (factory === undefined) {
    if (inNode && threads > 1) await nodeImport(new URL('node-workers.js', import.meta.url).href);
    const file = new URL(`${name}.js`, import.meta.url).href;
    factory = (await import(/* @vite-ignore */ file)).default as ModuleFactory;
  }
  let wasmBinary = options.wasmBinary;
  if (wasmBinary === undefined && inNode) wasmBinary = await bytesOf(new URL(`${name}.wasm`, import.meta.url));
  const settings: Record<string, unknown> = { threads, wasmBinary };
  if (wasmBinary === undefined) delete settings.wasmBinary;
  if (inNode) settings.printErr = () => {}; // "Blocking on the main thread is very dangerous": not in Node
  const module = await factory(settings);
  module._lamella_start(threads);
  return new Engine(module, threads);
}

export class Engine {
  private readonly temporary: number[] = [];
  private readonly encoder = new Encoder((array) => this.place(array));
  private request = 0;
  private requestSize = 0;
  private readonly freed = new FinalizationRegistry<number>((id) => this.free(id));

  constructor(
    private readonly module: Module,
    readonly threads: number,
  ) {}

  readonly memory = (): ArrayBufferLike => this.module.HEAPU8.buffer;

  /**
   * Calls a function of the module.
   * @param changed arrays among the arguments that the function changes: they are copied back
   */
  call(name: string, args: object, changed: NumberArray[] = []): any {
    const copies: [NumberArray, Place][] = [];
    try {
      for (const array of changed) {
        if (array.buffer !== this.memory()) copies.push([array, this.copyIn(array)]);
      }
      this.pending = copies;
      const bytes = this.encoder.encode([name, args]);
      this.write(bytes);
      const ok = this.module._lamella_call(this.request, bytes.length);
      const at = this.module._lamella_reply() >>> 0; // numbers of wasm have a sign
      const reply = this.module.HEAPU8.subarray(at, at + this.module._lamella_reply_size());
      const value = new Decoder(reply, this.memory).value();
      if (!ok) throw new LamellaError(value);
      for (const [array, place] of copies) {
        const bytesOfIt = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
        bytesOfIt.set(this.module.HEAPU8.subarray(place.address, place.address + array.byteLength));
      }
      return value;
    } finally {
      this.pending = [];
      for (const address of this.temporary) this.module._lamella_free(address);
      this.temporary.length = 0;
    }
  }

  /** Frees the object with this number when `owner` is gone. */
  watch(owner: object, id: number) {
    this.freed.register(owner, id, owner);
  }
  unwatch(owner: object) {
    this.freed.unregister(owner);
  }
  free(id: number) {
    this.call('free', { object: id });
  }

  private pending: [NumberArray, Place][] = [];

  private allocate(bytes: number): number {
    const address = this.module._lamella_allocate(bytes) >>> 0;
    if (address === 0) throw new LamellaError(`out of memory: no room for ${bytes} bytes; free what is no longer used`);
    return address;
  }

  private copyIn(array: NumberArray): Place {
    const address = this.allocate(array.byteLength);
    this.temporary.push(address);
    this.module.HEAPU8.set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength), address);
    return { kind: kindOf(array), address, count: array.length };
  }

  private place(array: NumberArray): Place {
    if (array.buffer === this.memory()) return { kind: kindOf(array), address: array.byteOffset, count: array.length };
    const known = this.pending.find(([given]) => given === array);
    return known !== undefined ? known[1] : this.copyIn(array);
  }

  private write(bytes: Uint8Array) {
    if (bytes.length > this.requestSize) {
      if (this.request !== 0) this.module._lamella_free(this.request);
      this.request = 0;
      this.requestSize = 0;
      const size = 2 * bytes.length + 4096;
      this.request = this.allocate(size);
      this.requestSize = size;
    }
    this.module.HEAPU8.set(bytes, this.request);
  }
}

// Calls to a worker by messages.

import { LamellaError } from './engine.js';

/** What is used of a Worker of node:worker_threads. */
export interface NodeWorker {
  postMessage(message: unknown): void;
  on(event: string, listener: (what: any) => void): unknown;
  terminate(): unknown;
}

interface Reply {
  id: number;
  result: unknown;
  /** Arguments that the call changed, by their places. */
  changed?: [number, unknown][];
  error?: { name: string; message: string };
}

declare const process: { versions?: { node?: string } } | undefined;
const inNode = typeof process !== 'undefined' && process?.versions?.node !== undefined;

export interface Port {
  post(message: unknown): void;
  /** `ended` is called when no more replies will come. */
  listen(message: (reply: Reply) => void, ended: (why: Error) => void): void;
  close(): void;
}

const unreadable = () => new Error('a message of the worker could not be read');

function portOfThread(thread: NodeWorker): Port {
  return {
    post: (message) => thread.postMessage(message),
    listen: (message, ended) => {
      thread.on('message', message);
      thread.on('messageerror', () => ended(unreadable()));
      thread.on('error', ended);
      thread.on('exit', (status) => ended(new Error(`the worker ended with status ${status}`)));
    },
    close: () => thread.terminate(),
  };
}

function portOfWorker(worker: Worker): Port {
  return {
    post: (message) => worker.postMessage(message),
    listen: (message, ended) => {
      worker.onmessage = (event) => message(event.data);
      worker.onmessageerror = () => ended(unreadable());
      worker.onerror = (event) => ended(new Error(event.message || 'the worker could not be started'));
    },
    close: () => worker.terminate(),
  };
}

export async function open(given?: Worker | NodeWorker): Promise<Port> {
  if (given !== undefined) return 'on' in given ? portOfThread(given) : portOfWorker(given);
  if (!inNode) return portOfWorker(new Worker(new URL('worker-host.js', import.meta.url), { type: 'module' }));
  const name = 'node:worker_threads';
  const { Worker: Thread } = await import(/* @vite-ignore */ name);
  return portOfThread(new Thread(new URL('worker-host.js', import.meta.url)));
}

interface Waiting {
  args: unknown[];
  resolve: (value: any) => void;
  reject: (why: Error) => void;
}

/** Calls by messages, of which each has its answer, or is rejected once the worker has ended. */
export class Calls {
  private readonly waiting = new Map<number, Waiting>();
  private last = 0;
  private dead: Error | null = null;

  constructor(private readonly port: Port) {
    port.listen(
      (reply) => this.answer(reply),
      (why) => this.end(why),
    );
  }

  /**
   * @param args as the worker gets them
   * @param given the same as the caller has them: what the call changes is written into their arrays
   */
  send(object: number, method: string, args: unknown[], given: unknown[] = args): Promise<any> {
    return new Promise((resolve, reject) => {
      if (this.dead !== null) throw this.dead;
      const id = ++this.last;
      this.port.post({ id, object, method, args });
      this.waiting.set(id, { args: given, resolve, reject });
    });
  }

  end(why: Error) {
    if (this.dead !== null) return;
    this.dead = why;
    this.port.close();
    for (const call of this.waiting.values()) call.reject(why);
    this.waiting.clear();
  }

  private answer({ id, result, changed, error }: Reply) {
    const call = this.waiting.get(id);
    this.waiting.delete(id);
    if (call === undefined) return;
    if (error !== undefined) {
      call.reject(error.name === 'LamellaError' ? new LamellaError(error.message) : new Error(error.message));
      return;
    }
    try {
      for (const [i, values] of changed ?? []) (call.args[i] as Float64Array | undefined)?.set(values as Float64Array);
      call.resolve(result);
    } catch (why) {
      call.reject(why as Error); // an array that the caller gave away meanwhile
    }
  }
}

// Node has no Worker as browsers do, which a module with threads starts its threads with: this adds one, made of
// Node's worker_threads. Import it before such a module is made.
import { Worker as Thread } from 'node:worker_threads';

class NodeWorker {
  constructor(url) {
    this.thread = new Thread(new URL('node-thread.js', import.meta.url), { workerData: String(url) });
    this.thread.on('message', (data) => this.onmessage?.({ data, target: this }));
    this.thread.on('error', (error) => this.onerror?.(error));
    this.thread.once('message', () => this.thread.unref()); // it has loaded: idle, it does not keep the program alive
  }
  postMessage(message, transfer) {
    this.thread.postMessage(message, transfer);
  }
  terminate() {
    return this.thread.terminate();
  }
}

globalThis.Worker ??= NodeWorker;

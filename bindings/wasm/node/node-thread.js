// A thread of a module, in Node: what a browser's worker has, then the module's own worker file.
import { parentPort, workerData } from 'node:worker_threads';

globalThis.self = globalThis;
globalThis.postMessage = (message, transfer) => parentPort.postMessage(message, transfer);
const early = []; // what comes before the file is there
self.onmessage = (event) => early.push(event);
parentPort.on('message', (data) => self.onmessage({ data }));
await import(workerData);
for (const event of early) self.onmessage(event);

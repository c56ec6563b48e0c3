// Runs in the browser: the works in a worker, with one thread and with two, and a call through lamella/worker.
const send = (kind, body) => fetch(`/result/${kind}`, { method: 'POST', body: JSON.stringify(body) });

function inWorker(threads) {
  return new Promise((resolve, reject) => {
    const worker = new Worker('/tests/browser-worker.mjs', { type: 'module' });
    worker.onmessage = ({ data }) => (data.error === undefined ? resolve(data.lines) : reject(new Error(data.error)));
    worker.onerror = (event) => reject(new Error(event.message || 'the worker could not be started'));
    worker.postMessage(threads);
  });
}

async function remote() {
  const { connect } = await import('/package/worker.js');
  const lamella = await connect();
  const bytes = new Uint8Array(await (await fetch('/models/blob_800.ply')).arrayBuffer());
  const a = await lamella.readMesh(bytes, 'ply');
  const b = await lamella.transformed(a, [0.5, 0, 0]);
  const overlap = await lamella.intersect(a, b, { resolution: 48 });
  const error = await lamella.readMesh(new Uint8Array([1, 2, 3]), 'glb', { name: 'x' }).catch((e) => e.message);
  const { threads } = await lamella.about();
  lamella.close();
  return { volume: overlap.volume, spans: overlap.spans.length, error, threads };
}

try {
  await send('isolated', crossOriginIsolated);
  await send('single', await inWorker(1));
  await send('threads', await inWorker(2));
  await send('remote', await remote());
} catch (error) {
  await send('error', String(error?.stack ?? error));
}

// What lamella/worker promises: the package's functions as promises, each of which is settled, also by a worker that ends.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import { Worker } from 'node:worker_threads';
import { cube, needPackage, packageFolder } from './support.mjs';

needPackage();
const { connect } = await import(join(packageFolder, 'worker.js'));
const { load } = await import(join(packageFolder, 'index.js'));

/** A cube on the other side. */
function cubeMesh(remote, at = [0, 0, 0], type = Float32Array) {
  const { positions, triangles } = cube(1, at);
  return remote.mesh(new type(positions), new Uint32Array(triangles));
}
async function connected(t, options) {
  const remote = await connect({ threads: 1, ...options });
  t.after(() => remote.close());
  return remote;
}

test('the worker gives the same as promises', async () => {
  const remote = await connect({ threads: 2 });
  const { positions, triangles } = cube();
  const a = await remote.mesh(new Float32Array(positions), new Uint32Array(triangles));
  const b = await remote.transformed(a, [0.5, 0.5, 0.5]);
  const overlap = await remote.intersect(a, b, { resolution: 32 });
  assert.equal(overlap.volume, 0.125);
  assert.equal(overlap.spans.length, 3 * overlap.spanCount);
  await overlap.free();
  await assert.rejects(remote.intersect(a, b, { resolution: 0 }), { name: 'LamellaError', message: /resolution/ });
  const scene = await remote.scene({ resolution: 32 });
  await scene.add(a);
  await scene.add(b);
  assert.equal((await scene.collide()).pairs.length, 1);
  await scene.free();
  assert.equal((await remote.about()).threads, 2);
  remote.close();
});

test('arrays that a call changes are changed on this side', async (t) => {
  const remote = await connected(t, { parts: 'all' });
  const body = await cubeMesh(remote);
  const pushOut = await remote.particlePushOut(body, { resolution: 32 });
  const all = new Float32Array([9, 9, 9, 0.5, 0.5, 0.9]);
  const positions = all.subarray(3), velocities = new Float32Array(3);
  const report = await pushOut.pushOut(body.positions, positions, velocities);
  assert.equal(report.pushes.length, 9);
  assert.ok(Math.abs(positions[2] - 1) < 1e-4, `${positions}`);
  assert.deepEqual([...all.slice(0, 3)], [9, 9, 9]);

  const a = await cubeMesh(remote, [0, 0, 0], Float64Array), b = await cubeMesh(remote, [0, 0, 0.9], Float64Array);
  const contact = await remote.volumeContact({ resolution: 32 });
  const forces = [new Float64Array(24), new Float64Array(24)];
  await contact.addForces(a, forces[0], b, forces[1]);
  const here = await load({ threads: 1, parts: 'all' });
  const expected = [new Float64Array(24), new Float64Array(24)];
  here
    .volumeContact({ resolution: 32 })
    .addForces(cubeMesh(here, [0, 0, 0], Float64Array), expected[0], cubeMesh(here, [0, 0, 0.9], Float64Array), expected[1]);
  assert.ok(expected[0].some((x) => x !== 0));
  assert.deepEqual(forces, expected);

  const inverseMassesA = new Float64Array(8).fill(1), inverseMassesB = new Float64Array(8).fill(1);
  await contact.project(a, b, { inverseMassesA, inverseMassesB });
  const moved = await a.read();
  assert.ok(moved[14] < 0.99, `${moved}`);
  await a.write(cube().positions);
  assert.deepEqual(await a.read(), new Float64Array(cube().positions));
});

test('positions of a mesh are read and written, and room that cannot be filled is refused', async (t) => {
  const remote = await connected(t);
  const mesh = await cubeMesh(remote);
  await mesh.write(new Float32Array(cube(2).positions));
  assert.equal(await remote.signedVolume(mesh), 8);
  assert.deepEqual(await mesh.read(), new Float32Array(cube(2).positions));
  await assert.rejects(mesh.write([1, 2, 3]), { name: 'LamellaError', message: /24 numbers/ });
  await assert.rejects(remote.allocateMesh(8, 12), { name: 'LamellaError', message: /mesh\(\)/ });
  await mesh.free();
  for (const call of [mesh.read(), remote.signedVolume(mesh)])
    await assert.rejects(call, { name: 'LamellaError', message: /freed/ });
});

test('what is not answered when the worker is closed is rejected, and what comes later', async () => {
  const remote = await connect({ threads: 1 });
  const mesh = await cubeMesh(remote);
  const refused = { name: 'LamellaError', message: /closed/ };
  const pending = assert.rejects(remote.signedVolume(mesh), refused);
  remote.close();
  await pending;
  await assert.rejects(remote.about(), refused);
  await mesh.free(); // it went with the worker
  remote.close();
});

/** A worker that answers load(), and does `then` when anything else is asked. */
const workerThat = (then) =>
  new Worker(
    `const { parentPort } = require('node:worker_threads');
     parentPort.on('message', ({ id, method }) => {
       if (method === 'load') return parentPort.postMessage({ id, result: null });
       ${then}
     });`,
    { eval: true },
  );
for (const [what, then, message] of [
  ['throws', "throw new Error('a fault')", /a fault/],
  ['exits', 'process.exit(3)', /status 3/],
])
  test(`a worker that ${what} rejects what was asked, and what is asked later`, async () => {
    const remote = await connect({ worker: workerThat(then) });
    const calls = [remote.about(), remote.about()];
    for (const call of calls) await assert.rejects(call, { message });
    await assert.rejects(remote.about(), { message });
  });

/** As a page's worker: answers load(), then only what `then` does. */
class PageWorker {
  postMessage({ id, method }) {
    queueMicrotask(() => (method === 'load' ? this.onmessage({ data: { id, result: null } }) : this.then()));
  }
  terminate() {
    this.terminated = true;
  }
}
for (const [what, then] of [
  ['fails', (worker) => worker.onerror({ message: 'not read' })],
  ['sends what cannot be read', (worker) => worker.onmessageerror({})],
])
  test(`a page's worker that ${what} rejects what was asked, and is ended`, async () => {
    const worker = new PageWorker();
    worker.then = () => then(worker);
    const remote = await connect({ worker });
    await assert.rejects(remote.about(), { message: /read/ });
    await assert.rejects(remote.about(), { message: /read/ });
    assert.equal(worker.terminated, true);
  });

test('what cannot be sent is an error', async (t) => {
  const remote = await connected(t);
  await assert.rejects(remote.scene({ engine: () => {} }), { name: 'DataCloneError' });
  assert.equal((await remote.about()).threads, 1);
});

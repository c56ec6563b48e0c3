// What the package promises in JavaScript: arrays in place, errors, memory, threads.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { brotliCompressSync } from 'node:zlib';
import { cube, needPackage, packageFolder } from './support.mjs';

needPackage();
const { asFloats, LamellaError, load } = await import(join(packageFolder, 'index.js'));
const lamella = await load({ threads: 1 });
const whole = await load({ threads: 1, parts: 'all' });

function cubeMesh(size, at, type = Float32Array, of = lamella) {
  const { positions, triangles } = cube(size, at);
  return of.mesh(new type(positions), new Uint32Array(triangles));
}

test('npm can install it: it has a name, and everything that it exports', () => {
  const described = JSON.parse(readFileSync(join(packageFolder, 'package.json')));
  assert.equal(described.name, 'lamella');
  const files = Object.values(described.exports).flatMap((e) => (typeof e === 'string' ? [e] : Object.values(e)));
  for (const file of [described.main, described.types, ...files]) assert.ok(readFileSync(join(packageFolder, file)).length > 0, file);
});

test('what it exports is found by name', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'lamella-names-'));
  try {
    mkdirSync(join(folder, 'node_modules'));
    symlinkSync(packageFolder, join(folder, 'node_modules', 'lamella'));
    const find = createRequire(join(folder, 'page.js')).resolve;
    const names = Object.keys(JSON.parse(readFileSync(find('lamella/package.json'))).exports);
    for (const engine of ['lamella-engine', 'lamella-engine-full'])
      for (const end of ['js', 'wasm']) assert.ok(names.includes(`./${engine}.${end}`));
    for (const name of names) assert.ok(readFileSync(find(join('lamella', name))).length > 0, name);
    assert.equal((await import(find('lamella'))).load, load);
    assert.equal(typeof (await import(find('lamella/worker'))).connect, 'function');
    for (const engine of ['lamella/lamella-engine', 'lamella/lamella-engine-full']) {
      const { default: factory } = await import(find(`${engine}.js`));
      const one = await load({ factory, wasmBinary: readFileSync(find(`${engine}.wasm`)) });
      assert.equal(one.signedVolume(cubeMesh(1, [0, 0, 0], Float32Array, one)), 1);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('what load() fetches for one thread has at most 300 kB, compressed', () => {
  const files = readdirSync(packageFolder).filter((file) => /^(index|chunk-.*|lamella-engine)\.(js|wasm)$/.test(file));
  assert.ok(files.includes('lamella-engine.wasm'));
  const sizes = files.map((file) => brotliCompressSync(readFileSync(join(packageFolder, file))).length);
  assert.ok(sizes.reduce((sum, size) => sum + size) <= 300_000, `${files}: ${sizes}`);
});

test('two cubes share an eighth', () => {
  const a = cubeMesh(), b = cubeMesh(1, [0.5, 0.5, 0.5]);
  const overlap = lamella.intersect(a, b, { resolution: 32, certify: true });
  assert.equal(overlap.verdict, 'colliding');
  assert.equal(overlap.volume, 0.125);
  assert.equal(overlap.certificate.certain, true);
  assert.deepEqual(overlap.grid.columns, 32);
  assert.equal(overlap.spans.length, 3 * overlap.spanCount);
  assert.equal(asFloats(overlap.spans)[2], 0.5);
  const prisms = lamella.prisms(overlap);
  assert.ok(Math.abs(lamella.signedVolume(prisms) - 0.125) < 1e-6);
});

test('positions may be floats, doubles or a list, and have an origin', () => {
  const { positions, triangles } = cube();
  for (const mesh of [cubeMesh(), cubeMesh(1, [0, 0, 0], Float64Array), lamella.mesh(positions, triangles)])
    assert.equal(lamella.signedVolume(mesh), 1);
  const far = lamella.mesh(new Float32Array(positions), new Uint32Array(triangles), [1e9, 0, 0]);
  assert.deepEqual(far.origin, [1e9, 0, 0]);
  assert.equal(lamella.intersect(far, lamella.mesh(new Float32Array(positions), triangles, [1e9 + 0.5, 0, 0])).volume, 0.5);
});

test('a mesh is written in place, and seen by the next call', () => {
  const mesh = lamella.allocateMesh(8, 12);
  mesh.positions.set(cube().positions);
  mesh.triangles.set(cube().triangles);
  assert.equal(lamella.signedVolume(mesh), 1);
  for (let i = 0; i < mesh.positions.length; ++i) mesh.positions[i] *= 2;
  assert.equal(lamella.signedVolume(mesh), 8);
});

test('positions are copied and replaced as a whole', () => {
  for (const type of [Float32Array, Float64Array]) {
    const mesh = cubeMesh(1, [0, 0, 0], type);
    const before = mesh.read();
    mesh.write(cube(2).positions);
    assert.deepEqual(before, new type(cube().positions));
    assert.deepEqual(mesh.read(), new type(cube(2).positions));
    assert.equal(lamella.signedVolume(mesh), 8);
    assert.throws(() => mesh.write(before.subarray(3)), { name: 'LamellaError', message: /24 numbers.*21/ });
  }
});

test('arrays survive that memory grows', () => {
  const mesh = cubeMesh();
  const overlap = lamella.intersect(mesh, cubeMesh(1, [0.5, 0, 0]), { resolution: 16 });
  const before = overlap.spans.slice();
  const large = lamella.allocateMesh(4_000_000, 4_000_000); // 96 MB: more than there was
  assert.deepEqual(overlap.spans, before);
  assert.deepEqual([...mesh.positions], cube().positions);
  large.free();
});

test('what the library refuses is an error with its message', () => {
  const bad = lamella.mesh(new Float32Array(9), new Uint32Array([0, 1, 7]));
  assert.throws(() => lamella.intersect(bad, cubeMesh()), { name: 'LamellaError', message: /7/ });
  assert.throws(() => lamella.intersect(cubeMesh(), cubeMesh(), { engine: 'cuda' }), { name: 'LamellaError', message: /cuda/ });
  assert.throws(() => lamella.intersect(cubeMesh(), cubeMesh(), { resolution: 0 }), { name: 'LamellaError', message: /resolution/ });
  assert.throws(() => lamella.intersect(cubeMesh(), cubeMesh(), { resoluton: 9 }), { message: /no option 'resoluton'.*resolution/ });
  assert.throws(() => lamella.intersect(cubeMesh(), cubeMesh(), { resolution: '9' }), { message: /resolution: a number/ });
  assert.throws(() => lamella.intersect(cubeMesh(), cubeMesh(), { resolution: -1 }), { message: /resolution: a whole number/ });
  assert.throws(() => lamella.intersect(cubeMesh(), cubeMesh(), { axis: 'w' }), { message: /axis: one of x, y, z/ });
  assert.throws(() => lamella.readMesh(new Uint8Array(), 'ply', { name: 'a.ply' }), { message: /^a\.ply: / });
  assert.throws(() => lamella.mesh([0, 0], []), LamellaError);
  for (const type of [Float32Array, Float64Array])
    assert.throws(() => lamella.contains(cubeMesh(), new type(4)), { name: 'LamellaError', message: /points: three numbers/ });
});

test('a freed object is refused', () => {
  const mesh = cubeMesh();
  mesh.free();
  mesh.free();
  assert.throws(() => lamella.signedVolume(mesh), { message: /freed/ });
  for (const use of [() => mesh.positions.fill(0), () => mesh.triangles, () => mesh.read(), () => mesh.write([])])
    assert.throws(use, { name: 'LamellaError', message: /freed/ });
  const scene = lamella.scene();
  scene.free();
  assert.throws(() => scene.collide(), { message: /freed/ });
});

test('memory stays flat when everything is freed', () => {
  const rounds = (count) => {
    for (let i = 0; i < count; ++i) {
      const a = cubeMesh(), b = cubeMesh(1, [0.5, 0.5, 0.5]);
      lamella.intersect(a, b, { resolution: 64 }).free();
      a.free();
      b.free();
    }
    return cubeMesh().positions.buffer.byteLength;
  };
  const first = rounds(50);
  assert.equal(rounds(500), first);
});

test('only CPU engines are in this build', () => {
  for (const [of, names] of [
    [lamella, ['software']],
    [whole, ['software', 'reference', 'software-wscg']],
  ]) {
    const { engines, threads } = of.about();
    assert.equal(threads, 1);
    assert.deepEqual(engines.filter(({ available }) => available).map(({ name }) => name).sort(), [...names].sort());
    for (const { available, why } of engines) if (!available) assert.match(why, /not in this build|built without/i);
  }
});

test('particles are set onto the surface, in the arrays that were given', () => {
  const body = cubeMesh(1, [0, 0, 0], Float32Array, whole);
  const pushOut = whole.particlePushOut(body, { resolution: 32 });
  const positions = new Float32Array([0.5, 0.5, 0.9, 3, 3, 3]), velocities = new Float32Array(6);
  const report = pushOut.pushOut(body.positions, positions, velocities);
  assert.equal(report.pushes.length, 9);
  assert.ok(Math.abs(positions[2] - 1) < 1e-4, `${positions}`);
  assert.deepEqual([...positions.slice(3)], [3, 3, 3]);
});

test('soft bodies push each other apart', () => {
  const a = cubeMesh(1, [0, 0, 0], Float64Array, whole), b = cubeMesh(1, [0, 0, 0.9], Float64Array, whole);
  const contact = whole.volumeContact({ resolution: 32 });
  const forcesA = new Float64Array(24), forcesB = new Float64Array(24);
  const report = contact.addForces(a, forcesA, b, forcesB);
  assert.ok(Math.abs(report.volume - 0.1) < 0.01);
  const sum = (forces) => forces.reduce((s, x, i) => (i % 3 === 2 ? s + x : s), 0);
  assert.ok(sum(forcesA) < 0 && sum(forcesB) > 0);
  const before = whole.intersect(a, b, { resolution: 32 }).volume;
  const inverseMassesA = new Float64Array(8).fill(1), inverseMassesB = new Float64Array(8).fill(1);
  contact.project(a, b, { inverseMassesA, inverseMassesB });
  assert.ok(whole.intersect(a, b, { resolution: 32 }).volume < 0.5 * before);
});

test('what the smaller module has not is an error that names the remedy', async () => {
  const refused = { name: 'LamellaError', message: /load\(\{ parts: 'all' \}\)/ };
  assert.throws(() => lamella.makeImages(cubeMesh()), refused);
  assert.throws(() => lamella.imageFromHeights(new Float32Array(25), [0, 0, 0], [1, 1, 1]), refused);
  assert.throws(() => lamella.imageOfSphere(5), refused);
  const ball = whole.imageOfSphere(5), small = lamella.imageFromPositions(ball.positions);
  for (const fit of ['published', 'publishedEnclosing']) assert.throws(() => lamella.imageBody([small], fit), refused);
  assert.throws(() => lamella.meshOfImage(ball), refused);
  assert.throws(() => lamella.pyramid(ball), refused);
  assert.throws(() => lamella.closest(cubeMesh(), new Float32Array(3)), refused);
  assert.throws(() => lamella.batch(), refused);
  for (const engine of ['reference', 'software-wscg'])
    assert.throws(() => lamella.intersect(cubeMesh(), cubeMesh(), { engine }), refused);
  assert.throws(() => lamella.contains(cubeMesh(), new Float32Array(3), { exact: true }), refused);
  assert.throws(() => lamella.particlePushOut(cubeMesh()), refused);
  assert.throws(() => lamella.volumeContact(), refused);
  await assert.rejects(load({ parts: 'some' }), { name: 'LamellaError', message: /parts/ });
});

test('an image of layers is asked again and again', () => {
  const a = lamella.buildLdi(cubeMesh(), { resolution: 16 });
  assert.equal(a.offsets.length, 257);
  assert.equal(a.crossings.length, 512);
  const b = lamella.buildLdi(cubeMesh(1, [0.5, 0, 0]), {}, a.grid);
  assert.equal(lamella.intersectLdis(a, b).volume, 0.5);
  const refused = { name: 'LamellaError', message: /same grid/ };
  for (const other of [{ columns: 8, rows: 8 }, { columns: 32, rows: 32 }, { box: { min: [0, 0, 0], max: [1, 1, 2] } }])
    assert.throws(() => lamella.intersectLdis(a, lamella.buildLdi(cubeMesh(), {}, { ...a.grid, ...other })), refused);
  assert.equal(lamella.selfIntersectLdi(a).volume, 0);
  assert.deepEqual([...lamella.containedInLdi(a, new Float32Array([0.5, 0.5, 0.5, 2, 2, 2])).inside], [1, 0]);
});

test('geometry images collide, also after they deformed', () => {
  const ball = whole.imageOfSphere(6);
  const body = () => lamella.imageBody([lamella.imageFromPositions(ball.positions)]);
  const a = body(), b = body();
  assert.equal(lamella.collideImages(a, undefined, b, [1.5, 0, 0]).verdict, 'colliding');
  assert.equal(lamella.collideImages(a, undefined, b, [2.5, 0, 0]).verdict, 'clear');
  assert.equal(lamella.collideImages(a, undefined, cubeMesh(), [0, 0, 1.5]).verdict, 'clear');
  const found = lamella.collideImages(a, undefined, cubeMesh(), [0, 0, 0.5], { all: true });
  assert.ok(found.pairs.length > 4 && found.pairs.length % 4 === 0);
  b.refit(0, ball.positions.map((x) => 2 * x));
  assert.equal(lamella.collideImages(a, undefined, b, [2.5, 0, 0]).verdict, 'colliding');
});

test('a detector keeps meshes', () => {
  const detector = lamella.detector({ resolution: 32 });
  const a = detector.add(cubeMesh()), b = detector.add(cubeMesh(1, [0.5, 0, 0]));
  assert.equal(detector.intersect(a, b).volume, 0.5);
  detector.deform(b, new Float32Array(cube(1, [0.75, 0, 0]).positions));
  assert.equal(detector.intersect(a, b).volume, 0.25);
  assert.equal(detector.intersect(cubeMesh(), cubeMesh(1, [0.5, 0.5, 0])).volume, 0.25);
});

test('threads that a page cannot have are an error', async () => {
  await assert.rejects(load({ threads: 0 }), { message: /threads/ });
});

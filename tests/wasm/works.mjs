// The works of answers.cpp, through the package: yields the same lines.

const words = new TextEncoder();
const box8 = new Float64Array(1), bytes8 = new Uint8Array(box8.buffer);

/** As Digest in answers.cpp. */
class Digest {
  hash = 2166136261;
  bytes(bytes) {
    let h = this.hash;
    for (let i = 0; i < bytes.length; ++i) h = Math.imul(h ^ bytes[i], 16777619);
    this.hash = h;
  }
  number(x) {
    box8[0] = x;
    this.bytes(bytes8);
  }
  text(x) {
    this.bytes(words.encode(x));
  }
  array(x) {
    this.bytes(new Uint8Array(x.buffer, x.byteOffset, x.byteLength));
  }
  add(x) {
    if (x === null) this.text('null');
    else if (typeof x === 'number') this.number(x);
    else if (typeof x === 'boolean') this.number(x ? 1 : 0);
    else if (typeof x === 'string') this.text(x);
    else if (ArrayBuffer.isView(x)) this.array(x);
    else if (Array.isArray(x)) for (const item of x) this.add(item);
    else if (x.constructor !== Object) this.mesh(x);
    else for (const name of Object.keys(x)) if (name !== 'ms') this.add(x[name]);
  }
  mesh(mesh) {
    this.array(mesh.positions);
    this.array(mesh.triangles);
    this.add(mesh.origin);
  }
  toString() {
    return (this.hash >>> 0).toString(16).padStart(8, '0');
  }
}

function line(name, work) {
  const digest = new Digest();
  try {
    work(digest);
    return `${name} ${digest}`;
  } catch (error) {
    if (error.name !== 'LamellaError') throw error;
    return `${name} error ${error.message}`;
  }
}
const answered = (name, work) =>
  line(name, (digest) => {
    const answer = work();
    digest.add(answer);
    answer?.free?.();
  });

function* numbers() {
  for (let state = 1; ; ) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    yield Math.fround((state >>> 8) / 16777216);
  }
}
function pointsIn(box, count) {
  const number = numbers();
  const out = new Float32Array(3 * count);
  for (let i = 0; i < out.length; ++i) {
    const k = i % 3;
    const size = Math.fround(box.max[k] - box.min[k]);
    out[i] = Math.fround(box.min[k] + Math.fround(number.next().value * size));
  }
  return out;
}

function* askPair(lamella, whole, name, a, b) {
  for (const engine of lamella === whole ? ['software', 'reference', 'software-wscg'] : ['software'])
    yield answered(`${name} intersect ${engine}`, () => lamella.intersect(a, b, { engine, resolution: 40 }));
  yield answered(`${name} certify`, () => lamella.intersect(a, b, { resolution: 64, certify: true, ends: true }));
  yield answered(`${name} tolerance`, () => lamella.intersect(a, b, { tolerance: { relative: 0.01 } }));
  yield answered(`${name} vertices`, () => lamella.verticesInside(a, b, { resolution: 64 }));
  yield answered(`${name} gradient`, () => lamella.volumeGradient(a, b, { resolution: 64 }));
  yield answered(`${name} separation`, () => lamella.separation(a, b, { directions: 100 }));
  yield answered(`${name} shifts`, () => lamella.freeShifts(a, b, [1, 2, 3], 64));
  yield answered(`${name} sweep`, () => lamella.sweep(a, b, [0.25, -0.5, 1]));
  yield answered(`${name} distance`, () => lamella.distance(a, b));
}

function* askMesh(lamella, whole, name, mesh) {
  yield line(`${name} mesh`, (digest) => digest.mesh(mesh));
  yield answered(`${name} inspect`, () => lamella.inspect(mesh));
  yield answered(`${name} repair`, () => lamella.repair(mesh).mesh);
  yield answered(`${name} report`, () => lamella.repair(mesh).report);
  yield answered(`${name} closed`, () => lamella.closed(mesh));
  yield answered(`${name} self`, () => lamella.selfIntersect(mesh, { resolution: 64 }));
  const points = pointsIn(lamella.bounds(mesh), 500);
  yield answered(`${name} contains`, () => lamella.contains(mesh, points, { resolution: 64 }));
  if (lamella !== whole) return;
  yield answered(`${name} exact`, () => lamella.contains(mesh, points, { resolution: 32, exact: true }));
  yield line(`${name} closest`, (digest) => {
    const found = lamella.closest(mesh, points);
    digest.array(found.distances.map((x) => (x !== x ? NaN : x)));
    for (const x of found.positions) digest.number(x);
    for (const x of found.normals) digest.number(x);
    for (const x of found.triangles) digest.number(x);
    digest.add(found.health);
    found.free();
  });
}

function* askScene(lamella, meshes) {
  const scene = lamella.scene({ resolution: 48 });
  const ids = meshes.map((mesh, i) => scene.add(mesh, [0.25 * i, 0, 0, 0, 0, 0, 1]));
  yield answered('scene collide', () => scene.collide());
  for (let frame = 1; frame <= 3; ++frame) {
    for (let i = 0; i < ids.length; i += 2) scene.move(ids[i], [0.25 * i, 0.125 * frame, 0, 0, 0.6, 0, 0.8]);
    yield answered(`scene frame ${frame}`, () => scene.collide());
  }
  yield answered('scene sweep', () => scene.sweep(ids[0], [2, 0, 0]));
  yield answered('scene separation', () => scene.separation(ids[0], ids[1], 100));
  scene.free();
}

function* askWorld(lamella, box, other) {
  const world = lamella.rigidWorld({}, { resolution: 32 });
  world.add(box, [0, 0, -1], { fixed: true });
  const ids = [0, 1, 2].map((i) => world.add(other, [0.25 * i, 0.125 * i, 1.5 + 2 * i, 0, 0.6, 0, 0.8]));
  for (let step = 1; step <= 40; ++step) {
    world.step(1 / 60);
    if (step % 10 !== 0) continue;
    yield line(`world step ${step}`, (digest) => {
      for (const id of ids) digest.add(world.body(id));
      digest.number(world.sums().kineticEnergy);
    });
  }
  world.free();
}

function* askBatch(lamella, a, b) {
  const batch = lamella.batch({ resolution: 48 });
  const x = batch.add(a), y = batch.add(b);
  const pairs = Array.from({ length: 8 }, (_, i) => ({ a: x, b: y, poseB: [0.125 * i, 0, 0, 0, 0.6, 0, 0.8] }));
  yield answered('batch', () => batch.intersect(pairs));
  yield answered('batch gradients', () => batch.volumeGradients(pairs));
  batch.free();
}

function* makeImages(lamella, ball, made) {
  yield line('image sphere', (digest) => digest.add(ball));
  yield line('image make', (digest) => {
    for (const { image, report } of made) {
      digest.add(image);
      digest.add(report);
    }
  });
  for (const fit of ['fast', 'tight', 'published'])
    yield line(`image pyramid ${fit}`, (digest) => digest.array(lamella.pyramid(ball, fit).spheres));
}
/** @param wholeMesh `mesh` in `whole`, which makes the images */
function* askImages(lamella, whole, mesh, wholeMesh) {
  const ball = whole.imageOfSphere(5, [0.25, 0, 0], 0.5), made = whole.makeImages(wholeMesh, { n: 5 });
  if (lamella === whole) yield* makeImages(lamella, ball, made);
  const own = (image) => (lamella === whole ? image : lamella.imageFromPositions(image.positions));
  const a = lamella.imageBody([own(ball)]), b = lamella.imageBody(made.map(({ image }) => own(image)));
  const pose = [0.25, 0.125, 0, 0, 0.6, 0, 0.8];
  yield answered('image collide first', () => lamella.collideImages(a, undefined, b, pose));
  yield answered('image collide all', () => lamella.collideImages(a, undefined, b, pose, { all: true }));
  yield answered('image mesh', () => lamella.collideImages(a, undefined, mesh, undefined, { all: true }));
}

function* askFiles(lamella, files) {
  for (const { name, bytes } of files) {
    const format = name.split('/')[0];
    if (format === 'xyz') {
      yield line(`file ${name}`, (digest) => {
        for (const x of lamella.readPoints(bytes, format, { name: 'file' })) digest.number(x);
      });
      continue;
    }
    yield line(`file ${name}`, (digest) => {
      const mesh = lamella.readMesh(bytes, format, { name: 'file' });
      digest.mesh(mesh);
      mesh.free();
    });
    yield line(`parts ${name}`, (digest) => {
      for (const { name: part, mesh } of lamella.readParts(bytes, format, { split: 'components', name: 'file' })) {
        digest.text(part);
        digest.mesh(mesh);
        mesh.free();
      }
    });
  }
}

/**
 * @param names of all models, in the order in which answers.cpp made them
 * @param read bytes of a model's .ply file
 * @param files seeds: {name, bytes}, sorted by name
 * @param few leaves out most models and hard meshes
 * @param whole the package with all parts, where `lamella` has not: what it lacks is left out
 */
export function* works(lamella, names, read, files, few = false, whole = lamella) {
  const mesh = (name) => lamella.readMesh(read(name), 'ply');
  const models = names.filter((name) => !/_\d+$|^hard_/.test(name));
  const meshes = models.map(mesh);
  for (let i = 0; i < meshes.length; ++i) {
    if (few && i > 1) continue;
    yield* askMesh(lamella, whole, models[i], meshes[i]);
    yield* askPair(lamella, whole, `${models[i]} and next`, meshes[i], meshes[(i + 1) % meshes.length]);
  }
  yield* askScene(lamella, meshes);
  const box = mesh('box_200'), blob = mesh('blob_800'), sphere = mesh('sphere_600');
  yield* askWorld(lamella, box, blob);
  if (lamella === whole) yield* askBatch(lamella, blob, sphere);
  yield* askImages(lamella, whole, blob, lamella === whole ? blob : whole.readMesh(read('blob_800'), 'ply'));
  for (const name of names.filter((n) => n.startsWith('hard_'))) {
    if (few && !name.endsWith('s')) continue;
    const hard = mesh(name);
    yield* askMesh(lamella, whole, name, hard);
    yield answered(`${name} intersect`, () => lamella.intersect(hard, sphere, { resolution: 48 }));
    hard.free();
  }
  yield* askFiles(lamella, files);
}

// The page alone, opened from disk: models, drags, files good and bad.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { after, before } from 'node:test';
import { pathToFileURL } from 'node:url';
import { ask_program, choose, drop, idle, open, page_file, program_text, scratch, start } from './browser.mjs';

const address = pathToFileURL(page_file).href;
let browser;
before(async () => {
  browser = await start();
});
after(() => browser.close());

const models = () => JSON.parse(program_text('models', '--json')).models.map((model) => model.name);
const state = (page) => page.evaluate(() => lamella.state());
const answer = (page) => page.evaluate(() => lamella.answer());

const tetrahedron = 'OFF\n4 4 0\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 2 1\n3 0 1 3\n3 1 2 3\n3 0 3 2\n';

/// The same as glTF, and its buffer. Without a name for the buffer's file the buffer is inside.
function gltf(file) {
  const positions = new Float32Array([0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1]);
  const corners = new Uint32Array([0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2]);
  const bytes = Buffer.concat([Buffer.from(positions.buffer), Buffer.from(corners.buffer)]);
  const json = JSON.stringify({
    asset: { version: '2.0' },
    scenes: [{ nodes: [0] }],
    scene: 0,
    nodes: [{ mesh: 0 }],
    meshes: [{ primitives: [{ attributes: { POSITION: 0 }, indices: 1 }] }],
    buffers: [{ byteLength: bytes.length, uri: file ?? `data:application/octet-stream;base64,${bytes.toString('base64')}` }],
    bufferViews: [
      { buffer: 0, byteOffset: 0, byteLength: 48 },
      { buffer: 0, byteOffset: 48, byteLength: 48 },
    ],
    accessors: [
      { bufferView: 0, componentType: 5126, count: 4, type: 'VEC3', min: [0, 0, 0], max: [1, 1, 1] },
      { bufferView: 1, componentType: 5125, count: 12, type: 'SCALAR' },
    ],
  });
  return { json, bytes };
}

test('every model loads', async () => {
  const tab = await open(browser, address);
  for (const name of models()) {
    const [id] = await tab.page.evaluate((model) => lamella.add(model), name);
    await idle(tab.page);
    const { objects, errors } = await state(tab.page);
    assert.deepEqual(errors, [], name);
    assert.equal(objects.find((object) => object.id === id).name, name);
    await tab.page.evaluate((one) => lamella.remove(one), id);
  }
  await tab.close();
});

test('a drag changes the volume to the very bits of the program', async () => {
  const tab = await open(browser, address);
  const [, phone] = await tab.page.evaluate(() => lamella.add('hand', 'phone'));
  await idle(tab.page);
  assert.equal((await answer(tab.page)).volume, ask_program('intersect', 'model:hand', 'model:phone').volume);

  // With the mouse: the gizmo's arrow along x, as people do.
  await tab.page.evaluate((id) => lamella.select(id), phone);
  await idle(tab.page);
  const before = (await state(tab.page)).objects.find((object) => object.id === phone).pose;
  const moved = await drag_gizmo(tab.page, phone);
  assert.notDeepEqual(moved, before, 'the drag moved the phone');
  const page_says = await answer(tab.page);
  const program_says = ask_program('intersect', 'model:hand', 'model:phone', '--pose-b', moved.join(','));
  assert.equal(page_says.volume, program_says.volume);
  assert.equal(page_says.volume_error, program_says.volume_error);
  assert.deepEqual(page_says.centroid, program_says.centroid);
  assert.equal(page_says.spans, program_says.spans);
  await tab.close();
});

async function drag_gizmo(page, id) {
  const at = (point) => page.evaluate((p) => lamella.screen(p), point);
  const { bounds, pose } = (await state(page)).objects.find((object) => object.id === id);
  const middle = [0, 1, 2].map((i) => (bounds.min[i] + bounds.max[i]) / 2 + pose[i]);
  const from = await at(middle);
  const along = await at([middle[0] + (bounds.max[0] - bounds.min[0]), middle[1], middle[2]]);
  const length = Math.hypot(along.x - from.x, along.y - from.y);
  const [dx, dy] = [(along.x - from.x) / length, (along.y - from.y) / length];
  // The arrow's length in pixels is the gizmo's own affair: try places along it until one takes hold.
  for (const reach of [40, 50, 60, 70, 80, 90]) {
    await page.mouse.move(from.x + reach * dx, from.y + reach * dy);
    await page.mouse.down();
    for (let step = 1; step <= 5; ++step) await page.mouse.move(from.x + (reach + 6 * step) * dx, from.y + (reach + 6 * step) * dy);
    await page.mouse.up();
    await idle(page);
    const now = (await state(page)).objects.find((object) => object.id === id).pose;
    if (now.some((value, i) => value !== pose[i])) return now;
  }
  return pose;
}

test('a pulled vertex changes the overlap', async () => {
  const tab = await open(browser, address);
  const [hand] = await tab.page.evaluate(() => lamella.add('hand', 'phone'));
  await idle(tab.page);
  const { volume } = await answer(tab.page);
  await tab.page.evaluate((id) => {
    const { bounds } = lamella.state().objects[0];
    lamella.pull(id, 0, bounds.max, true);
  }, hand);
  await idle(tab.page);
  const object = (await state(tab.page)).objects[0];
  assert.equal(object.deformed, true);
  assert.notEqual((await answer(tab.page)).volume, volume);
  await tab.close();
});

test('files of every format open, several at once', async () => {
  const folder = scratch();
  program_text('models', 'torus', '-o', folder);
  for (const name of ['torus.obj', 'torus.stl']) program_text('repair', join(folder, 'torus.ply'), '-o', join(folder, name));
  writeFileSync(join(folder, 'four.off'), tetrahedron);
  writeFileSync(join(folder, 'four.gltf'), gltf().json);
  const names = ['torus.ply', 'torus.obj', 'torus.stl', 'four.off', 'four.gltf'];
  const tab = await open(browser, address);
  await choose(tab.page, names.map((name) => join(folder, name)));
  const { objects, errors } = await state(tab.page);
  assert.deepEqual(errors, []);
  assert.equal(objects.length, names.length);
  assert.ok(objects.every((object) => object.closed));
  await tab.close();
});

test('a mesh that is dropped opens', async () => {
  const folder = scratch();
  program_text('models', 'torus', '-o', folder);
  const tab = await open(browser, address);
  await drop(tab.page, [join(folder, 'torus.ply')]);
  const { objects, errors } = await state(tab.page);
  assert.deepEqual(errors, []);
  assert.deepEqual(objects.map((object) => object.name), ['torus.ply']);
  assert.equal(objects[0].closed, true);
  assert.equal(await tab.page.evaluate(() => document.body.classList.contains('dropping')), false);
  await tab.close();
});

test('a glTF file opens with the buffer that is dropped beside it, among other files', async () => {
  const folder = scratch();
  const { json, bytes } = gltf('a%20buffer.bin');
  const files = [['a buffer.bin', bytes], ['skin.png', 'no picture'], ['four.gltf', json], ['four.off', tetrahedron], ['four.mtl', 'newmtl a']];
  for (const [name, content] of files) writeFileSync(join(folder, name), content);
  const tab = await open(browser, address);
  await drop(tab.page, files.map(([name]) => join(folder, name)));
  const { objects, errors } = await state(tab.page);
  assert.deepEqual(errors, []);
  assert.deepEqual(objects.map((object) => object.source.file), ['four.gltf', 'four.off']);
  assert.ok(objects.every(({ closed, volume }) => closed && Math.abs(volume - 1 / 6) < 1e-12));
  await tab.close();
});

test('what is missing or of no use among dropped files is named', async () => {
  const folder = scratch();
  const files = [['four.gltf', gltf('four.bin').json], ['notes.txt', 'no mesh']];
  for (const [name, content] of files) writeFileSync(join(folder, name), content);
  const tab = await open(browser, address);
  await drop(tab.page, files.map(([name]) => join(folder, name)));
  const { objects, errors } = await state(tab.page);
  assert.equal(objects.length, 0);
  assert.equal(errors.length, 2);
  assert.equal(errors[0], 'four.gltf: its buffer four.bin is a file of its own; open both together.');
  assert.match(errors[1], /^notes\.txt: is no mesh, by its name/);
  await tab.close();
});

test('a bad file shows the reader\'s own message', async () => {
  const folder = scratch();
  const bad = join(folder, 'bad.off');
  writeFileSync(bad, 'OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 9\n');
  let said = '';
  try {
    program_text('info', bad);
  } catch (error) {
    said = error.stderr;
  }
  assert.match(said, /bad\.off/);
  const sentence = said.slice(said.indexOf('bad.off')).trim().split('\n')[0];
  const tab = await open(browser, address);
  await choose(tab.page, bad);
  const { objects, errors } = await state(tab.page);
  assert.equal(objects.length, 0);
  assert.deepEqual(errors, [sentence]);
  assert.ok((await tab.page.textContent('[role=alert]')).includes(sentence));
  await tab.close();
});

test('a file of 1 GB is refused before it is read', async () => {
  const tab = await open(browser, address);
  const errors = await tab.page.evaluate(async () => {
    const chunk = new Uint8Array(1 << 24);
    await lamella.viewer.library.open_files([new File(Array.from({ length: 64 }, () => chunk), 'big.ply')]);
    return lamella.state().errors;
  });
  assert.equal(errors.length, 1);
  assert.match(errors[0], /^big\.ply has 1\.\d+ G.*up to .*lamella view/);
  await tab.page.evaluate(() => lamella.add('torus'));
  await idle(tab.page);
  assert.equal((await state(tab.page)).objects.length, 1, 'the page goes on');
  await tab.close();
});

test('names are text', async () => {
  const folder = scratch();
  const file = join(folder, 'x.off');
  const name = '<script>document.title="owned"</script><img src=x onerror=alert(1)>';
  writeFileSync(file, tetrahedron);
  const tab = await open(browser, address);
  await choose(tab.page, file);
  await tab.page.evaluate((text) => lamella.viewer.library.rename(lamella.state().objects[0].id, text), name);
  await tab.page.evaluate(() => lamella.select(lamella.state().objects[0].id));
  await idle(tab.page);
  assert.equal((await state(tab.page)).objects[0].name, name);
  assert.equal(await tab.page.locator('img[src=x]').count(), 0);
  assert.equal(await tab.page.title(), 'Lamella');
  assert.ok((await tab.page.textContent('aside')).includes('<script>'));
  await tab.close();
});

test('labels of pairs do not cover one another while the camera turns', async () => {
  const tab = await open(browser, address);
  const ids = await tab.page.evaluate(() => lamella.add('hand', 'phone', 'knot', 'serpent'));
  await tab.page.evaluate(() => lamella.kind('scene'));
  await idle(tab.page);
  const boxes = () =>
    tab.page.locator('.label').evaluateAll((labels) =>
      labels
        .filter((label) => label.style.opacity === '1')
        .map((label) => ({ text: label.textContent, ...label.getBoundingClientRect().toJSON() })),
    );
  for (let turn = 0; turn < 12; ++turn) {
    await tab.page.evaluate(() => lamella.viewer.stage.orbit(Math.PI / 6, 0));
    await idle(tab.page);
    const shown = await boxes();
    assert.ok(shown.length >= 3, `${shown.length} labels`);
    for (const [i, a] of shown.entries())
      for (const b of shown.slice(i + 1))
        assert.ok(a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top, `${a.text} and ${b.text}`);
  }
  // The least of all, when one looks at it.
  await tab.page.evaluate(([a, b]) => lamella.viewer.zoom_to_pair(a, b), ids);
  await idle(tab.page);
  assert.ok((await boxes()).some((label) => label.text.startsWith('398.')));
  await tab.close();
});

test('what is shared shows cleanly on glass of the same surface, and not on solid objects', async () => {
  const tab = await open(browser, address);
  await tab.page.evaluate(() => lamella.add('phone', 'phone'));
  await tab.page.addStyleTag({ content: '.labels, .tools { visibility: hidden; }' });
  const decoder = await browser.newPage();
  /// The view's pixels after a change: red, green, blue, opacity.
  const pixels = async (change) => {
    await tab.page.evaluate(change);
    await idle(tab.page);
    const picture = await tab.page.locator('canvas').screenshot();
    const text = await decoder.evaluate(async (base64) => {
      const image = new Image();
      image.src = `data:image/png;base64,${base64}`;
      await image.decode();
      const canvas = new OffscreenCanvas(image.width, image.height).getContext('2d');
      canvas.drawImage(image, 0, 0);
      return Array.from(canvas.getImageData(0, 0, image.width, image.height).data, (x) => String.fromCharCode(x)).join('');
    }, picture.toString('base64'));
    return Buffer.from(text, 'latin1');
  };
  const is_shared = (p, i) => p[i] > 150 && p[i + 1] < 0.65 * p[i] && p[i + 2] < 0.5 * p[i];
  const count = (p, test) => {
    let n = 0;
    for (let i = 0; i < p.length; i += 4) n += test(p, i);
    return n;
  };
  const glass = await pixels(() => lamella.select());
  const solid = await pixels(() => lamella.show({ surface: 'solid' }));
  const alone = await pixels(() => {
    lamella.viewer.bodies.group.visible = false;
    lamella.viewer.stage.invalidate();
  });
  const all = count(alone, is_shared);
  assert.ok(all > 5000, `${all} pixels`);
  const differ = count(alone, (p, i) => is_shared(p, i) && [0, 1, 2].some((c) => Math.abs(p[i + c] - glass[i + c]) > 12));
  assert.ok(differ < 0.02 * all, `${differ} of ${all} pixels differ`);
  const through = count(solid, is_shared); // a few: the shared surface is as exact as its cells
  assert.ok(through < 0.02 * all, `${through} of ${all} pixels show through`);
  await decoder.close();
  await tab.close();
});

test('an open mesh is told, shown and repaired', async () => {
  const folder = scratch();
  const file = join(folder, 'open.off');
  writeFileSync(file, tetrahedron.replace('4 4 0', '4 3 0').replace('3 0 3 2\n', ''));
  const tab = await open(browser, address);
  await choose(tab.page, file);
  const [object] = (await state(tab.page)).objects;
  assert.equal(object.closed, false);
  assert.equal(object.boundary_edges, 3);
  await tab.page.evaluate((id) => lamella.repair(id), object.id);
  await idle(tab.page);
  assert.equal((await state(tab.page)).objects[0].closed, true);
  await tab.close();
});

for (const name of ['cube', 'squeeze', 'surgery', 'particles', 'bunnies']) {
  test(`the simulation ${name} runs in the page`, async () => {
    const tab = await open(browser, address);
    await tab.page.evaluate((one) => lamella.simulate(one), name);
    await tab.page.evaluate(async () => {
      for (let i = 0; i < 3; ++i) await lamella.step();
    });
    await idle(tab.page);
    const { film, errors } = await state(tab.page);
    assert.deepEqual(errors, []);
    assert.equal(film.at, 3);
    await tab.close();
  });
}

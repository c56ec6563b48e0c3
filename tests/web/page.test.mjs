// The page alone, opened from disk: models, drags, files good and bad.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { after, before } from 'node:test';
import { pathToFileURL } from 'node:url';
import { ask_program, choose, contrast, drop, idle, open, page_file, program_text, scratch, start } from './browser.mjs';

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

test('keys move the selected object, and undo takes it back', async () => {
  const tab = await open(browser, address);
  const [id] = await tab.page.evaluate(() => lamella.add('torus'));
  await tab.page.evaluate((one) => lamella.select(one), id);
  await idle(tab.page);
  const pose = async () => (await state(tab.page)).objects[0].pose;
  const start_pose = await pose();
  await tab.page.focus('canvas');
  await tab.page.keyboard.press('ArrowRight');
  await idle(tab.page);
  assert.notDeepEqual(await pose(), start_pose);
  await tab.page.keyboard.press('Control+z');
  await idle(tab.page);
  assert.deepEqual(await pose(), start_pose);
  await tab.close();
});

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

test('pulls are undone and done again, also the first one', async () => {
  const tab = await open(browser, address);
  const { page } = tab;
  const [hand] = await page.evaluate(() => lamella.add('hand', 'phone'));
  const said = async () => {
    await idle(page);
    const [{ volume, deformed }] = (await state(page)).objects;
    return { volume, deformed, overlap: (await answer(page)).volume };
  };
  const pull = (part) =>
    page.evaluate(([id, t]) => {
      const { min, max } = lamella.state().objects[0].bounds;
      lamella.pull(id, 0, min.map((x, k) => x + t * (max[k] - x)), true);
    }, [hand, part]);
  const whole = await said();
  await pull(0.5);
  const once = await said();
  await pull(0.2);
  const twice = await said();
  assert.deepEqual([whole.deformed, once.deformed, twice.deformed], [false, true, true]);
  assert.equal(new Set([whole.volume, once.volume, twice.volume]).size, 3);
  await page.focus('canvas');
  for (const [key, then] of [['Control+z', once], ['Control+z', whole], ['Control+Shift+z', once], ['Control+Shift+z', twice]]) {
    await page.keyboard.press(key);
    assert.deepEqual(await said(), then);
  }
  // What is drawn is what the engine has.
  const same = await page.evaluate(async (id) => {
    const { positions } = await lamella.viewer.session.call('mesh', { id });
    return lamella.viewer.bodies.views.get(id).surface.own_positions().every((x, i) => x === positions[i]);
  }, hand);
  assert.ok(same);
  await page.evaluate((id) => lamella.viewer.library.reset(id), hand);
  await page.keyboard.press('Control+z');
  assert.deepEqual(await said(), whole, 'a reset leaves nothing to undo');
  await tab.close();
});

test('keys pull the vertex in the middle of the view', async () => {
  const tab = await open(browser, address);
  const { page } = tab;
  const [id] = await page.evaluate(() => lamella.add('sphere'));
  await page.evaluate((one) => lamella.select(one), id);
  const shape = async () => (await idle(page), (await state(page)).objects.map(({ deformed, volume, pose }) => ({ deformed, volume, pose })));
  const eye = () => page.evaluate(() => lamella.viewer.stage.camera_state().eye);
  const before = await shape();
  await page.focus('canvas');
  await page.keyboard.press('g');
  const from = await eye();
  await page.keyboard.press('ArrowLeft');
  assert.deepEqual(await shape(), before);
  assert.notDeepEqual(await eye(), from, 'no vertex is held: the camera turns');
  await page.keyboard.press('Enter');
  assert.match(await page.textContent('[role=status]'), /^Vertex \d+ of sphere is held/);
  const still = await eye();
  await page.keyboard.press('PageUp');
  const once = await shape();
  assert.deepEqual([once[0].deformed, once[0].pose], [true, before[0].pose]);
  assert.notEqual(once[0].volume, before[0].volume);
  await page.keyboard.press('PageUp');
  const twice = await shape();
  assert.notEqual(twice[0].volume, once[0].volume);
  (await eye()).forEach((x, k) => assert.ok(Math.abs(x - still[k]) < 1e-9, 'the camera stays'));
  for (const then of [once, before]) {
    await page.keyboard.press('Control+z');
    assert.deepEqual(await shape(), then);
  }
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
  await page.keyboard.press('PageUp');
  assert.deepEqual(await shape(), before, 'it was let go');
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

test('a saved view and a link bring everything back', async () => {
  const first = await open(browser, address);
  const [, phone] = await first.page.evaluate(() => lamella.add('hand', 'phone'));
  await first.page.evaluate((id) => lamella.pose(id, [0.01, 0.02, -0.03, 0, 0, 0.6, 0.8]), phone);
  await idle(first.page);
  const told = await answer(first.page);
  const { hash } = await first.page.evaluate(() => lamella.link());
  const saved = await first.page.evaluate(async () => Array.from(await lamella.save()));
  await first.close();

  const second = await open(browser, `${address}${hash}`);
  assert.equal((await answer(second.page)).volume, told.volume);
  await second.close();

  const third = await open(browser, address);
  await choose(third.page, { name: 'view.lamella', mimeType: '', buffer: Buffer.from(saved) });
  assert.equal((await answer(third.page)).volume, told.volume);
  await third.close();
});

/// Follows a link as people do: by the address bar.
async function follow(page, hash) {
  await page.evaluate((to) => new Promise((resolve) => {
    addEventListener('hashchange', () => setTimeout(resolve), { once: true });
    location.hash = to;
  }), hash);
  await idle(page);
}

test('links that are followed one after the other leave nothing in the engine', async () => {
  const tab = await open(browser, address);
  const { page } = tab;
  const [, phone] = await page.evaluate(() => lamella.add('hand', 'phone'));
  await page.evaluate(() => lamella.kind('scene'));
  await idle(page);
  const link = () => page.evaluate(() => lamella.link().hash);
  const first = await link();
  await page.evaluate((id) => lamella.pose(id, [0.01, 0, 0, 0, 0, 0, 1]), phone);
  await idle(page);
  const second = await link();
  for (const hash of [first, second, first]) {
    await follow(page, hash);
    const { objects, pairs_detail } = await answer(page);
    assert.deepEqual([objects, pairs_detail.length], [2, 1]);
    const ids = (await state(page)).objects.map(({ id }) => id);
    assert.deepEqual((await page.evaluate(() => lamella.viewer.session.call('state'))).objects.map(({ id }) => id), ids);
  }
  await tab.close();
});

test('a link to a model that there is not leaves nothing either', async () => {
  const tab = await open(browser, address);
  const { page } = tab;
  const pose = [0, 0, 0, 0, 0, 0, 1];
  const models = ['torus', 'no such thing'].map((name) => ({ name, faces: 500, pose }));
  await follow(page, `#view=${Buffer.from(JSON.stringify({ models })).toString('base64url')}`);
  assert.equal((await state(page)).errors.length, 1);
  assert.deepEqual((await page.evaluate(() => lamella.viewer.session.call('state'))).objects, []);
  await tab.close();
});

test('the ground, edges, a layer, points and self-overlap come back with a link and with a file', async () => {
  const first = await open(browser, address);
  await first.page.evaluate(async () => {
    const [, phone] = await lamella.add('torus', 'phone');
    lamella.show({ grid: false, wires: true });
    lamella.layer(1);
    lamella.viewer.set_contain({ of: phone, count: 1000 });
    lamella.viewer.set_scene_self(true);
  });
  await idle(first.page);
  const { hash } = await first.page.evaluate(() => lamella.link());
  const saved = Buffer.from(await first.page.evaluate(async () => Array.from(await lamella.save())));
  await first.close();
  const drawn = (page) =>
    page.evaluate(() => {
      const { stage, bodies } = lamella.viewer;
      return { ground: stage.grid.visible, edges: [...bodies.views.values()].map((view) => view.group.children.some((c) => c.isLineSegments)) };
    });
  for (const restore of ['link', 'file']) {
    const tab = await open(browser, restore === 'link' ? `${address}${hash}` : address);
    const { page } = tab;
    if (restore === 'file') await choose(page, { name: 'view.lamella', mimeType: '', buffer: saved });
    const now = await state(page);
    assert.deepEqual(await drawn(page), { ground: false, edges: [true, true] }, restore);
    assert.deepEqual([now.layer, now.scene_self, now.contain], [1, true, { of: now.objects[1].id, count: 1000 }], restore);
    await page.evaluate(() => lamella.add('box'));
    assert.deepEqual((await drawn(page)).edges, [true, true, true], 'of a new object too');
    await tab.close();
  }
});

test('an object that is repaired keeps its edges', async () => {
  const tab = await open(browser, address);
  await tab.page.evaluate(([name, text]) => lamella.open(name, btoa(text)), ['open.off', tetrahedron.replace('4 4 0', '4 3 0').replace('3 0 3 2\n', '')]);
  const count = () =>
    tab.page.evaluate(() => {
      const view = [...lamella.viewer.bodies.views.values()][0];
      return view.group.children.find((c) => c.isLineSegments && c.material.isLineBasicMaterial)?.geometry.getIndex().count / 2;
    });
  await tab.page.evaluate(() => lamella.show({ wires: true }));
  assert.equal(await count(), 6);
  await tab.page.evaluate(() => lamella.repair(lamella.state().objects[0].id));
  await idle(tab.page);
  assert.ok((await count()) >= 6);
  await tab.close();
});

test('a tolerance that is deleted is none', async () => {
  const tab = await open(browser, address);
  const { page } = tab;
  await page.getByText('Sampling', { exact: true }).click();
  const field = page.getByLabel('Tolerance, percent');
  await field.fill('0.5');
  await field.press('Enter');
  assert.deepEqual((await state(page)).options.tolerance, { relative: 0.005 });
  await field.fill('much');
  await field.press('Enter');
  assert.equal(await field.getAttribute('aria-invalid'), 'true');
  await field.fill('');
  await field.press('Enter');
  assert.equal(await field.getAttribute('aria-invalid'), null);
  assert.equal((await state(page)).options.tolerance, undefined);
  await tab.close();
});

test('keys remove objects where these are, and not on any button', async () => {
  const tab = await open(browser, address);
  const { page } = tab;
  const count = async () => (await idle(page), (await state(page)).objects.length);
  const ids = await page.evaluate(() => lamella.add('torus', 'box', 'phone'));
  await page.evaluate((id) => lamella.select(id), ids[0]);
  for (const key of ['Backspace', 'Delete']) {
    await page.getByRole('button', { name: 'Move (t)' }).focus();
    await page.keyboard.press(key);
    assert.equal(await count(), 3, key);
  }
  await page.locator('.object-name').first().focus();
  await page.keyboard.press('Backspace');
  assert.equal(await count(), 3);
  await page.keyboard.press('Delete');
  assert.equal(await count(), 2);
  await page.evaluate((id) => lamella.select(id), ids[1]);
  await page.focus('canvas');
  await page.keyboard.press('Backspace');
  assert.equal(await count(), 1);
  await tab.close();
});

test('what is drawn has roles; what is hidden can be read', async () => {
  for (const dark of [false, true]) {
    const tab = await open(browser, address, { dark });
    const { page } = tab;
    const [id] = await page.evaluate(() => lamella.add('torus', 'box'));
    assert.equal(await page.locator('canvas').getAttribute('role'), 'application');
    assert.equal(await page.getByRole('group', { name: 'Axes' }).getByRole('button').count(), 3);
    await page.evaluate((one) => lamella.viewer.set_visible(one, false), id);
    for (const part of ['.object-name', '.faces']) assert.ok((await contrast(page.locator(`.object.off ${part}`))) >= 4.5, part);
    for (const output of await page.locator('.timeline output').all()) assert.equal(await output.getAttribute('aria-live'), 'off');
    await tab.close();
  }
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

// What --html writes, opened from disk.

import assert from 'node:assert/strict';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { after, before } from 'node:test';
import { pathToFileURL } from 'node:url';
import { ask_program, idle, open, page_file, program_text, scratch, start } from './browser.mjs';

let browser;
before(async () => {
  browser = await start();
});
after(() => browser.close());

const folder = scratch();
const state = (page) => page.evaluate(() => lamella.state());
const answer = (page) => page.evaluate(() => lamella.answer());

/// Makes a report and opens it. Also what the program said beside it.
async function report(...words) {
  return report_in({}, ...words);
}

/// The same in a window of a size.
async function report_in(size, ...words) {
  const file = join(folder, `${words.join(' ').replace(/[^a-z]+/gi, '-').slice(0, 60)}.html`);
  const text = program_text(...words, '--html', file);
  const tab = await open(browser, pathToFileURL(file).href, size);
  assert.equal((await state(tab.page)).report, true);
  return { ...tab, file, text };
}

test('intersect: the answer, and the same bits when the page computes it again', async () => {
  const words = ['intersect', 'model:hand', 'model:phone'];
  const { page, close, text } = await report(...words);
  const told = ask_program(...words);
  assert.equal((await answer(page)).volume, told.volume);
  assert.deepEqual((await answer(page)).centroid, told.centroid);
  const shown = await page.textContent('body');
  assert.ok(shown.includes('model:hand'), 'the command');
  assert.match(text, /volume/);

  // A colleague moves a part: the page's own engine answers.
  const id = (await state(page)).objects[1].id;
  const pose = [0.05, 0, 0.02, 0, 0, 0, 1];
  await page.evaluate(([one, to]) => lamella.pose(one, to), [id, pose]);
  await idle(page);
  assert.equal((await answer(page)).volume, ask_program(...words, '--pose-b', pose.join(',')).volume);
  await close();
});

test('intersect: where parts were placed on the command line', async () => {
  const words = ['intersect', 'model:knot', 'model:serpent', '--pose-b', '0.1,0.2,0.05@z:30', '--resolution', '96'];
  const { page, close } = await report(...words);
  assert.equal((await answer(page)).volume, ask_program(...words).volume);
  await close();
});

/// A box of 12 faces, or without its last two.
function box_file(name, [x, y, z], [X, Y, Z], faces = 12) {
  const corners = [[x, y, z], [X, y, z], [X, Y, z], [x, Y, z], [x, y, Z], [X, y, Z], [X, Y, Z], [x, Y, Z]];
  const all = ['0 2 1', '0 3 2', '0 1 5', '0 5 4', '1 2 6', '1 6 5', '2 3 7', '2 7 6', '3 0 4', '3 4 7', '4 5 6', '4 6 7'];
  const file = join(folder, name);
  writeFileSync(file, ['OFF', `8 ${faces} 0`, ...corners.map((c) => c.join(' ')), ...all.slice(0, faces).map((f) => `3 ${f}`), ''].join('\n'));
  return file;
}

test('the page asks with all options of the command', async () => {
  const whole = box_file('whole.off', [0, 0, 0], [1, 1, 1]);
  const slice = box_file('slice.off', [0.2, 0.2, 0.9], [0.8, 0.8, 1.9]);
  const lidless = box_file('lidless.off', [0.5, 0.5, 0.5], [1.5, 1.5, 1.5], 10);
  const given = [
    [['intersect', 'model:hand', 'model:phone', '--min-thickness', '0.3'], ['verdict', 'volume', 'spans']],
    [['intersect', whole, lidless, '--as-is'], ['verdict', 'volume', 'health']],
    [['depth', whole, slice, '--directions', '9'], ['separation']],
    [['scene', whole, slice, lidless, '--self', '--max-contacts', '2'], ['verdict', 'volumes', 'contacts', 'self_overlaps']],
    [['scene', whole, slice, lidless, '--cell', '0.11', '--as-is'], ['verdict', 'volumes', 'contacts']],
  ];
  for (const [words, members] of given) {
    const { page, close } = await report(...words);
    const told = ask_program(...words);
    const here = await answer(page);
    for (const member of members) assert.deepEqual(here[member], told[member], `${member} of ${words.join(' ')}`);
    assert.equal((await state(page)).scene_self, words.includes('--self'));
    await close();
  }
});

/// Puts a report into the page that is open, saves it with so many faces, and opens that.
const reopened = (page, report, most_faces) =>
  page.evaluate(async ([one, most]) => {
    const { session, keeper } = lamella.viewer;
    await session.call('set_report', { report: one });
    const { file } = await session.call('save', most ? { most_faces: most } : {});
    await session.call('load', { file });
    await keeper.adopt_engine_state();
  }, [report, most_faces]);

test('an engine that the page does not have is named, and software answers', async () => {
  const { page, close } = await report('intersect', 'model:hand', 'model:phone', '--engine', 'reference', '--resolution', '16');
  assert.equal((await answer(page)).engine, 'reference', 'which the page has');
  const { report: told } = await page.evaluate(() => lamella.viewer.session.call('state'));
  await reopened(page, { ...told, options: { ...told.options, engine: 'gl-ordered' } });
  await idle(page);
  assert.deepEqual((await state(page)).options, { resolution: 16 });
  assert.equal((await answer(page)).engine, 'software');
  assert.ok((await page.textContent('.measure')).includes('The engine gl-ordered is not here: computed here by software.'));
  await close();
});

test('a mesh that is simplified shows the volume of its source, and what is measured of it says so', async () => {
  const { page, close } = await open(browser, pathToFileURL(page_file).href);
  const [id] = await page.evaluate(() => lamella.add('serpent'));
  const [{ volume, faces }] = (await state(page)).objects;
  await reopened(page, { kind: 'self', command: 'self', objects: [id] }, 120);
  await page.evaluate((one) => lamella.select(one), id);
  await idle(page);
  const [now] = (await state(page)).objects;
  assert.deepEqual(now.simplified, { faces, volume });
  assert.ok(Math.abs(now.volume / volume - 1) > 0.05, 'so few faces do not keep the volume');
  const facts = page.locator('.detail .facts');
  assert.equal(await facts.locator('dt:text-is("Volume") + dd').getAttribute('title'), String(volume));
  assert.equal(await facts.locator('dt:text-is("Simplified") + dd').getAttribute('title'), String(now.volume));
  assert.match(await page.textContent('.report .notes'), /volume here is off by more than 5 %.*serpent/);
  assert.match(await page.textContent('.measure'), /from the simplified meshes of this page/);
  assert.match(await page.textContent('.measure .big'), /of simplified meshes/);
  assert.doesNotMatch(await page.textContent('.detail'), /inside out/);
  await close();
});

test('a report that anybody wrote opens without a fault', async () => {
  const { page, close } = await open(browser, pathToFileURL(page_file).href);
  const [id] = await page.evaluate(() => lamella.add('box'));
  const wrong = [
    { arguments: [{}] }, {}, { command: 5, notes: 5 }, { clash: {} }, { clash: { findings: [{ class: 'near' }], pairs: [{}] } }, { pictures: [{}] },
    { frames: {} }, { frames: { solids: [{}], dots: [], steps: [{}] } }, { points: {} }, { answer: [] }, { text: {} }, { objects: 7, kind: 'intersect' },
    { kind: 'contain', objects: [99, 98], options: { tolerance: 5 } }, { simplified: [null] }, { title: {}, version: [] },
  ];
  for (const report of wrong) {
    await reopened(page, report);
    await idle(page);
    const { objects, errors } = await state(page);
    assert.deepEqual([objects.map((o) => o.id), errors], [[id], []], JSON.stringify(report));
  }
  await close();
});

test('self', async () => {
  const words = ['self', 'model:fist'];
  const { page, close } = await report(...words);
  assert.equal((await state(page)).kind, 'self');
  assert.equal((await answer(page)).volume, ask_program(...words).volume);
  await close();
});

test('depth', async () => {
  const words = ['depth', 'model:hand', 'model:phone'];
  const { page, close } = await report(...words);
  assert.equal((await state(page)).kind, 'depth');
  assert.deepEqual((await answer(page)).separation.translation, ask_program(...words).separation.translation);
  await close();
});

test('contain', async () => {
  const points = join(folder, 'points.xyz');
  writeFileSync(points, Array.from({ length: 500 }, (_, i) => `${Math.sin(i) * 0.5} ${Math.sin(3 * i) * 0.5} ${Math.cos(2 * i) * 0.5}`).join('\n'));
  const { page, close } = await report('contain', 'model:hand', points);
  assert.equal((await state(page)).kind, 'contain');
  assert.equal((await state(page)).errors.length, 0);
  await close();
});

test('layers', async () => {
  const { page, close } = await report('layers', 'model:knot', '--resolution', '32');
  assert.equal((await state(page)).kind, 'layers');
  await close();
});

test('scene: pairs by the names of parts, whatever these are', async () => {
  const file = join(folder, 'scene.json');
  const evil = '</script><script>document.title="owned"</script>';
  writeFileSync(file, JSON.stringify({
    meshes: { hand: { model: 'hand' }, phone: { model: 'phone' }, ring: { model: 'torus' } },
    objects: [
      { name: evil, mesh: 'hand' },
      { name: 'phone', mesh: 'phone' },
      { name: 'far', mesh: 'ring', pose: { translation: [9, 9, 9] } },
    ],
  }));
  const { page, close, file: html } = await report('scene', file);
  const { objects } = await state(page);
  assert.deepEqual(objects.map((object) => object.name), [evil, 'phone', 'far']);
  const { pairs_detail } = await answer(page);
  assert.deepEqual(pairs_detail.map(({ a, b }) => [a, b]), [[objects[0].id, objects[1].id]]);
  assert.doesNotMatch(await page.title(), /owned/);
  assert.equal(readFileSync(html, 'utf8').includes(evil), false);
  await close();
});

test('scene: the table is scrolled sideways, sentences are wrapped', async () => {
  const { page, close } = await report('scene', 'model:hand', 'model:phone', 'model:knot', 'model:serpent');
  const box = page.locator('.answer-text');
  const lines = await box.locator('div').evaluateAll((all) => all.map((line) => ({ text: line.textContent, height: line.clientHeight })));
  const one = lines[0].height;
  const rows = lines.filter(({ text }) => /^\d model:/.test(text));
  assert.equal(rows.length, 6);
  for (const { text, height } of rows) assert.equal(height, one, text);
  assert.ok(lines.find(({ text }) => text.startsWith('candidates')).height > one);
  await box.focus();
  await page.keyboard.press('ArrowRight');
  await page.waitForFunction(() => document.querySelector('.answer-text').scrollLeft > 0);
  await close();
});

test('gi picture', async () => {
  const image = join(folder, 'torus.tif');
  program_text('gi', 'make', 'model:torus', '-o', image);
  const { page, close } = await report('gi', 'picture', image);
  assert.ok((await page.locator('img').count()) > 0);
  await close();
});

test('simulate: frames to play', async () => {
  const { page, close, file } = await report('simulate', 'squeeze', '--frames', '12', '--every', '1');
  const { film, errors } = await state(page);
  assert.deepEqual(errors, []);
  assert.ok(film.frames >= 12);
  assert.ok(statSync(file).size < 60e6);
  await close();
});

test('simulate: on a phone the report is in a drawer', async () => {
  const { page, close } = await report_in({ width: 390, height: 780 }, 'simulate', 'cube', '--objects', '3', '--frames', '4');
  const text = page.locator('.report .answer-text');
  assert.equal(await text.isVisible(), false);
  const panels = page.getByRole('navigation', { name: 'Panels' });
  assert.deepEqual(await panels.getByRole('button').allTextContents(), ['Measure'], 'there are no objects');
  await panels.getByRole('button', { name: 'Measure' }).click();
  assert.equal(await text.isVisible(), true);
  assert.equal(await page.locator('.measure').isVisible(), false, 'nor anything to measure');
  await close();
});

test('a report is written whole or not at all', () => {
  const file = join(folder, 'no', 'such', 'folder', 'out.html');
  assert.throws(() => program_text('intersect', 'model:hand', 'model:phone', '--html', file), (error) => error.status === 2 && error.stderr.includes(file));
});

// What --html writes, opened from disk.

import assert from 'node:assert/strict';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { after, before } from 'node:test';
import { pathToFileURL } from 'node:url';
import { ask_program, idle, open, program_text, scratch, start } from './browser.mjs';

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
  const file = join(folder, `${words.join(' ').replace(/[^a-z]+/gi, '-').slice(0, 60)}.html`);
  const text = program_text(...words, '--html', file);
  const tab = await open(browser, pathToFileURL(file).href);
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

test('a report is written whole or not at all', () => {
  const file = join(folder, 'no', 'such', 'folder', 'out.html');
  assert.throws(() => program_text('intersect', 'model:hand', 'model:phone', '--html', file), (error) => error.status === 2 && error.stderr.includes(file));
});

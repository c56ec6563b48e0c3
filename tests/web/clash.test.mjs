// The page of a clash report: findings to sort and filter; a click looks at one and measures it.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { after, before } from 'node:test';
import { pathToFileURL } from 'node:url';
import { contrast, idle, open, program_text, scratch, start } from './browser.mjs';

const folder = scratch();
const evil = '<script>document.title="owned"</script>';
let browser, tab, page, told;

/// Balls in a row: a pair that overlaps much, one that overlaps little, one that is near; and one alone.
function assembly() {
  const file = join(folder, 'assembly.json');
  const ball = (name, x) => ({ name, mesh: 'ball', pose: { translation: [x, 0, 0] } });
  const ring = (name, x) => ({ name, mesh: 'ring', pose: { translation: [x, 20, 0] } });
  writeFileSync(file, JSON.stringify({
    meshes: { ball: { model: 'sphere', faces: 800 }, ring: { model: 'torus', faces: 800 } },
    objects: [ball('one', 0), ball(evil, 1), ball('three', 20), ring('ring', 0), ring('other ring', 2.5), ball('near', 22.05), ball('alone', 60)],
  }));
  return file;
}

before(async () => {
  browser = await start();
  const words = ['clash', assembly(), '--clearance', '0.2', '--units', 'mm'];
  const file = join(folder, 'clashes.html');
  program_text(...words, '--html', file);
  told = JSON.parse(program_text(...words, '--json'));
  tab = await open(browser, pathToFileURL(file).href, { width: 1400, height: 900 });
  ({ page } = tab);
});
after(() => browser.close());

const state = () => page.evaluate(() => lamella.state());
const answer = () => page.evaluate(() => lamella.answer());
const rows = () => page.locator('.finding-table tbody tr');
const titles = () => rows().locator('th').allTextContents();

test('findings are listed, the worst first, and names are text', async () => {
  assert.equal(await rows().count(), told.findings.length);
  assert.ok((await titles()).some((title) => title.includes(evil)));
  assert.doesNotMatch(await page.title(), /owned/);
});

test('it opens at the worst, and measures what the command measured', async () => {
  const { pair, objects, kind, errors } = await state();
  assert.deepEqual(errors, []);
  assert.equal(kind, 'intersect');
  const names = pair.map((id) => objects.find((o) => o.id === id).name);
  const worst = told.pairs[told.findings[0].pairs[0]];
  assert.deepEqual(names, [worst.a, worst.b]);
  const { volume } = await answer();
  assert.ok(Math.abs(volume - worst.volume) <= 0.01 * worst.volume, `${volume} and ${worst.volume}`);
  assert.equal(await page.locator('.finding-picture').count(), 1);
});

test('a click on a finding that is near shows the gap', async () => {
  await rows().filter({ hasText: 'three × near' }).click();
  await idle(page);
  assert.equal((await state()).kind, 'distance');
  const near = told.pairs.find((p) => p.class === 'near');
  assert.ok(Math.abs((await answer()).distance - near.distance) < 1e-4);
  assert.equal(await rows().filter({ hasText: 'three × near' }).getAttribute('aria-selected'), 'true');
  // The gap is in the middle of the view.
  const canvas = await page.locator('canvas').boundingBox();
  const at = await page.evaluate((p) => lamella.screen(p), near.centroid);
  assert.ok(Math.abs(at.x - canvas.x - canvas.width / 2) < 30 && Math.abs(at.y - canvas.y - canvas.height / 2) < 30);
});

test('columns sort, and classes and names filter', async () => {
  await page.getByRole('button', { name: /^Volume/ }).click();
  const largest = told.findings.toSorted((f, g) => g.largest_volume - f.largest_volume)[0];
  const worst = told.pairs[largest.pairs[0]];
  assert.ok((await titles())[0].includes(worst.a));
  await page.locator('.chip[data-class="near"]').click();
  assert.ok((await contrast(page.locator('.chip[data-class="near"]'))) >= 4.5);
  assert.equal(await rows().count(), told.findings.filter((f) => f.class !== 'near').length);
  await page.getByRole('textbox', { name: 'Filter by name' }).fill('RING');
  assert.deepEqual((await titles()).map((title) => /ring/i.test(title)), [true]);
  await page.getByRole('textbox', { name: 'Filter by name' }).fill('nothing like it');
  assert.equal(await rows().count(), 0);
  await page.getByText('No finding passes the filter.').waitFor();
});

test('keys go through the list', async () => {
  await page.getByRole('textbox', { name: 'Filter by name' }).fill('');
  await page.locator('.chip[data-class="near"]').click();
  await page.locator('canvas').focus();
  const seen = new Set();
  for (let i = 0; i < told.findings.length; ++i) {
    await page.keyboard.press('n');
    await idle(page);
    seen.add(await page.locator('.finding-table [aria-selected="true"]').getAttribute('data-finding'));
  }
  assert.equal(seen.size, told.findings.length);
  await tab.close();
});

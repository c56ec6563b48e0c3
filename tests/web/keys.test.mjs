// Keys, undo, and what people read and hear.

import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { pathToFileURL } from 'node:url';
import { contrast, idle, open, page_file, start } from './browser.mjs';

const address = pathToFileURL(page_file).href;
let browser;
before(async () => {
  browser = await start();
});
after(() => browser.close());

const state = (page) => page.evaluate(() => lamella.state());
const answer = (page) => page.evaluate(() => lamella.answer());

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

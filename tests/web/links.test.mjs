// What comes back with links and saved views.

import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { pathToFileURL } from 'node:url';
import { choose, idle, open, page_file, start } from './browser.mjs';

const address = pathToFileURL(page_file).href;
let browser;
before(async () => {
  browser = await start();
});
after(() => browser.close());

const state = (page) => page.evaluate(() => lamella.state());
const answer = (page) => page.evaluate(() => lamella.answer());

/// Follows a link as people do: by the address bar.
async function follow(page, hash) {
  await page.evaluate((to) => new Promise((resolve) => {
    addEventListener('hashchange', () => setTimeout(resolve), { once: true });
    location.hash = to;
  }), hash);
  await idle(page);
}

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

/// A tetrahedron without one of its faces.
const lidless = 'OFF\n4 3 0\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 2 1\n3 0 1 3\n3 1 2 3\n';

test('an object that is repaired keeps its edges', async () => {
  const tab = await open(browser, address);
  await tab.page.evaluate(([name, text]) => lamella.open(name, btoa(text)), ['open.off', lidless]);
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

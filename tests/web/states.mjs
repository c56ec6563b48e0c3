// States of the page that the documentation shows. `make_pictures.mjs` draws them; `pictures.test.mjs` compares.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { choose, idle, open, page_file, program_text, program_text_in, scratch } from './browser.mjs';

const wide = { width: 1120, height: 700 };

/// Each is a name, the size of the window, and what is done on the page.
export const states = [
  {
    name: 'overlap',
    ...wide,
    async make(page) {
      const [, phone] = await page.evaluate(() => lamella.add('hand', 'phone'));
      await page.evaluate((id) => lamella.select(id), phone);
    },
  },
  {
    name: 'cut',
    ...wide,
    dark: true,
    async make(page) {
      await page.evaluate(() => lamella.add('mouse', 'hat'));
      await idle(page);
      await page.evaluate(() => lamella.cut({ on: true, axis: 'x', at: 0.5 }));
    },
  },
  {
    name: 'self',
    ...wide,
    async make(page) {
      await page.evaluate(() => lamella.add('fist'));
      await page.evaluate(() => lamella.kind('self'));
    },
  },
  {
    name: 'scene',
    ...wide,
    async make(page) {
      const ids = await page.evaluate(() => lamella.add('knot', 'serpent', 'rabbit', 'torus', 'mouse', 'hat'));
      const places = [[0, 0, 0], [0, 0, 0], [2.6, 0.3, -0.4], [2.9, 1.2, 0], [-2.2, 2.4, 0], [-2.2, 2.4, 0]];
      for (const [i, [x, y, z]] of places.entries()) await page.evaluate(([id, pose]) => lamella.pose(id, pose), [ids[i], [x, y, z, 0, 0, 0, 1]]);
      await page.evaluate(() => lamella.kind('scene'));
      await idle(page);
      await page.evaluate(() => lamella.viewer.fit_all(false));
    },
  },
  {
    name: 'way-out',
    ...wide,
    async make(page) {
      await page.evaluate(() => lamella.add('knot', 'serpent'));
      await page.evaluate(() => lamella.kind('depth'));
    },
  },
  {
    name: 'distance',
    ...wide,
    async make(page) {
      const [, torus] = await page.evaluate(() => lamella.add('hand', 'torus'));
      await page.evaluate((id) => lamella.pose(id, [1.9, 0.2, 0.3, 0, 0, 0, 1]), torus);
      await page.evaluate(() => lamella.kind('distance'));
      await idle(page);
      await page.evaluate(() => lamella.viewer.fit_all(false));
    },
  },
  {
    name: 'layers',
    ...wide,
    async make(page) {
      await page.evaluate(() => lamella.add('knot'));
      await page.evaluate(() => lamella.options({ resolution: 48 }));
      await page.evaluate(() => lamella.kind('layers'));
    },
  },
  {
    name: 'holes',
    ...wide,
    async make(page) {
      const folder = scratch();
      program_text('models', 'rabbit:3000', '-o', folder);
      program_text('repair', join(folder, 'rabbit.ply'), '-o', join(folder, 'rabbit.obj'));
      const lines = readFileSync(join(folder, 'rabbit.obj'), 'utf8').split('\n');
      let face = 0;
      const kept = lines.filter((line) => !line.startsWith('f ') || face++ % 397 > 5);
      writeFileSync(join(folder, 'open rabbit.obj'), kept.join('\n'));
      await choose(page, join(folder, 'open rabbit.obj'));
      await page.evaluate(() => lamella.select(lamella.state().objects[0].id));
    },
  },
  {
    name: 'simulation',
    ...wide,
    async make(page) {
      await page.evaluate(() => lamella.simulate('surgery'));
      await page.evaluate(async () => {
        for (let i = 0; i < 110; ++i) await lamella.step();
      });
    },
  },
  {
    name: 'forces',
    ...wide,
    dark: true,
    async make(page) {
      const [hand] = await page.evaluate(() => lamella.add('hand', 'phone'));
      await page.evaluate((id) => lamella.select(id), hand);
      await page.evaluate(() => lamella.show({ forces: true }));
    },
  },
  {
    name: 'phone',
    width: 390,
    height: 780,
    async make(page) {
      await page.evaluate(() => lamella.add('hand', 'phone'));
    },
  },
  {
    name: 'clash',
    width: 1120,
    height: 840,
    report() {
      const folder = scratch();
      program_text_in(folder, 'clash', 'assembly:gearbox', '--html', 'gearbox.html');
      return join(folder, 'gearbox.html');
    },
    async make(page) {
      await page.locator('.finding-table tbody tr').filter({ hasText: 'oil pipe' }).first().click();
    },
  },
];

/// Opens the page, or the state's report, in that state.
export async function show(browser, state) {
  const file = state.report ? state.report() : page_file;
  const tab = await open(browser, pathToFileURL(file).href, state);
  await state.make(tab.page);
  await idle(tab.page);
  return tab;
}

export const picture_of = (state) => new URL(`../../docs/images/viewer-${state.name}.png`, import.meta.url);

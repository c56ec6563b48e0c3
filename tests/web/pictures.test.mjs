// The pictures of docs/viewer.md still show what the page shows. Letters and soft edges differ from one system to the
// next, so both are shrunk first, and a few pixels may differ.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test, { after, before } from 'node:test';
import { start } from './browser.mjs';
import { picture_of, show, states } from './states.mjs';

const most_different = 0.02; // of the pixels of the shrunk picture

let browser;
let bench; // a tab that compares
before(async () => {
  browser = await start();
  bench = await browser.newPage();
});
after(() => browser.close());

/// The part of pixels that differ by more than 24 of 255 in some channel, both shrunk to a quarter.
const difference = (a, b) =>
  bench.evaluate(
    async (both) => {
      const [x, y] = await Promise.all(
        both.map(async (base64) => {
          const image = new Image();
          image.src = `data:image/png;base64,${base64}`;
          await image.decode();
          const canvas = new OffscreenCanvas(Math.round(image.width / 4), Math.round(image.height / 4));
          const context = canvas.getContext('2d');
          context.imageSmoothingQuality = 'high';
          context.drawImage(image, 0, 0, canvas.width, canvas.height);
          return context.getImageData(0, 0, canvas.width, canvas.height);
        }),
      );
      if (x.width !== y.width || x.height !== y.height) return 1;
      let different = 0;
      for (let i = 0; i < x.data.length; i += 4) {
        const largest = Math.max(...[0, 1, 2].map((c) => Math.abs(x.data[i + c] - y.data[i + c])));
        if (largest > 24) ++different;
      }
      return different / (x.width * x.height);
    },
    [a, b].map((bytes) => bytes.toString('base64')),
  );

for (const state of states) {
  test(`viewer-${state.name}.png`, async () => {
    const tab = await show(browser, state);
    const now = await tab.page.screenshot();
    await tab.close();
    const part = await difference(now, readFileSync(picture_of(state)));
    assert.ok(part <= most_different, `${(100 * part).toFixed(1)} % of the picture differ`);
  });
}

test('the comparison sees a difference', async () => {
  const [first, second] = await Promise.all(states.slice(0, 2).map((state) => readFileSync(picture_of(state))));
  assert.ok((await difference(first, second)) > most_different);
  assert.equal(await difference(first, first), 0);
});

// Draws the pictures of docs/viewer.md:
//   LAMELLA_PAGE=build/web/page.html LAMELLA_PROGRAM=build/release/bin/lamella node tests/web/make_pictures.mjs [NAME…]

import { fileURLToPath } from 'node:url';
import { start } from './browser.mjs';
import { picture_of, show, states } from './states.mjs';

const names = process.argv.slice(2);
const browser = await start();
for (const state of states.filter(({ name }) => names.length === 0 || names.includes(name))) {
  const tab = await show(browser, state);
  const path = fileURLToPath(picture_of(state));
  await tab.page.screenshot({ path });
  await tab.close();
  console.log(path);
}
await browser.close();

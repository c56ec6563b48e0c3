// `lamella view`: the same page with the native engine behind it.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:http';
import test, { after, before } from 'node:test';
import { ask_program, idle, open, program, start } from './browser.mjs';

let browser;
before(async () => {
  browser = await start();
});
after(() => browser.close());

const state = (page) => page.evaluate(() => lamella.state());
const answer = (page) => page.evaluate(() => lamella.answer());

/// The server and the address that it prints.
async function serve(...words) {
  const server = spawn(program, ['view', ...words], { stdio: ['ignore', 'pipe', 'pipe'] });
  let text = '';
  const ended = once(server, 'exit');
  const address = await new Promise((resolve, reject) => {
    const listen = (data) => {
      text += data;
      const found = /http:\/\/[^\s]+/.exec(text);
      if (found) resolve(found[0]);
    };
    server.stdout.on('data', listen);
    server.stderr.on('data', listen);
    server.on('exit', () => reject(new Error(`ended at once: ${text}`)));
  });
  return { server, address, ended };
}

test('a drag gives the program\'s bits, engines can be chosen, and it stops with the page', async () => {
  const { server, address, ended } = await serve('model:hand', 'model:phone');
  const { origin } = new URL(address);
  const tab = await open(browser, address, { allowed: (url) => url.startsWith(`${origin}/`) });
  const { page } = tab;
  const { objects, hello } = await state(page);
  assert.equal(hello.native, true);
  assert.deepEqual(objects.map((object) => object.name), ['hand', 'phone']);
  assert.equal((await answer(page)).volume, ask_program('intersect', 'model:hand', 'model:phone').volume);

  const pose = [0.05, 0.01, 0, 0, 0, 0, 1];
  await page.evaluate(([id, to]) => lamella.pose(id, to), [objects[1].id, pose]);
  await idle(page);
  const told = ask_program('intersect', 'model:hand', 'model:phone', '--pose-b', pose.join(','));
  assert.equal((await answer(page)).volume, told.volume);

  await page.evaluate(() => lamella.options({ engine: 'reference', resolution: 16 }));
  await idle(page);
  assert.equal((await answer(page)).engine, 'reference');

  await tab.close();
  const [status] = await Promise.race([ended, new Promise((resolve) => setTimeout(() => resolve(['still there']), 30_000))]);
  server.kill();
  assert.equal(status, 0);
});

test('without the token, or from another origin, it says nothing', async () => {
  const { server, address } = await serve('model:torus');
  const { origin, searchParams } = new URL(address);
  assert.equal((await fetch(`${origin}/`)).status, 403);
  const token = searchParams.get('token');
  assert.ok(token.length >= 22);
  const call = (headers) => fetch(`${origin}/call?token=${token}`, { method: 'POST', body: new Uint8Array(16), headers });
  assert.equal((await call({ Origin: 'http://example.org' })).status, 403);
  assert.equal((await fetch(`${origin}/call?token=${'0'.repeat(token.length)}`, { method: 'POST', body: 'x' })).status, 403);
  server.kill();
});

/// A request as another page or name would make it: fetch() sets these headers itself.
function status_of(address, headers) {
  return new Promise((resolve, reject) => {
    const asked = request(address, { headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    asked.on('error', reject);
    asked.end();
  });
}

test('by another name, or asked by another site, it says nothing, even with the token', async () => {
  const { server, address } = await serve('model:torus');
  const { port } = new URL(address);
  try {
    assert.equal(await status_of(address, {}), 200);
    assert.equal(await status_of(address, { Host: `localhost:${port}` }), 200);
    for (const host of ['example.org', `example.org:${port}`, '127.0.0.1', `127.0.0.1:${Number(port) ^ 1}`, `127.0.0.1.example.org:${port}`])
      assert.equal(await status_of(address, { Host: host }), 403, host);
    for (const [site, status] of [['none', 200], ['same-origin', 200], ['same-site', 403], ['cross-site', 403]])
      assert.equal(await status_of(address, { 'Sec-Fetch-Site': site }), status, site);
  } finally {
    server.kill();
  }
});

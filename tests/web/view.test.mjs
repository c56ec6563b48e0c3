// `lamella view`: the same page with the native engine behind it.

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:http';
import test, { after, before } from 'node:test';
import { join } from 'node:path';
import { ask_program, drop, idle, open, program, program_text, scratch, start } from './browser.mjs';

let browser;
before(async () => {
  browser = await start();
});
after(() => browser.close());

const state = (page) => page.evaluate(() => lamella.state());
const answer = (page) => page.evaluate(() => lamella.answer());

/// The server and the address that it prints.
const serve = (...words) => serving(spawn(program, ['view', ...words], { stdio: ['ignore', 'pipe', 'pipe'] }));

async function serving(server) {
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
  return { server, address, ended, text: () => text };
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
  // At once, as the page says that it goes; where that is lost with a browser that ends, after 20 and 30 seconds.
  const [status] = await Promise.race([ended, new Promise((resolve) => setTimeout(() => resolve(['still there']), 90_000))]);
  server.kill();
  assert.equal(status, 0);
});

test('the comparison of engines follows while its switch is on', async () => {
  const { server, address } = await serve('model:torus', 'model:sphere');
  const { origin } = new URL(address);
  const tab = await open(browser, address, { allowed: (url) => url.startsWith(`${origin}/`) });
  const { page } = tab;
  const { objects, hello } = await state(page);
  await page.evaluate(() => lamella.options({ resolution: 16 }));
  const move = async (x) => {
    await page.evaluate(([id, at]) => lamella.pose(id, [at, 0, 0, 0, 0, 0, 1]), [objects[1].id, x]);
    await idle(page);
  };
  const rows = async () => (await state(page)).times.rows;
  const volume_of = (all, engine) => all.find((row) => row.engine === engine).volume;

  await move(0.5);
  assert.deepEqual(await rows(), []);
  await page.getByText('Sampling', { exact: true }).click();
  await page.getByLabel('Compare again after each answer').check();
  await idle(page);
  const first = await rows();
  assert.deepEqual(first.map((row) => row.engine), hello.engines.filter((engine) => engine.available).map((engine) => engine.name));
  assert.ok(first.length >= 2);
  assert.equal(volume_of(first, 'software'), (await answer(page)).volume);
  assert.equal(await page.locator('.times tbody tr').count(), first.length);

  await move(0.8);
  const second = await rows();
  assert.ok(second.every((row) => !row.old));
  assert.equal(volume_of(second, 'software'), (await answer(page)).volume);
  assert.notEqual(volume_of(second, 'software'), volume_of(first, 'software'));
  assert.deepEqual((await state(page)).errors, []);

  await page.getByLabel('Compare again after each answer').uncheck();
  await move(0.5);
  assert.deepEqual(await rows(), second);
  await tab.close();
  server.kill();
});

test('many pages of one browser are answered at the same time', async () => {
  const { server, address, ended } = await serve('model:torus');
  const context = await browser.newContext();
  const waiting = new Set(); // requests that the server holds: a browser has six connections to it
  context.on('request', (asked) => asked.url().includes('/alive') && waiting.add(asked));
  for (const end of ['requestfinished', 'requestfailed']) context.on(end, (asked) => waiting.delete(asked));
  const pages = [];
  for (let i = 0; i < 8; ++i) {
    const page = await context.newPage();
    await page.goto(address);
    await page.waitForFunction(() => globalThis.lamella !== undefined);
    await idle(page);
    assert.deepEqual((await state(page)).objects.map(({ name }) => name), ['torus']);
    assert.ok(waiting.size <= 1, `${waiting.size} requests are held`);
    pages.push(page);
  }
  // The first page asked for all; another goes on, and the server stays until the last one is gone.
  for (const page of pages.slice(0, 7)) await page.close({ runBeforeUnload: false });
  await new Promise((resolve) => setTimeout(resolve, 5_000)); // longer than the server waits after a page has gone
  assert.equal(server.exitCode, null);
  await pages[7].evaluate(() => lamella.add('box'));
  await context.close();
  const [status] = await Promise.race([ended, new Promise((resolve) => setTimeout(() => resolve(['still there']), 90_000))]);
  server.kill();
  assert.equal(status, 0);
});

test('how much of a dropped file has been sent is told, with a figure', async () => {
  const folder = scratch();
  program_text('models', 'torus:100000', '-o', folder);
  const { server, address } = await serve('model:box');
  const { origin } = new URL(address);
  const tab = await open(browser, address, { allowed: (url) => url.startsWith(`${origin}/`) });
  const { page } = tab;
  // As over a slow line: 2 MB within a second.
  const device = await page.context().newCDPSession(page);
  await device.send('Network.emulateNetworkConditions', { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 2e6 });
  await page.evaluate(() => {
    globalThis.told = [];
    const label = document.querySelector('.progress-label');
    new MutationObserver(() => told.push(label.textContent)).observe(label, { childList: true, characterData: true, subtree: true });
  });
  await drop(page, [join(folder, 'torus.ply')]);
  const { objects, errors } = await state(page);
  assert.deepEqual(errors, []);
  assert.equal(objects.at(-1).name, 'torus.ply');
  const told = await page.evaluate(() => globalThis.told);
  const figures = told.map((text) => /^Sending torus\.ply … (\d+) %$/.exec(text)?.[1]).filter(Boolean).map(Number);
  assert.ok(figures.some((figure) => figure > 0 && figure < 100), told.join());
  assert.deepEqual(figures, [...figures].sort((a, b) => a - b));
  assert.equal(told.at(-1), 'Opening torus.ply …');
  assert.equal(await page.locator('.progress').isVisible(), false);
  await tab.close();
  server.kill();
});

const no_terminal = spawnSync('script', ['--version']).status === 0 ? false : 'there is no script(1), which makes terminals';

test('on a terminal a bar is shown while files are loaded, in a pipe there is none', { skip: no_terminal }, async () => {
  const folder = scratch();
  program_text('models', 'torus:600000', '-o', folder);
  const bar = /objects \[[ #]{30}\] +\d+ %/;
  const words = [program, 'view', folder];
  const terminal = await serving(spawn('script', ['-qefc', words.join(' '), '/dev/null'], { stdio: ['pipe', 'pipe', 'pipe'] }));
  terminal.server.stdin.write('\x03'); // Ctrl-C
  await terminal.ended;
  assert.match(terminal.text(), bar);
  const pipe = await serve(folder);
  pipe.server.kill('SIGINT');
  await pipe.ended;
  assert.doesNotMatch(pipe.text(), bar);
  assert.match(pipe.text(), /^address /);
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

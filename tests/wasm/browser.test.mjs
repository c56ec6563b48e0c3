// The package in headless Chromium: the bits of native, with one thread and with two, and through lamella/worker.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { extname, join, normalize } from 'node:path';
import test from 'node:test';
import { nativeAnswers, needPackage, packageFolder } from './support.mjs';
const { load } = await import(join(packageFolder, 'index.js')).catch(() => ({}));

needPackage();
const chromium = process.env.LAMELLA_CHROMIUM ?? 'chromium';
if (spawnSync(chromium, ['--version']).status !== 0) {
  console.log('WebAssembly tests skipped: there is no Chromium (Debian: chromium)');
  process.exit(0);
}
const native = nativeAnswers();

const types = { '.js': 'text/javascript', '.mjs': 'text/javascript', '.wasm': 'application/wasm', '.html': 'text/html' };
const folders = { package: packageFolder, tests: import.meta.dirname ?? new URL('.', import.meta.url).pathname };
const page = '<!doctype html><meta charset="utf-8"><title>test</title><script type="module" src="/tests/browser-page.mjs"></script>';

/** A file of the folders above; nothing else is served. */
function find(path) {
  if (path === '/') return { body: page, type: 'text/html' };
  if (path === '/works.json')
    return { body: JSON.stringify({ names: native.names, files: native.files.map(({ name }) => name) }), type: 'application/json' };
  const [, first, rest] = /^\/([a-z]+)\/(.+)$/.exec(path) ?? [];
  if (first === 'models') return { body: native.read(rest.replace(/\.ply$/, '')), type: 'application/octet-stream' };
  if (first === 'seeds') return { body: native.files.find(({ name }) => name === rest)?.bytes, type: 'application/octet-stream' };
  const file = folders[first] && join(folders[first], normalize(`/${rest}`));
  if (!file || !existsSync(file)) return {};
  return { body: readFileSync(file), type: types[extname(file)] ?? 'application/octet-stream' };
}

test('a page in Chromium', { timeout: 600_000 }, async (t) => {
  const results = new Map();
  let done;
  const finished = new Promise((resolve) => (done = resolve));
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url, 'http://x').pathname);
    response.setHeader('Cross-Origin-Opener-Policy', 'same-origin');
    response.setHeader('Cross-Origin-Embedder-Policy', 'require-corp');
    if (request.method === 'POST') {
      const parts = [];
      request.on('data', (part) => parts.push(part));
      request.on('end', () => {
        const kind = path.split('/')[2];
        results.set(kind, JSON.parse(Buffer.concat(parts).toString()));
        response.end();
        if (kind === 'remote' || kind === 'error') done();
      });
      return;
    }
    const { body, type } = find(path);
    if (body === undefined) response.statusCode = 404;
    else response.setHeader('Content-Type', type);
    response.end(body);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const profile = mkdtempSync(join(tmpdir(), 'lamella-chromium-'));
  const browser = spawn(chromium, [
    '--headless', '--no-sandbox', '--disable-quic', '--no-first-run', '--disable-background-networking',
    '--disable-component-update', '--disable-sync', '--disable-gpu', `--user-data-dir=${profile}`,
    `http://127.0.0.1:${server.address().port}/`,
  ], { stdio: 'ignore' });
  try {
    const early = new Promise((_, reject) => {
      browser.once('exit', (code) => reject(new Error(`Chromium ended with ${code}`)));
    });
    await Promise.race([finished, early]);
  } finally {
    browser.removeAllListeners('exit');
    const gone = new Promise((resolve) => browser.once('exit', resolve));
    browser.kill();
    await gone;
    server.close();
    // Its other processes may still write: each try waits 100 ms longer than the one before, up to 20 s in all.
    rmSync(profile, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
  assert.equal(results.get('error'), undefined);
  assert.equal(results.get('isolated'), true);
  const expected = new Set(native.lines);
  for (const kind of ['single', 'threads'])
    await t.test(`${kind}: the bits of native`, () => {
      const lines = results.get(kind);
      assert.ok(lines.length > 100);
      assert.deepEqual(lines.filter((line) => !expected.has(line)), []);
    });
  await t.test('through lamella/worker', async () => {
    const lamella = await load({ threads: 1 });
    const a = lamella.readMesh(native.read('blob_800'), 'ply');
    const overlap = lamella.intersect(a, lamella.transformed(a, [0.5, 0, 0]), { resolution: 48 });
    const { volume, spans, error } = results.get('remote');
    assert.equal(volume, overlap.volume);
    assert.equal(spans, overlap.spans.length);
    assert.match(error, /^x: /);
  });
});

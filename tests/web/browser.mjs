// Headless Chromium for the tests of the page: what a test opens, and what must never happen on the way.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const { chromium } = createRequire(`${root}viewer/page/package.json`)('playwright-core');

export const page_file = process.env.LAMELLA_PAGE;
export const program = process.env.LAMELLA_PROGRAM;

const flags = [
  '--no-sandbox',
  '--use-gl=angle',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export async function start() {
  const executablePath = process.env.LAMELLA_CHROMIUM ?? ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find(existsSync);
  return chromium.launch({ executablePath, args: flags });
}

/// A page in a context of its own. Its `faults` collect errors of the console and of scripts, and requests that leave
/// the page: `close()` fails if there are any.
export async function open(browser, address, { width = 1200, height = 800, dark = false, allowed = () => false } = {}) {
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: dark ? 'dark' : 'light',
    reducedMotion: 'reduce',
    acceptDownloads: true,
  });
  const page = await context.newPage();
  const faults = [];
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => faults.push(`script: ${error.stack ?? error}`));
  page.on('request', (request) => {
    const url = request.url();
    if (!/^(file|blob|data):/.test(url) && !allowed(url)) faults.push(`request: ${url}`);
  });
  await page.goto(address);
  await page.waitForFunction(() => globalThis.lamella !== undefined, undefined, { timeout: 60_000 });
  await idle(page);
  return {
    page,
    faults,
    async close() {
      await context.close();
      assert.deepEqual(faults, []);
    },
  };
}

/// How well an element's text is told from what is behind it, as WCAG counts it: 1 to 21. What makes it paler counts.
export const contrast = (element) =>
  element.evaluate((own) => {
    const rgb = (text) => text.match(/[\d.]+/g).map(Number);
    const light = ([r, g, b]) =>
      [r, g, b].map((x) => (x / 255 <= 0.04045 ? x / 255 / 12.92 : ((x / 255 + 0.055) / 1.055) ** 2.4))
        .reduce((sum, x, i) => sum + x * [0.2126, 0.7152, 0.0722][i], 0);
    let back = own;
    let opacity = 1;
    const is_clear = (color) => color === 'transparent' || (rgb(color)[3] ?? 1) === 0;
    for (let e = own; e; e = e.parentElement) opacity *= Number(getComputedStyle(e).opacity);
    while (back.parentElement && is_clear(getComputedStyle(back).backgroundColor)) back = back.parentElement;
    const behind = rgb(getComputedStyle(back).backgroundColor);
    const text = rgb(getComputedStyle(own).color).slice(0, 3).map((x, i) => opacity * x + (1 - opacity) * behind[i]);
    const [low, high] = [light(text), light(behind)].sort((a, b) => a - b);
    return (high + 0.05) / (low + 0.05);
  });

/// When the page has nothing left to compute or to draw.
export const idle = (page) => page.evaluate(() => globalThis.lamella.idle());

/// Opens files as people do: by the button.
export async function choose(page, files) {
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Files …' }).click();
  await (await chooser).setFiles(files);
  await idle(page);
}

/// Drops files of the disk on the page, as from a file manager.
export async function drop(page, files) {
  const device = await page.context().newCDPSession(page);
  const data = { items: [], files, dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop']) await device.send('Input.dispatchDragEvent', { type, x: 600, y: 400, data });
  await idle(page);
}

/// A new folder for a test's files.
export const scratch = () => mkdtempSync(join(tmpdir(), 'lamella-web-'));

/// What the program prints. A collision, and doubt, have an exit status of their own: they are answers.
export const program_text = (...words) => program_text_in(process.cwd(), ...words);

/// The same, with files named from a folder.
export function program_text_in(folder, ...words) {
  try {
    return execFileSync(program, words, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  } catch (error) {
    if (error.status === 1 || error.status === 4) return error.stdout;
    throw error;
  }
}

export const ask_program = (...words) => JSON.parse(program_text(...words, '--json'));

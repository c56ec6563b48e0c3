// Where things are, and what the library answers natively.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const build = process.env.LAMELLA_WASM;
export const packageFolder = join(build, 'package');

/** Ends the program with a word when the package is not there. */
export function needPackage() {
  if (['index.js', 'lamella-engine.wasm', 'lamella-engine-full.wasm'].every((file) => existsSync(join(packageFolder, file)))) return;
  console.log(`WebAssembly tests skipped: ${packageFolder} has no package; build it with ./run wasm`);
  process.exit(0);
}

const folder = mkdtempSync(join(tmpdir(), 'lamella-answers-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

/** Lines by name, names of models in order, a reader of their files, and the seeds. */
export function nativeAnswers() {
  const seeds = join(process.env.LAMELLA_SOURCE, 'fuzz', 'seeds');
  const text = execFileSync(process.env.LAMELLA_ANSWERS, [folder, seeds], { encoding: 'utf8', maxBuffer: 1 << 28 });
  const lines = text.trimEnd().split('\n');
  const names = lines.flatMap((line) => /^(\S+) mesh [0-9a-f]{8}$/.exec(line)?.[1] ?? []).filter((name) => name !== 'image');
  const files = ['glb', 'gltf', 'obj', 'off', 'ply', 'stl', 'xyz'].flatMap((format) =>
    readdirSync(join(seeds, format)).map((file) => `${format}/${file}`),
  );
  files.sort((a, b) => (a < b ? -1 : 1));
  return {
    lines,
    names: [...names, 'box_200', 'blob_800', 'sphere_600'],
    read: (name) => readFileSync(join(folder, `${name}.ply`)),
    files: files.map((name) => ({ name, bytes: readFileSync(join(seeds, name)) })),
  };
}

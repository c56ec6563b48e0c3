// Where things are, what the library answers natively, and a small mesh.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const build = process.env.LAMELLA_WASM;
export const packageFolder = join(build, 'package');

/** Two triangles a side, corners at 0 and `size`. */
export function cube(size = 1, at = [0, 0, 0]) {
  const positions = [];
  for (let i = 0; i < 8; ++i) positions.push(at[0] + size * (i & 1), at[1] + size * ((i >> 1) & 1), at[2] + size * (i >> 2));
  const triangles = [0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4, 2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5];
  return { positions, triangles };
}
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

// node bench.mjs NATIVE WASM: runs both programs of works.cpp in turns, native held to SSE4 and at its best, and prints
// the medians over the rounds with their ratios. The hashes of all three must agree.
import { execFileSync } from 'node:child_process';

const [native, wasm, rounds = '3'] = process.argv.slice(2);
if (wasm === undefined) {
  console.error('usage: node bench.mjs NATIVE WASM.js [ROUNDS]');
  process.exit(2);
}
const programs = {
  best: () => execFileSync(native, [], { encoding: 'utf8' }),
  sse4: () => execFileSync(native, ['SSE4'], { encoding: 'utf8' }),
  wasm: () => execFileSync(process.execPath, ['--no-experimental-fetch', wasm], { encoding: 'utf8' }),
};
const times = new Map(); // work -> program -> milliseconds
const hashes = new Map();
for (let round = 0; round < Number(rounds); ++round)
  for (const [program, run] of Object.entries(programs))
    for (const line of run().trim().split('\n')) {
      const [work, ms, hash] = line.split(' ');
      if (!times.has(work)) times.set(work, {});
      (times.get(work)[program] ??= []).push(Number(ms));
      if ((hashes.get(work) ?? hash) !== hash) throw new Error(`${work}: ${program} answers ${hash}, not ${hashes.get(work)}`);
      hashes.set(work, hash);
    }
const median = (list) => list.sort((a, b) => a - b)[list.length >> 1];
const row = (cells) => console.log(cells.map((cell, i) => (i === 0 ? cell.padEnd(22) : cell.padStart(11))).join(''));
row(['work', 'best ms', 'SSE4 ms', 'WASM ms', '/ best', '/ SSE4']);
for (const [work, by] of times) {
  const [best, sse4, here] = [by.best, by.sse4, by.wasm].map(median);
  row([work, best.toFixed(3), sse4.toFixed(3), here.toFixed(3), (here / best).toFixed(2), (here / sse4).toFixed(2)]);
}

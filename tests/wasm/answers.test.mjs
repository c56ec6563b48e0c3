// The package answers every work with native's bits, with one thread and with more.
import assert from 'node:assert/strict';
import test from 'node:test';
import { join } from 'node:path';
import { nativeAnswers, needPackage, packageFolder } from './support.mjs';
import { works } from './works.mjs';

needPackage();
const { load } = await import(join(packageFolder, 'index.js'));
const native = nativeAnswers();
const expected = new Map(native.lines.map((line) => [/^(.*) (?:error .*|[0-9a-f]{8})$/.exec(line)[1], line]));

/** Compares line by line; the first ones that differ are the message. */
function compare(lamella, few, whole = lamella) {
  const wrong = [];
  let count = 0;
  for (const line of works(lamella, native.names, native.read, native.files, few, whole)) {
    const name = /^(.*) (?:error .*|[0-9a-f]{8})$/s.exec(line)[1];
    ++count;
    if (expected.get(name) !== line) wrong.push(`${line}\n  native: ${expected.get(name)}`);
  }
  assert.deepEqual(wrong.slice(0, 20), [], `${wrong.length} of ${count} answers differ from native's`);
  return count;
}

const whole = await load({ threads: 1, parts: 'all' });
const left = native.lines.filter((line) =>
  /^(batch|image (sphere|make|pyramid)) | (closest|exact|intersect (reference|software-wscg)) (error|[0-9a-f]{8}$)/.test(line),
).length;

test('one thread gives the bits of native in every work', () => {
  assert.equal(compare(whole, false), native.lines.length);
});
test('the smaller module gives the bits of native in every work that it has', async () => {
  assert.equal(compare(await load({ threads: 1 }), false, whole), native.lines.length - left);
});
for (const [threads, parts] of [[2], [4], [2, 'all']])
  test(`${threads} threads give the bits of native${parts ? ', with all parts' : ''}`, async () => {
    const lamella = await load({ threads, parts });
    assert.ok(compare(lamella, true, parts ? lamella : whole) > 100);
  });

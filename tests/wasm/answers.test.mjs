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
function compare(lamella, few) {
  const wrong = [];
  let count = 0;
  for (const line of works(lamella, native.names, native.read, native.files, few)) {
    const name = /^(.*) (?:error .*|[0-9a-f]{8})$/s.exec(line)[1];
    ++count;
    if (expected.get(name) !== line) wrong.push(`${line}\n  native: ${expected.get(name)}`);
  }
  assert.deepEqual(wrong.slice(0, 20), [], `${wrong.length} of ${count} answers differ from native's`);
  return count;
}

test('one thread gives the bits of native in every work', async () => {
  assert.equal(compare(await load({ threads: 1 }), false), native.lines.length);
});
for (const threads of [2, 4])
  test(`${threads} threads give the bits of native`, async () => {
    assert.ok(compare(await load({ threads }), true) > 100);
  });

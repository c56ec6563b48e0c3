import assert from "node:assert/strict";
import test from "node:test";
import { load } from "./load.mjs";

const { with_buffers } = await load("state/gltf.ts");

const bytes_of = (json) => new TextEncoder().encode(typeof json === "string" ? json : JSON.stringify(json));
const json_of = (bytes) => JSON.parse(new TextDecoder().decode(bytes));
const data = (bytes) => `data:application/octet-stream;base64,${Buffer.from(bytes).toString("base64")}`;
const no_file = async (name) => assert.fail(`asked for ${name}`);

/** Bytes of every value, in no simple order. */
const some = (n) => Uint8Array.from({ length: n }, (_, i) => (i * 167 + (i >> 3)) & 255);

test("a buffer in a file of its own goes into the JSON, of any length", async () => {
  for (const n of [0, 1, 2, 3, 4, 5, 6, 255, 256, 257, 10_000]) {
    const gltf = { asset: { version: "2.0" }, buffers: [{ byteLength: n, uri: "a.bin" }], scene: 0 };
    const asked = [];
    const out = await with_buffers(bytes_of(gltf), async (name) => (asked.push(name), some(n)));
    assert.deepEqual(json_of(out), { ...gltf, buffers: [{ byteLength: n, uri: data(some(n)) }] });
    assert.deepEqual(asked, ["a.bin"]);
  }
});

test("of several buffers those in the JSON stay, and their order", async () => {
  const buffers = [{ uri: "one.bin", byteLength: 1 }, { uri: data(some(4)), byteLength: 4 }, { byteLength: 7 }, { uri: "two.bin" }];
  const out = await with_buffers(bytes_of({ buffers }), async (name) => some(name.length));
  assert.deepEqual(json_of(out), { buffers: [{ ...buffers[0], uri: data(some(7)) }, buffers[1], buffers[2], { uri: data(some(7)) }] });
});

test("a file's name is that of the address, without folders and with its signs", async () => {
  const names = [];
  for (const uri of ["./a.bin", "meshes/a%20b.bin", "hälfte.bin", "100%.bin", "100%25.bin"])
    await with_buffers(bytes_of({ buffers: [{ uri }] }), async (name) => (names.push(name), some(1)));
  assert.deepEqual(names, ["a.bin", "a b.bin", "hälfte.bin", "100%.bin", "100%.bin"]);
});

test("everything else stays as it is, to the byte", async () => {
  const many = [
    "", "{", "null", "[]", "7", "{}", '{"buffers": 7}', '{"buffers": [7, null]}', '{"buffers": [[]]}',
    { buffers: [] }, { buffers: [{ byteLength: 3 }] }, { buffers: [{ uri: 7 }] },
    { buffers: [{ uri: data(some(3)) }] }, { buffers: [{ uri: "http://example.org/a.bin" }] }, { buffers: [{ uri: "file:///etc/passwd" }] },
  ];
  for (const one of many) {
    const bytes = bytes_of(one);
    assert.equal(await with_buffers(bytes, no_file), bytes);
  }
  const binary = some(1000);
  assert.equal(await with_buffers(binary, no_file), binary);
});

test("what cannot be found is said by whoever looked for it", async () => {
  await assert.rejects(with_buffers(bytes_of({ buffers: [{ uri: "a.bin" }] }), async (name) => Promise.reject(new Error(`no ${name}`))), /no a\.bin/);
});

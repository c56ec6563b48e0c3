import assert from "node:assert/strict";
import { deflateSync } from "node:zlib";
import test from "node:test";
import { load } from "./load.mjs";

const { is_saved_view, pack, unpack } = await load("state/saved.ts");

const kPacket = new TextEncoder().encode("LMP1 any bytes, any bytes, any bytes");

test("a view is packed and unpacked", async () => {
  const file = await pack(kPacket);
  assert.ok(is_saved_view(file));
  assert.deepEqual(await unpack(file), kPacket);
});

test("what zlib wrote is read", async () => {
  const head = Buffer.alloc(12);
  head.write("LMZ1");
  head.writeBigUInt64LE(BigInt(kPacket.length), 4);
  assert.deepEqual(await unpack(new Uint8Array(Buffer.concat([head, deflateSync(kPacket)]))), kPacket);
});

test("a mesh file is no saved view", () => {
  assert.equal(is_saved_view(new TextEncoder().encode("ply\nformat ascii 1.0")), false);
  assert.equal(is_saved_view(new Uint8Array(3)), false);
});

test("a damaged file, and one with a wrong length, are errors", async () => {
  const file = await pack(kPacket);
  await assert.rejects(unpack(file.subarray(0, file.length - 6)), /damaged or cut off/);
  const lies = file.slice();
  lies[4] ^= 1;
  await assert.rejects(unpack(lies), /does not have the \d+ bytes/);
});

/** A file that says that it has `length` bytes, and has `real` zeros. */
function forged(length, real) {
  const head = Buffer.alloc(12);
  head.write("LMZ1");
  head.writeBigUInt64LE(BigInt(length), 4);
  return new Uint8Array(Buffer.concat([head, deflateSync(Buffer.alloc(real))]));
}

test("a small file that inflates without end is given up where it should have ended", async () => {
  const real = globalThis.DecompressionStream;
  let inflated = 0;
  globalThis.DecompressionStream = class {
    constructor(format) {
      const { readable, writable } = new real(format);
      const count = new TransformStream({ transform: (piece, to) => ((inflated += piece.length), to.enqueue(piece)) });
      return { readable: readable.pipeThrough(count), writable };
    }
  };
  try {
    await assert.rejects(unpack(forged(100, 64 * 2 ** 20)), /does not have the 100 bytes/);
  } finally {
    globalThis.DecompressionStream = real;
  }
  assert.ok(inflated < 4 * 2 ** 20, `${inflated} bytes`);
});

test("a file that says that it is too large is refused before it is inflated", async () => {
  await assert.rejects(unpack(forged(2 ** 40, 10)), /GB, and 1\.07 GB is the most/);
  await assert.rejects(unpack(forged(101, 101), 100), /101 bytes, and 100 bytes is the most/);
});

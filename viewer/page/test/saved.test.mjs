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
  await assert.rejects(unpack(lies), /and not/);
});

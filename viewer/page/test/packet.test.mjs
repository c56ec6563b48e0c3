import assert from "node:assert/strict";
import test from "node:test";
import { load } from "./load.mjs";

const { encode, decode } = await load("engine/packet.ts");

test("a packet without arrays is its header and its JSON, rounded up to eight bytes", () => {
  const packet = encode({ op: "hello" });
  assert.equal(new TextDecoder().decode(packet.subarray(0, 4)), "LMP1");
  assert.equal(packet.length, 16 + 16);
  assert.deepEqual([...packet.subarray(4, 16)], [14, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
  assert.deepEqual(decode(packet), { op: "hello" });
});

test("arrays lie at multiples of eight bytes, with their lengths before the JSON", () => {
  const packet = encode({ a: Uint8Array.of(1, 2, 3), b: Float64Array.of(0.5) });
  const head = new DataView(packet.buffer);
  assert.equal(head.getUint32(8, true), 2);
  assert.equal(head.getBigUint64(16, true), 3n);
  assert.equal(head.getBigUint64(24, true), 8n);
  assert.equal(packet.length % 8, 0);
  assert.equal(new DataView(packet.buffer).getFloat64(packet.length - 8, true), 0.5);
  assert.deepEqual([...packet.subarray(packet.length - 16, packet.length - 8)], [1, 2, 3, 0, 0, 0, 0, 0]);
});

test("every type of array comes back, however deep it is", () => {
  const message = {
    list: [{ f32: Float32Array.of(1.5, -2), u16: Uint16Array.of(65535) }, Uint32Array.of(4294967295)],
    f64: Float64Array.of(0.1, 1e300),
    empty: new Float32Array(0),
    text: "∅ <script>",
  };
  assert.deepEqual(decode(encode(message)), message);
});

test("a part of a larger array is sent alone", () => {
  const part = Float32Array.of(0, 1, 2, 3).subarray(1, 3);
  assert.deepEqual(decode(encode({ part })).part, Float32Array.of(1, 2));
});

test("a packet at an odd place in memory is read as well", () => {
  const packet = encode({ x: Float64Array.of(3.25), y: Uint32Array.of(7) });
  const moved = new Uint8Array(packet.length + 3);
  moved.set(packet, 3);
  assert.deepEqual(decode(moved.subarray(3)), { x: Float64Array.of(3.25), y: Uint32Array.of(7) });
});

test("doubles in JSON keep their bits", () => {
  const volume = 0.00039832375470904885;
  assert.equal(decode(encode({ volume })).volume, volume);
});

test("a cut-off or foreign reply is an error that says so", () => {
  const packet = encode({ a: Float32Array.of(1, 2, 3, 4) });
  assert.throws(() => decode(packet.subarray(0, 8)), /within its header/);
  assert.throws(() => decode(packet.subarray(0, 30)), /within its JSON/);
  assert.throws(() => decode(packet.subarray(0, packet.length - 8)), /within array 0/);
  assert.throws(() => decode(new Uint8Array(64)), /not a packet/);
});

test("an array that is longer than its bytes is an error", () => {
  const packet = encode({ a: Float32Array.of(1, 2) });
  const text = new TextDecoder("latin1").decode(packet).replace('"count":2', '"count":3');
  assert.throws(() => decode(Uint8Array.from(text, (c) => c.charCodeAt(0))), /array 0 is too short/);
});

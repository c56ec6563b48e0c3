// Packets of viewer/PROTOCOL.md: JSON, and arrays of numbers as bytes. In a message of the page an array is a typed
// array; in the packet's JSON it is {"array": k, "type", "count"}.

export type Numbers = Float32Array | Float64Array | Uint32Array | Uint16Array | Uint8Array;

const kMagic = 0x31504d4c; // "LMP1", read as a little-endian number
const kHeader = 16;

const kTypes = {
  f32: Float32Array,
  f64: Float64Array,
  u32: Uint32Array,
  u16: Uint16Array,
  u8: Uint8Array,
} as const;
type TypeName = keyof typeof kTypes;

function type_of(array: Numbers): TypeName {
  for (const name of Object.keys(kTypes) as TypeName[]) if (array instanceof kTypes[name]) return name;
  throw new Error("an array of this type cannot be in a packet");
}

const round_up = (n: number): number => Math.ceil(n / 8) * 8;

/** The packet of a message: an object whose members, however deep, may be typed arrays. */
export function encode(message: object): Uint8Array<ArrayBuffer> {
  const arrays: Numbers[] = [];
  const text = JSON.stringify(message, (_, value: unknown) => {
    if (!ArrayBuffer.isView(value)) return value;
    const array = value as Numbers;
    arrays.push(array);
    return { array: arrays.length - 1, type: type_of(array), count: array.length };
  });
  const json = new TextEncoder().encode(text);
  const begin = kHeader + 8 * arrays.length;
  let size = begin + round_up(json.length);
  for (const array of arrays) size += round_up(array.byteLength);

  const packet = new Uint8Array(size);
  const head = new DataView(packet.buffer);
  head.setUint32(0, kMagic, true);
  head.setUint32(4, json.length, true);
  head.setUint32(8, arrays.length, true);
  packet.set(json, begin);
  let at = begin + round_up(json.length);
  arrays.forEach((array, i) => {
    head.setBigUint64(kHeader + 8 * i, BigInt(array.byteLength), true);
    packet.set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength), at);
    at += round_up(array.byteLength);
  });
  return packet;
}

interface Reference {
  array: number;
  type: TypeName;
  count: number;
}

function is_reference(value: unknown): value is Reference {
  if (typeof value !== "object" || value === null) return false;
  const r = value as Partial<Reference>;
  return typeof r.array === "number" && typeof r.count === "number" && typeof r.type === "string" && r.type in kTypes;
}

/** The message of a packet. Its typed arrays lie over the packet's memory where they can. */
export function decode(packet: Uint8Array): unknown {
  const bad = (why: string): Error => new Error(`the engine's reply cannot be read: ${why}`);
  if (packet.length < kHeader) throw bad("it ends within its header");
  const head = new DataView(packet.buffer, packet.byteOffset, packet.byteLength);
  if (head.getUint32(0, true) !== kMagic) throw bad("it is not a packet");
  const json_length = head.getUint32(4, true);
  const count = head.getUint32(8, true);
  const begin = kHeader + 8 * count;
  if (begin + json_length > packet.length) throw bad("it ends within its JSON");

  const places: { at: number; length: number }[] = [];
  let at = begin + round_up(json_length);
  for (let i = 0; i < count; ++i) {
    const length = Number(head.getBigUint64(kHeader + 8 * i, true));
    if (at + length > packet.length) throw bad(`it ends within array ${i}`);
    places.push({ at, length });
    at += round_up(length);
  }

  const text = new TextDecoder().decode(packet.subarray(begin, begin + json_length));
  return JSON.parse(text, (_, value: unknown) => {
    if (!is_reference(value)) return value;
    const place = places[value.array];
    const Type = kTypes[value.type];
    if (!place || value.count * Type.BYTES_PER_ELEMENT > place.length) throw bad(`array ${value.array} is too short`);
    const offset = packet.byteOffset + place.at;
    if (offset % Type.BYTES_PER_ELEMENT === 0) return new Type(packet.buffer as ArrayBuffer, offset, value.count);
    return new Type(packet.slice(place.at, place.at + value.count * Type.BYTES_PER_ELEMENT).buffer);
  });
}

// Values as bytes: see bindings/wasm/src/value.hpp.

export type NumberArray = Uint8Array | Uint16Array | Uint32Array | Float32Array | Float64Array;

/** An array in the module's memory. */
export interface Place {
  kind: number;
  address: number;
  count: number;
}

const kinds = [Uint8Array, Uint16Array, Uint32Array, Float32Array, Float64Array] as const;

export function kindOf(array: NumberArray): number {
  return kinds.findIndex((kind) => array instanceof kind);
}

export function view(buffer: ArrayBufferLike, place: Place): NumberArray {
  return new kinds[place.kind](buffer as ArrayBuffer, place.address, place.count);
}

export function isNumberArray(value: unknown): value is NumberArray {
  return ArrayBuffer.isView(value) && kindOf(value as NumberArray) >= 0;
}

/** Bytes that grow. */
export class Encoder {
  private bytes = new Uint8Array(1024);
  private data = new DataView(this.bytes.buffer);
  private size = 0;
  private readonly texts = new TextEncoder();

  /** @param place where a typed array is, or was put, in the module's memory */
  constructor(private readonly place: (array: NumberArray) => Place) {}

  encode(value: unknown): Uint8Array {
    this.size = 0;
    this.value(value);
    return this.bytes.subarray(0, this.size);
  }

  private room(more: number): number {
    const at = this.size;
    this.size += more;
    if (this.size > this.bytes.length) {
      const larger = new Uint8Array(2 * this.size);
      larger.set(this.bytes);
      this.bytes = larger;
      this.data = new DataView(larger.buffer);
    }
    return at;
  }
  private u8(x: number) {
    const at = this.room(1);
    this.data.setUint8(at, x);
  }
  private u32(x: number) {
    const at = this.room(4);
    this.data.setUint32(at, x, true);
  }
  private text(x: string) {
    const bytes = this.texts.encode(x);
    this.u32(bytes.length);
    const at = this.room(bytes.length);
    this.bytes.set(bytes, at);
  }
  private value(x: unknown) {
    if (x === undefined || x === null) {
      this.u8(0);
    } else if (typeof x === 'boolean') {
      this.u8(x ? 2 : 1);
    } else if (typeof x === 'number') {
      this.u8(3);
      const at = this.room(8);
      this.data.setFloat64(at, x, true);
    } else if (typeof x === 'string') {
      this.u8(4);
      this.text(x);
    } else if (Array.isArray(x)) {
      this.u8(5);
      this.u32(x.length);
      for (const item of x) this.value(item);
    } else if (isNumberArray(x)) {
      const place = this.place(x);
      this.u8(7);
      this.u8(place.kind);
      this.u32(place.address);
      this.u32(place.count);
    } else if (typeof x === 'object') {
      const members = Object.entries(x as object).filter(([, value]) => value !== undefined);
      this.u8(6);
      this.u32(members.length);
      for (const [name, value] of members) {
        this.text(name);
        this.value(value);
      }
    } else {
      throw new TypeError(`a ${typeof x} cannot be given to the engine`);
    }
  }
}

/** Turns bytes into values; arrays become properties that look at the module's memory whenever they are read. */
export class Decoder {
  private at = 0;
  private data: DataView;
  private readonly texts = new TextDecoder();

  constructor(
    private readonly bytes: Uint8Array,
    private readonly memory: () => ArrayBufferLike,
  ) {
    this.data = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  value(): any {
    const tag = this.data.getUint8(this.at++);
    switch (tag) {
      case 0:
        return null;
      case 1:
      case 2:
        return tag === 2;
      case 3: {
        const x = this.data.getFloat64(this.at, true);
        this.at += 8;
        return x;
      }
      case 4:
        return this.text();
      case 5:
        return Array.from({ length: this.u32() }, () => this.value());
      case 6:
        return this.record();
      default:
        return view(this.memory(), this.place());
    }
  }

  private u32(): number {
    const x = this.data.getUint32(this.at, true);
    this.at += 4;
    return x;
  }
  private text(): string {
    const size = this.u32();
    const bytes = this.bytes.slice(this.at, this.at + size); // shared memory cannot be decoded in place
    this.at += size;
    return this.texts.decode(bytes);
  }
  private place(): Place {
    const kind = this.data.getUint8(this.at++);
    const address = this.u32();
    return { kind, address, count: this.u32() };
  }
  private record(): object {
    const out = {};
    const count = this.u32();
    for (let i = 0; i < count; ++i) {
      const name = this.text();
      if (this.data.getUint8(this.at) !== 7) {
        Object.defineProperty(out, name, { value: this.value(), enumerable: true, writable: true, configurable: true });
        continue;
      }
      ++this.at;
      const place = this.place();
      let last: NumberArray | undefined;
      Object.defineProperty(out, name, {
        enumerable: true,
        // Memory that grows gets another buffer.
        get: () => (last !== undefined && last.buffer === this.memory() ? last : (last = view(this.memory(), place))),
      });
    }
    return out;
  }
}

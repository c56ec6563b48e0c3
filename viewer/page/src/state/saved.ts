// The file of a saved view: "LMZ1", the length of the packet as a u64, and the packet compressed with zlib. Natively
// the engine writes and reads it; as WebAssembly it leaves zlib to the browser.

const kMagic = "LMZ1";
const kHead = 12;

export function is_saved_view(bytes: Uint8Array): boolean {
  return bytes.length >= kHead && String.fromCharCode(...bytes.subarray(0, 4)) === kMagic;
}

async function through(bytes: Uint8Array, stream: CompressionStream | DecompressionStream): Promise<Uint8Array> {
  const source = new Blob([bytes as Uint8Array<ArrayBuffer>]).stream();
  return new Uint8Array(await new Response(source.pipeThrough(stream)).arrayBuffer());
}

/** The packet in a file. Throws Error when the file is damaged. */
export async function unpack(file: Uint8Array): Promise<Uint8Array> {
  const bad = (why: string): Error => new Error(`the saved view cannot be read: ${why}`);
  const length = Number(new DataView(file.buffer, file.byteOffset).getBigUint64(4, true));
  let packet: Uint8Array;
  try {
    packet = await through(file.subarray(kHead), new DecompressionStream("deflate"));
  } catch {
    throw bad("it is damaged or cut off");
  }
  if (packet.length !== length) throw bad(`it has ${packet.length} bytes and not ${length}`);
  return packet;
}

export async function pack(packet: Uint8Array): Promise<Uint8Array> {
  const body = await through(packet, new CompressionStream("deflate"));
  const file = new Uint8Array(kHead + body.length);
  file.set(new TextEncoder().encode(kMagic));
  new DataView(file.buffer).setBigUint64(4, BigInt(packet.length), true);
  file.set(body, kHead);
  return file;
}

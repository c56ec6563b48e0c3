// The file of a saved view: "LMZ1", the length of the packet as a u64, and the packet compressed with zlib. Natively
// the engine writes and reads it; as WebAssembly it leaves zlib to the browser.

import { bytes_text } from "./numbers.ts";

const kMagic = "LMZ1";
const kHead = 12;
/** Of a packet: the engine needs as much again, and has 4 GB at most. */
const kMostBytes = 2 ** 30;

export function is_saved_view(bytes: Uint8Array): boolean {
  return bytes.length >= kHead && String.fromCharCode(...bytes.subarray(0, 4)) === kMagic;
}

const stream_of = (bytes: Uint8Array): ReadableStream<Uint8Array<ArrayBuffer>> => new Blob([bytes as Uint8Array<ArrayBuffer>]).stream();

/** The packet in a file. Throws Error when the file is damaged, or its packet longer than `most`. What does not end
 * where it says is given up there: a small file may inflate to more than there is memory. */
export async function unpack(file: Uint8Array, most = kMostBytes): Promise<Uint8Array> {
  const bad = (why: string): Error => new Error(`the saved view cannot be read: ${why}`);
  const length = Number(new DataView(file.buffer, file.byteOffset).getBigUint64(4, true));
  if (length > most) throw bad(`it has ${bytes_text(length)}, and ${bytes_text(most)} is the most that a page takes`);
  const pieces: Uint8Array[] = [];
  let count = 0;
  const reader = stream_of(file.subarray(kHead)).pipeThrough(new DecompressionStream("deflate")).getReader();
  try {
    for (let read = await reader.read(); !read.done && count <= length; read = await reader.read()) {
      pieces.push(read.value);
      count += read.value.length;
    }
  } catch {
    throw bad("it is damaged or cut off");
  } finally {
    void reader.cancel().catch(() => {});
  }
  if (count !== length) throw bad(`it does not have the ${length} bytes that it says`);
  return joined(pieces, length);
}

function joined(pieces: Uint8Array[], length: number): Uint8Array {
  const out = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    out.set(piece, at);
    at += piece.length;
  }
  return out;
}

export async function pack(packet: Uint8Array): Promise<Uint8Array> {
  const body = new Uint8Array(await new Response(stream_of(packet).pipeThrough(new CompressionStream("deflate"))).arrayBuffer());
  const file = new Uint8Array(kHead + body.length);
  file.set(new TextEncoder().encode(kMagic));
  new DataView(file.buffer).setBigUint64(4, BigInt(packet.length), true);
  file.set(body, kHead);
  return file;
}

// glTF files whose buffers are files of their own. The engine takes one file: the buffers go into its JSON, as data: URIs.

const kMostText = 2 ** 26; // bytes of JSON: one with more has its buffers in it already
const kScheme = /^[a-z][a-z0-9+.-]*:/i;
const kDigits = new TextEncoder().encode("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/");

interface Buffers {
  buffers: { uri?: unknown }[];
}

function has_buffers(json: unknown): json is Buffers {
  const list = (json as Partial<Buffers> | null)?.buffers;
  return Array.isArray(list) && list.every((b) => typeof b === "object" && b !== null && !Array.isArray(b));
}

/** Null for what the engine had better judge itself. */
function parsed(bytes: Uint8Array): Buffers | null {
  if (bytes.length > kMostText) return null;
  try {
    const json: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return has_buffers(json) ? json : null;
  } catch {
    return null;
  }
}

/** The name of the file that a buffer is in, without folders; null where there is none. */
function file_of(uri: unknown): string | null {
  if (typeof uri !== "string" || kScheme.test(uri)) return null;
  let path = uri;
  try {
    path = decodeURIComponent(uri);
  } catch {
    // a percent sign that stands for itself
  }
  return path.slice(path.lastIndexOf("/") + 1);
}

/** A glTF file's bytes with the files in it that its buffers name, as `file` gives them; other bytes as they are. */
export async function with_buffers(bytes: Uint8Array, file: (name: string) => Promise<Uint8Array>): Promise<Uint8Array> {
  const gltf = parsed(bytes);
  if (!gltf?.buffers.some(({ uri }) => file_of(uri) !== null)) return bytes;
  const { buffers, ...others } = gltf;
  const parts: (string | Uint8Array)[] = ['{"buffers":['];
  for (const [i, buffer] of buffers.entries()) {
    const { uri, ...rest } = buffer;
    const name = file_of(uri);
    if (i > 0) parts.push(",");
    if (name === null) parts.push(JSON.stringify(buffer));
    else parts.push('{"uri":"data:application/octet-stream;base64,', await file(name), '"', members_after(rest));
  }
  parts.push("]", members_after(others));
  return joined(parts);
}

/** The end of an object's JSON, after its first member. */
function members_after(object: object): string {
  const text = JSON.stringify(object).slice(1);
  return text === "}" ? text : `,${text}`;
}

const base64_length = (bytes: number): number => 4 * Math.ceil(bytes / 3);

/** Texts as UTF-8, bytes as base64: by hand, as no text in a browser can be as long as a large file. */
function joined(parts: (string | Uint8Array)[]): Uint8Array {
  const pieces = parts.map((part) => (typeof part === "string" ? { text: new TextEncoder().encode(part) } : { bytes: part }));
  const lengths = pieces.map(({ text, bytes }) => text?.length ?? base64_length(bytes!.length));
  const out = new Uint8Array(lengths.reduce((sum, n) => sum + n, 0));
  let at = 0;
  pieces.forEach(({ text, bytes }, i) => {
    if (text) out.set(text, at);
    else write_base64(bytes!, out.subarray(at, at + lengths[i]));
    at += lengths[i];
  });
  return out;
}

function write_base64(bytes: Uint8Array, out: Uint8Array): void {
  let at = 0;
  for (let i = 0; i < bytes.length; i += 3) {
    const bits = (bytes[i] << 16) | ((bytes[i + 1] ?? 0) << 8) | (bytes[i + 2] ?? 0);
    for (const shift of [18, 12, 6, 0]) out[at++] = kDigits[(bits >> shift) & 63];
  }
  for (let left = (3 - (bytes.length % 3)) % 3; left > 0; --left) out[out.length - left] = 0x3d; // "="
}

// @engine@.wasm, with one thread: what it needs of JavaScript, in place of the script that Emscripten writes, which is
// five times as long. CMake puts the name in.

const page = 65536;
const most = 65535 * page;

async function fetched(imports) {
  const response = await fetch(new URL('@engine@.wasm', import.meta.url), { credentials: 'same-origin' });
  if (!response.ok) throw new Error(`${response.url} cannot be fetched: status ${response.status}`);
  // Not every server tells what it is.
  if (response.headers.get('Content-Type') !== 'application/wasm') {
    return WebAssembly.instantiate(await response.arrayBuffer(), imports);
  }
  return WebAssembly.instantiateStreaming(response, imports);
}

/** The module. `wasmBinary`: the bytes of the .wasm file, which is fetched when they are not given. */
export default async ({ wasmBinary } = {}) => {
  const module = {};
  let memory;
  const use = () => (module.HEAPU8 = new Uint8Array(memory.buffer));
  /** By `bytes` or more, so that memory which grows little by little does not move each time. */
  const grow = (bytes) => {
    memory.grow(Math.ceil((Math.min(bytes, most) - memory.buffer.byteLength) / page));
    use();
  };

  const env = {
    abort() {
      throw new WebAssembly.RuntimeError('the engine has failed');
    },
    clock_gettime(clock, to) {
      const now = performance.now() + (clock === 0 ? performance.timeOrigin : 0);
      new Int32Array(memory.buffer, to >>> 0, 2).set([now / 1000, (now % 1000) * 1e6]);
      return 0;
    },
    emscripten_resize_heap(bytes) {
      bytes >>>= 0;
      if (bytes > most) return 0;
      try {
        grow(Math.max(bytes, Math.min(1.2 * memory.buffer.byteLength, bytes + 1536 * page)));
      } catch {
        try {
          grow(bytes);
        } catch {
          return 0;
        }
      }
      return 1;
    },
    getentropy(to, count) {
      const bytes = new Uint8Array(memory.buffer, to >>> 0, count);
      // Node 18 has no `crypto`. It is for seeds of hash tables.
      if (globalThis.crypto?.getRandomValues(bytes) === undefined) bytes.forEach((_, i) => (bytes[i] = 256 * Math.random()));
      return 0;
    },
  };
  const { instance } = await (wasmBinary ? WebAssembly.instantiate(wasmBinary, { env }) : fetched({ env }));
  const { exports } = instance;
  memory = exports.memory;
  use();
  exports.__wasm_call_ctors();
  for (const name in exports) module[`_${name}`] = exports[name];
  return module;
};

// The session's WebAssembly module (bindings/wasm/session_module.cpp) as a function from packet to packet.

import create, { type SessionModule } from "lamella-session";

/** Of a file that is opened: a module has 4 GB in all, and a mesh takes more room than its file. */
const kMostBytes = 2 ** 29;

export interface ModuleFiles {
  wasm: ArrayBuffer;
  /** For threads: the module's own script, and that of its workers. */
  script?: string;
  worker?: string;
  threads: number;
}

/** The reply stays valid until the next call. Throws Error when the module cannot go on. */
export async function start_module(files: ModuleFiles): Promise<(packet: Uint8Array) => Uint8Array> {
  const address = (text: string): string => URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
  const worker = files.worker ? address(files.worker) : "";
  const module: SessionModule = await create({
    wasmBinary: files.wasm,
    threads: files.threads,
    ...(files.script && { mainScriptUrlOrBlob: address(files.script) }),
    locateFile: (name: string) => (name.endsWith(".worker.js") ? worker : name),
  });
  const text_at = (place: number): string => {
    const end = module.HEAPU8.indexOf(0, place);
    return new TextDecoder().decode(module.HEAPU8.slice(place, end));
  };
  const checked = (place: number): number => {
    if (place === 0) throw new Error(text_at(module._lamella_session_error()));
    return place;
  };
  const session = checked(module._lamella_session_new(files.threads, kMostBytes));
  return (packet) => {
    const place = checked(module._lamella_session_request(session, packet.length));
    module.HEAPU8.set(packet, place);
    const reply = checked(module._lamella_session_call(session, packet.length));
    return module.HEAPU8.subarray(reply, reply + module._lamella_session_reply_size(session));
  };
}

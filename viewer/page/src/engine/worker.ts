// The engine's worker: starts the module with what it is sent first (the module gzipped), then answers packets.

import { start_module } from "./module.ts";

export interface StartMessage {
  wasm: Uint8Array<ArrayBuffer>;
  script?: string;
  worker?: string;
  threads: number;
}

interface Scope {
  onmessage: ((event: MessageEvent<{ start?: StartMessage; id: number; packet: Uint8Array }>) => void) | null;
  postMessage(message: object, transfer?: Transferable[]): void;
}
const scope = globalThis as unknown as Scope;

async function unpacked(bytes: Uint8Array<ArrayBuffer>): Promise<ArrayBuffer> {
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
}

let ready: Promise<(packet: Uint8Array) => Uint8Array> | null = null;

scope.onmessage = (event) => {
  const { start, id, packet } = event.data;
  if (start) {
    ready = unpacked(start.wasm).then((wasm) => start_module({ ...start, wasm }));
    ready.catch(() => {}); // told to whoever asks first
    return;
  }
  void (async () => {
    try {
      const reply = (await ready!)(packet).slice(); // out of the module's memory
      scope.postMessage({ id, reply }, [reply.buffer]);
    } catch (error) {
      scope.postMessage({ id, error: error instanceof Error ? error.message : String(error) });
    }
  })();
};

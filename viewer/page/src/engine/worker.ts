// The engine's worker: starts the module with the bytes it is sent first (gzip), then answers packets, one at a time.

import { start } from "lamella-session";

interface Scope {
  onmessage: ((event: MessageEvent<{ wasm?: Uint8Array<ArrayBuffer>; threads?: number; id: number; packet: Uint8Array }>) => void) | null;
  postMessage(message: object, transfer?: Transferable[]): void;
}
const scope = globalThis as unknown as Scope;

async function unpacked(bytes: Uint8Array<ArrayBuffer>): Promise<ArrayBuffer> {
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
}

let ready: Promise<(packet: Uint8Array) => Uint8Array> | null = null;

scope.onmessage = (event) => {
  const { wasm, threads, id, packet } = event.data;
  if (wasm) {
    ready = unpacked(wasm).then((bytes) => start(bytes, threads ?? 1));
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

// The module that build.mjs puts in: see session_module.mjs.
declare module "lamella-session" {
  /** Gives a function from packet to packet; its result stays valid until the next call. */
  export function start(wasm: ArrayBuffer, threads: number): Promise<(packet: Uint8Array) => Uint8Array>;
}

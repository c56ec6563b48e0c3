// What is inside the page's file: the engine, the data of a report, the token of a server.

import type { StartMessage } from "./worker.ts";

/** The text of a script element that is data, or "". */
function text_of(id: string): string {
  return document.getElementById(id)?.textContent?.trim() ?? "";
}

export function from_base64(text: string): Uint8Array<ArrayBuffer> {
  const direct = (Uint8Array as unknown as { fromBase64?: (text: string) => Uint8Array<ArrayBuffer> }).fromBase64;
  if (direct) return direct.call(Uint8Array, text);
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; ++i) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

/** A saved view ("LMZ1"), or null when the page is no report. The text is let go of: it can be large. */
export function report_data(): Uint8Array | null {
  const text = text_of("lamella-data");
  if (text === "") return null;
  document.getElementById("lamella-data")!.textContent = "";
  return from_base64(text);
}

export function server_token(): string | null {
  const text = text_of("lamella-server");
  if (text === "") return null;
  const { token } = JSON.parse(text) as { token?: unknown };
  if (typeof token !== "string") throw new Error("The page was served without a token.");
  return token;
}

/** The worker with the engine in it, made of what the page's file has: with threads where the page may have them. */
export function start_worker(): Worker {
  const threads = crossOriginIsolated && text_of("lamella-threads-wasm") !== "";
  const kind = threads ? "threads" : "single";
  const wasm = from_base64(text_of(`lamella-${kind}-wasm`));
  const code = new Blob([text_of(`lamella-${kind}-worker`)], { type: "text/javascript" });
  const worker = new Worker(URL.createObjectURL(code));
  const start: StartMessage = {
    wasm,
    threads: threads ? navigator.hardwareConcurrency : 1,
    ...(threads && { script: text_of("lamella-threads-script"), worker: text_of("lamella-threads-helper") }),
  };
  worker.postMessage({ start }, [wasm.buffer]);
  return worker;
}

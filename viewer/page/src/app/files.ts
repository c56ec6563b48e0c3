// Files in and out, and the clipboard.

import { h } from "../panels/dom.ts";

export function pick_files(take: (files: File[]) => void): void {
  const input = h("input", { type: "file", multiple: true, accept: ".ply,.obj,.stl,.off,.gltf,.glb,.bin,.lamella" });
  input.addEventListener("change", () => take([...(input.files ?? [])]));
  input.click();
}

/** Files can be dropped anywhere. */
export function listen_to_drops(take: (files: File[]) => void): void {
  const has_files = (event: DragEvent): boolean => event.dataTransfer?.types.includes("Files") ?? false;
  let depth = 0;
  const over = (on: boolean): void => void document.body.classList.toggle("dropping", on);
  addEventListener("dragenter", (event) => {
    if (!has_files(event)) return;
    event.preventDefault();
    ++depth;
    over(true);
  });
  addEventListener("dragleave", (event) => {
    if (has_files(event) && --depth <= 0) over(false);
  });
  addEventListener("dragover", (event) => {
    if (has_files(event)) event.preventDefault();
  });
  addEventListener("drop", (event) => {
    depth = 0;
    over(false);
    if (!event.dataTransfer || event.dataTransfer.files.length === 0) return;
    event.preventDefault();
    take([...event.dataTransfer.files]);
  });
}

export function download(name: string, bytes: Uint8Array): void {
  const address = URL.createObjectURL(new Blob([new Uint8Array(bytes)], { type: "application/octet-stream" }));
  h("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

export async function copy_text(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Pages from disk may not use the clipboard so; the old way still works in most browsers.
    const area = h("textarea", { value: text, class: "visually-hidden" });
    document.body.append(area);
    area.select();
    const good = document.execCommand("copy");
    area.remove();
    return good;
  }
}

// TypeScript for tests: a file and what it imports as one module.
import { build } from "esbuild";
import { fileURLToPath } from "node:url";

export async function load(path) {
  const result = await build({
    entryPoints: [fileURLToPath(new URL(`../src/${path}`, import.meta.url))],
    bundle: true, write: false, format: "esm", platform: "neutral", mainFields: ["module", "main"], logLevel: "error",
  });
  return import(`data:text/javascript;base64,${Buffer.from(result.outputFiles[0].text).toString("base64")}`);
}

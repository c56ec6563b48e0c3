// Makes page.html, one file with everything in it: script, style, the engine as WebAssembly.
//
//   node build.mjs --session DIR [--threads DIR] [--out FILE]
//
// --session: folder with the session's module for one thread, session.mjs and session.wasm
// --threads: the same for several threads; used where the page is cross-origin isolated. Left out, the page has one
// --out: what to write (default: dist/page.html)

import { build } from "esbuild";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";

const here = dirname(fileURLToPath(import.meta.url));
const { values: options } = parseArgs({
  options: {
    session: { type: "string" },
    threads: { type: "string" },
    out: { type: "string", default: join(here, "dist/page.html") },
  },
});

function fail(message) {
  console.error(`build.mjs: ${message}`);
  process.exit(2);
}

/** One script of a TypeScript file and what it imports. */
async function bundle(entry, format, plugins = []) {
  const result = await build({
    entryPoints: [join(here, entry)],
    bundle: true,
    write: false,
    format,
    minify: true,
    target: ["chrome105", "firefox113", "safari16.4"],
    legalComments: "none",
    charset: "utf8",
    logLevel: "warning",
    plugins,
  });
  return result.outputFiles[0].text;
}

/** Inside an element <script>, nothing may look like its end, nor open a comment that hides it. */
const in_script = (text) => text.replaceAll("</script", "<\\/script").replaceAll("<!--", "<\\!--");

async function engine(kind, folder) {
  const module = resolve(folder, "session.mjs");
  const wasm = resolve(folder, "session.wasm");
  for (const file of [module, wasm]) if (!existsSync(file)) fail(`there is no ${file}; build the session's module first`);
  const plugin = {
    name: "session",
    setup: (b) => b.onResolve({ filter: /^lamella-session$/ }, () => ({ path: module })),
  };
  const worker = await bundle("src/engine/worker.ts", "iife", [plugin]);
  const bytes = gzipSync(readFileSync(wasm), { level: 9 }).toString("base64");
  return (
    `<script type="application/octet-stream" id="lamella-${kind}-wasm">${bytes}</script>\n` +
    `<script type="text/plain" id="lamella-${kind}-worker">${in_script(worker)}</script>`
  );
}

if (!options.session) fail("--session DIR is needed: the folder with session.mjs and session.wasm");
const engines = [await engine("single", options.session)];
if (options.threads) engines.push(await engine("threads", options.threads));
const script = in_script(await bundle("src/main.ts", "esm"));
const style = (await build({ entryPoints: [join(here, "src/style.css")], write: false, minify: true, logLevel: "warning" })).outputFiles[0].text;

// Replacements are functions: in a text, "$&" and the like would be taken for patterns.
const page = readFileSync(join(here, "src/page.html"), "utf8")
  .replace("/*STYLE*/", () => style.trim())
  .replace("<!--ENGINE-->", () => engines.join("\n"))
  .replace("/*SCRIPT*/", () => script);
mkdirSync(dirname(resolve(options.out)), { recursive: true });
writeFileSync(options.out, page);
const kB = (text) => `${Math.round(text.length / 1000)} kB`;
console.log(`${options.out}: ${kB(page)} (script ${kB(script)}, style ${kB(style)}, engine ${kB(engines.join(""))})`);

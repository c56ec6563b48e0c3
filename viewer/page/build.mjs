// Makes page.html, one file with everything in it: script, style, the engine as WebAssembly.
//
//   node build.mjs --session DIR [--threads] [--out FILE]
//
// --session: folder with the session's module, lamella-session.js and .wasm (and lamella-session-threads.*)
// --threads: also put in the module with threads, which a page uses where it is cross-origin isolated
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
    threads: { type: "boolean", default: false },
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
    logOverride: { "empty-import-meta": "silent" }, // the module asks where it lies; inside a page it lies nowhere
    plugins,
  });
  return result.outputFiles[0].text;
}

/** Inside an element <script>, nothing may look like its end, nor open a comment that hides it. */
const in_script = (text) => text.replaceAll("</script", "<\\/script").replaceAll("<!--", "<\\!--");

/** A file of the session's module. */
function module_file(name) {
  const file = resolve(options.session, name);
  if (!existsSync(file)) fail(`there is no ${file}; build the session's module first (bindings/wasm)`);
  return file;
}

const data = (type, id, text) => `<script type="${type}" id="${id}">${text}</script>`;

/** The script of a thread. It looks for files beside itself, and fails inside a page: nothing lies beside it there. */
function thread_script(file) {
  const text = readFileSync(file, "utf8");
  const found = text.replace("var Module={};", "var Module={locateFile:(name)=>name};");
  if (found === text) fail(`${file} does not begin as Emscripten 3.1.6 writes it: teach build.mjs the new form`);
  return found;
}

async function engine(kind) {
  const name = kind === "threads" ? "lamella-session-threads" : "lamella-session";
  const module = module_file(`${name}.js`);
  const plugin = {
    name: "session",
    setup: (b) => b.onResolve({ filter: /^lamella-session$/ }, () => ({ path: module })),
  };
  const worker = await bundle("src/engine/worker.ts", "iife", [plugin]);
  const wasm = gzipSync(readFileSync(module_file(`${name}.wasm`)), { level: 9 }).toString("base64");
  const parts = [
    data("application/octet-stream", `lamella-${kind}-wasm`, wasm),
    data("text/plain", `lamella-${kind}-worker`, in_script(worker)),
  ];
  if (kind === "threads") {
    // Workers of threads start the module's own script once more.
    parts.push(data("text/plain", "lamella-threads-script", in_script(readFileSync(module, "utf8"))));
    parts.push(data("text/plain", "lamella-threads-helper", in_script(thread_script(module_file(`${name}.worker.js`)))));
  }
  return parts.join("\n");
}

if (!options.session) fail("--session DIR is needed: the folder with lamella-session.js and lamella-session.wasm");
const engines = [await engine("single")];
if (options.threads) engines.push(await engine("threads"));
const script = in_script(await bundle("src/main.ts", "esm"));
const style = (await build({ entryPoints: [join(here, "src/style.css")], write: false, minify: true, logLevel: "warning" })).outputFiles[0].text;

// Whoever hands a page on hands on what is in it.
const notices = `<!--
Lamella, Apache-2.0. This page also contains:

three.js
${readFileSync(join(here, "node_modules/three/LICENSE"), "utf8").trim()}

JSON for Modern C++ (Niels Lohmann, MIT), fmt (Victor Zverovich, MIT), Highway (Google, Apache-2.0), Emscripten's
libraries (MIT), musl (MIT), LLVM's libc++ (Apache-2.0 with LLVM exceptions).
-->`;

// Replacements are functions: in a text, "$&" and the like would be taken for patterns.
const page = readFileSync(join(here, "src/page.html"), "utf8")
  .replace("<!--NOTICES-->", () => notices)
  .replace("/*STYLE*/", () => style.trim())
  .replace("<!--ENGINE-->", () => engines.join("\n"))
  .replace("/*SCRIPT*/", () => script);
mkdirSync(dirname(resolve(options.out)), { recursive: true });
writeFileSync(options.out, page);
const kB = (text) => `${Math.round(text.length / 1000)} kB`;
console.log(`${options.out}: ${kB(page)} (script ${kB(script)}, style ${kB(style)}, engine ${kB(engines.join(""))})`);

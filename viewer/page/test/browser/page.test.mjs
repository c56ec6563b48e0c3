// The page as people use it, in headless Chromium. Needs dist/page.html (npm run build); skips without it, or without
// Chromium. With LAMELLA_PROGRAM answers are compared with the native program's, to the bit.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { after, test } from "node:test";
import { close_browser, kPage, kProgram, kThreadsPage, open_page, skip } from "./browser.mjs";

/* global lamella */

after(close_browser);

/** A test on a fresh page, after which nothing may have gone wrong. */
function page_test(name, work, options = {}) {
  test(name, { skip: skip || options.skip }, async () => {
    const p = await open_page(options);
    try {
      await work(p);
      assert.deepEqual(p.troubles, []);
    } finally {
      await p.close();
    }
  });
}

const native = (...words) => JSON.parse(execFileSync(kProgram, [...words, "--json", "--exit-zero"], { maxBuffer: 2 ** 28 }).toString());
const no_program = kProgram === "" ? "LAMELLA_PROGRAM names no program" : false;

const kTetrahedron = "OFF\n4 4 0\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n";

page_test("every model loads, is drawn, and is closed", async ({ run, state }) => {
  const names = (await state()).hello.models.map((m) => m.name);
  assert.ok(names.includes("hand"));
  await run((all) => lamella.add(...all), names);
  const { objects, errors } = await state();
  assert.deepEqual(errors, []);
  assert.deepEqual(objects.map((o) => o.name), names);
  assert.ok(objects.every((o) => o.closed && o.volume > 0));
});

/** The sample meshes as files of the native program: its models are not made with the page's sine and cosine. */
function sample_files(...names) {
  const folder = mkdtempSync(join(tmpdir(), "lamella-"));
  execFileSync(kProgram, ["models", ...names, "-o", folder]);
  return names.map((name) => join(folder, `${name}.ply`));
}

const open_files = (run, files) =>
  run(async (all) => {
    for (const [name, text] of all) await lamella.open(name, text);
  }, files.map((file) => [basename(file), readFileSync(file).toString("base64")]));

/** Drags the selected object by the middle of its handles, which moves it across the line of sight. */
async function drag_selected(page, dx, dy) {
  const at = await page.evaluate(() => {
    const { objects, selection } = lamella.state();
    const { bounds } = objects.find((o) => o.id === selection[0]);
    return lamella.screen(bounds.min.map((x, k) => (x + bounds.max[k]) / 2));
  });
  await page.mouse.move(at.x, at.y);
  await page.mouse.down();
  for (let i = 1; i <= 10; ++i) await page.mouse.move(at.x + (dx * i) / 10, at.y + (dy * i) / 10);
  await page.mouse.up();
}

page_test("a drag with the mouse changes the volume, and is undone", async ({ page, run, state, answer }) => {
  await run(async () => lamella.select((await lamella.add("hand", "phone"))[1]));
  const before = await answer();
  assert.equal(before.verdict, "colliding");
  await drag_selected(page, 30, -10);
  assert.notDeepEqual((await state()).objects[1].pose.slice(0, 3), [0, 0, 0]);
  assert.notEqual((await answer()).volume, before.volume);
  await page.keyboard.press("Control+z");
  assert.equal((await answer()).volume, before.volume);
});

/** Two boxes that share a corner, the tool "pull", and where the middle of the first is seen. */
async function ready_to_pull({ page, run }) {
  await run(async () => {
    const [, b] = await lamella.add("box", "box");
    lamella.pose(b, [1, 1, 1, 0, 0, 0, 1]);
    lamella.tool("pull");
  });
  return page.evaluate(() => lamella.screen([0, 0, 0]));
}

/** The overlap, and whether the pull is still going on: then its marker is shown, and the camera stays. */
const pulled = (run) =>
  run(async () => {
    await lamella.idle();
    const { asker, puller: { marker }, stage } = lamella.viewer;
    const deformed = lamella.state().objects.filter((o) => o.deformed).length;
    return { deformed, volume: lamella.answer().volume, ended: !asker.coarse && !marker.ball.visible && stage.controls.enabled };
  });

/** Fingers on the page: each event names those that are on it, with how far they are below `at`. */
async function touches(page, at) {
  const device = await page.context().newCDPSession(page);
  return (type, ...fingers) =>
    device.send("Input.dispatchTouchEvent", { type, touchPoints: fingers.map(([id, y]) => ({ id, x: at.x, y: at.y + y })) });
}

page_test("a vertex is pulled with the mouse", async (p) => {
  const { page, run } = p;
  const at = await ready_to_pull(p);
  const before = await pulled(run);
  assert.deepEqual(before, { deformed: 0, volume: before.volume, ended: true });
  await page.mouse.move(at.x, at.y);
  await page.mouse.down();
  for (let i = 1; i <= 10; ++i) await page.mouse.move(at.x, at.y - 6 * i);
  const during = await pulled(run);
  assert.equal(during.deformed, 1);
  assert.equal(during.ended, false);
  assert.notEqual(during.volume, before.volume);
  await page.mouse.up();
  assert.deepEqual(await pulled(run), { ...during, ended: true });
  await page.mouse.move(at.x, at.y + 50);
  assert.deepEqual(await pulled(run), { ...during, ended: true }, "nothing follows any more");
});

page_test("a pull ends where it was when the browser takes the finger away", async (p) => {
  const { page, run } = p;
  const at = await ready_to_pull(p);
  const before = await pulled(run);
  const touch = await touches(page, at);
  await touch("touchStart", [0, 0]);
  for (let i = 1; i <= 10; ++i) await touch("touchMove", [0, -6 * i]);
  const during = await pulled(run);
  assert.equal(during.deformed, 1);
  assert.equal(during.ended, false);
  assert.notEqual(during.volume, before.volume);
  await touch("touchCancel");
  assert.deepEqual(await pulled(run), { ...during, ended: true });

  // The next pull begins with what this one left: it was done.
  await touch("touchStart", [0, 0]);
  await touch("touchMove", [0, 12]);
  await touch("touchMove", [0, 24]);
  await touch("touchEnd");
  const after = await pulled(run);
  assert.equal(after.ended, true);
  assert.notEqual(after.volume, during.volume);
  assert.notEqual(after.volume, before.volume);
});

page_test("a second finger does not move what the first one pulls", async (p) => {
  const { page, run } = p;
  const at = await ready_to_pull(p);
  const touch = await touches(page, at);
  await touch("touchStart", [0, 0]);
  for (let i = 1; i <= 10; ++i) await touch("touchMove", [0, -6 * i]);
  const before = await pulled(run);
  await touch("touchStart", [0, -60], [1, 100]);
  await touch("touchMove", [0, -60], [1, 150]);
  await touch("touchMove", [0, -60]);
  assert.deepEqual(await pulled(run), before);
  await touch("touchEnd");
  assert.deepEqual(await pulled(run), { ...before, ended: true });
});

const kSameBits = ["verdict", "volume", "volume_error", "centroid", "bounds", "voi", "axis", "spans", "health"];

page_test("a drag changes the volume to the native answer's bits", async ({ page, run, state, answer }) => {
  const files = sample_files("hand", "phone");
  await open_files(run, files);
  await run(() => lamella.select(lamella.state().objects[1].id));
  await drag_selected(page, 30, -10);
  const here = await answer();
  const there = native("intersect", ...files, `--pose-b=${(await state()).objects[1].pose.join()}`);
  for (const field of kSameBits) assert.deepEqual(here[field], there[field], field);
}, { skip: no_program });

page_test("answers have the native program's bits", async ({ run, answer }) => {
  const files = sample_files("fist", "phone");
  await open_files(run, files);
  for (const [kind, words] of [["intersect", files], ["self", files.slice(0, 1)]]) {
    await run((k) => lamella.kind(k), kind);
    const here = await answer();
    const there = native(kind, ...words);
    for (const field of kSameBits) assert.deepEqual(here[field], there[field], `${kind}: ${field}`);
  }
}, { skip: no_program });

page_test("every question is answered", async ({ run, answer, state }) => {
  await run(() => lamella.add("hand", "phone"));
  for (const kind of ["intersect", "self", "scene", "depth", "distance", "contain", "layers"]) {
    await run((k) => lamella.kind(k), kind);
    assert.notEqual(await answer(), null, `${kind}: ${(await state()).no_answer}`);
  }
});

page_test("keys move the selection, finer with shift", async ({ page, run, state }) => {
  await run(async () => lamella.select((await lamella.add("box"))[0]));
  await page.locator("canvas").focus();
  await page.keyboard.press("PageUp");
  const [, , coarse] = (await state()).objects[0].pose;
  assert.ok(coarse > 0);
  await page.keyboard.press("Shift+PageUp");
  const fine = (await state()).objects[0].pose[2] - coarse;
  assert.ok(Math.abs(fine / coarse - 0.1) < 0.02, `${fine} of ${coarse}`);
});

page_test("a file that is no mesh shows the reader's message", async ({ run, state, page }) => {
  await run(() => lamella.open("broken.ply", btoa("ply\nformat ascii 1.0\nelement vertex banana\n")));
  const { errors, objects } = await state();
  assert.equal(objects.length, 0);
  assert.equal(errors.length, 1);
  assert.match(errors[0], /broken\.ply/);
  assert.equal(await page.locator(".toast.error p").textContent(), errors[0]);
  assert.equal(await page.locator("[role=alert]").first().textContent(), errors[0]);
});

page_test("a file of 1 GB is refused before it is read", async ({ run, state }) => {
  await run(async () => {
    const part = new Uint8Array(2 ** 20);
    let read = 0;
    const big = new File(Array(1024).fill(part), "big.stl");
    const stream = big.stream.bind(big);
    big.stream = () => (++read, stream());
    await lamella.viewer.library.open_files([big]);
    if (read > 0) throw new Error("it was read");
  });
  const { errors } = await state();
  assert.equal(errors.length, 1);
  assert.match(errors[0], /big\.stl has 1\.07 GB/);
});

page_test("a mesh named <script> is text", async ({ page, run, state }) => {
  const name = "<script>window.hurt=1<img src=x onerror=window.hurt=1>.off";
  await run(([n, text]) => lamella.open(n, btoa(text)), [name, kTetrahedron]);
  await run(async () => lamella.select(lamella.state().objects[0].id));
  assert.match((await state()).objects[0].name, /<script>/);
  assert.match(await page.locator(".object-name").textContent(), /<script>/);
  assert.equal(await page.evaluate(() => window.hurt), undefined);
  assert.equal(await page.locator("img").count(), 0);
});

page_test("an open mesh shows its holes, and is repaired", async ({ page, run, state }) => {
  const open = kTetrahedron.replace("4 4 0", "4 3 0").replace("3 1 2 3\n", "");
  await run((text) => lamella.open("open.off", btoa(text)), open);
  const [object] = (await state()).objects;
  assert.equal(object.open_edges, 3);
  await run((id) => lamella.select(id), object.id);
  await page.getByRole("button", { name: "Hole 1: 3 edges" }).waitFor();
  await page.getByRole("button", { name: "Repair" }).click();
  assert.equal((await state()).objects[0].closed, true);
});

page_test("a link restores models, poses, camera and question", async ({ run, answer }) => {
  const link = await run(async () => {
    const [, phone] = await lamella.add("hand", "phone");
    lamella.pose(phone, [0.01, 0.02, -0.03, 0, 0, 0.6, 0.8]);
    lamella.options({ resolution: 64 });
    lamella.cut({ on: true, axis: "y" });
    await lamella.idle();
    return lamella.link();
  });
  const before = await answer();
  const camera = await run(() => lamella.viewer.stage.camera_state());
  const other = await open_page({ url: `file://${kPage}${link.hash}` });
  const after_link = await other.answer();
  assert.equal(after_link.volume, before.volume);
  assert.deepEqual(after_link.resolution, [64, 64]);
  assert.equal((await other.state()).cut.axis, "y");
  const same_camera = await other.run(() => lamella.viewer.stage.camera_state());
  for (const key of ["eye", "target"])
    camera[key].forEach((x, k) => assert.ok(Math.abs(x - same_camera[key][k]) < 1e-9, `${same_camera[key]} is not ${camera[key]}`));
  assert.deepEqual(other.troubles, []);
  await other.close();
});

page_test("a saved view opens again, and as a report from disk", async ({ run, answer }) => {
  await run(async () => {
    const [hand, phone] = await lamella.add("hand", "phone");
    lamella.pose(phone, [0.01, 0, 0.02, 0, 0, 0, 1]);
    lamella.pull(hand, 0, [0, 0, 0.5], true);
  });
  const before = await answer();
  const file = await run(async () => Array.from(await lamella.save()));
  const text = Buffer.from(file).toString("base64");
  await run(async (saved) => {
    await lamella.remove(...lamella.state().objects.map((o) => o.id));
    await lamella.open("view.lamella", saved);
  }, text);
  assert.equal((await answer()).volume, before.volume);

  const path = join(mkdtempSync(join(tmpdir(), "lamella-")), "report.html");
  const marker = '<script type="application/octet-stream" id="lamella-data"></script>';
  const page = readFileSync(kPage, "utf8");
  assert.equal(page.split(marker).length, 2);
  writeFileSync(path, page.replace(marker, () => marker.replace("></", `>${text}</`)));
  const report = await open_page({ url: `file://${path}` });
  assert.equal((await report.answer()).volume, before.volume);
  assert.deepEqual(report.troubles, []);
  await report.close();
});

page_test("the network cannot be reached", async ({ page, troubles }) => {
  const reached = await page.evaluate(() => fetch("http://127.0.0.1:9/").then(() => true, () => false));
  assert.equal(reached, false);
  assert.ok(troubles.some((t) => /Content Security Policy/.test(t)), troubles.join());
  troubles.length = 0;
});

page_test("a simulation runs, and one can go back", async ({ page, run, state }) => {
  await run(() => lamella.simulate("squeeze"));
  for (let i = 0; i < 3; ++i) await run(() => lamella.step());
  assert.deepEqual((await state()).film, { at: 3, frames: 4, playing: false });
  await page.getByRole("button", { name: "One frame back (,)" }).click();
  assert.equal((await state()).film.at, 2);
  await run(() => lamella.end());
  assert.equal((await state()).film, null);
});

page_test("on a phone's width nothing is cut off sideways, and panels come from below", async ({ page, run }) => {
  await run(() => lamella.add("hand", "phone"));
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 360);
  const measure = page.getByRole("complementary", { name: "Measurements" });
  assert.equal(await measure.isVisible(), false);
  await page.getByRole("navigation", { name: "Panels" }).getByRole("button", { name: "Measure" }).click();
  assert.equal(await measure.isVisible(), true);
  assert.ok(await measure.evaluate((e) => e.scrollWidth <= e.clientWidth));
}, { width: 360, height: 740 });

const no_threads = kThreadsPage === "" ? "LAMELLA_THREADS_PAGE names no page" : false;

test("a page that may have threads uses them, and answers with the same bits", { skip: skip || no_threads }, async () => {
  const server = createServer((_, response) => {
    response.setHeader("Cross-Origin-Opener-Policy", "same-origin");
    response.setHeader("Cross-Origin-Embedder-Policy", "require-corp");
    response.setHeader("Content-Type", "text/html");
    response.end(readFileSync(kThreadsPage));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const answers = [];
  try {
    for (const url of [`http://127.0.0.1:${server.address().port}/`, `file://${kThreadsPage}`]) {
      const p = await open_page({ url });
      await p.run(() => lamella.add("knot", "serpent"));
      const { answer, threads, cores } = await p.run(() => ({
        answer: lamella.answer(), threads: lamella.state().hello.threads, cores: navigator.hardwareConcurrency,
      }));
      assert.equal(threads, url.startsWith("http") ? cores : 1);
      assert.deepEqual(p.troubles, []);
      answers.push({ ...answer, ms: null });
      await p.close();
    }
  } finally {
    server.close();
  }
  assert.deepEqual(answers[0], answers[1]);
});

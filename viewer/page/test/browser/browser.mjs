// Headless Chromium for tests: pages that may reach nothing but their own file, with everything noted that went wrong.
import { existsSync } from "node:fs";
import { chromium } from "playwright-core";

export const kChromium = process.env.CHROMIUM ?? "/usr/bin/chromium";
/** The page's file. */
export const kPage = process.env.LAMELLA_PAGE ?? new URL("../../dist/page.html", import.meta.url).pathname;
/** The page with the module for threads in it; "" when there is none. */
export const kThreadsPage = process.env.LAMELLA_THREADS_PAGE ?? "";
/** The native program, to compare with; "" when there is none. */
export const kProgram = process.env.LAMELLA_PROGRAM ?? "";

/** Why tests cannot run here, or false. */
export const skip = !existsSync(kChromium) ? `there is no ${kChromium}` : !existsSync(kPage) ? `there is no ${kPage}` : false;

const kFlags = [
  "--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-quic",
  "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync",
];

let browser = null;
export async function close_browser() {
  await browser?.close();
  browser = null;
}

/** A page that has started. `troubles` gets console errors, exceptions and requests that leave the file. */
export async function open_page({ url = `file://${kPage}`, width = 960, height = 600, dark = false } = {}) {
  browser ??= await chromium.launch({ executablePath: kChromium, args: kFlags });
  const context = await browser.newContext({
    viewport: { width, height }, colorScheme: dark ? "dark" : "light", reducedMotion: "reduce", hasTouch: width < 500,
  });
  const page = await context.newPage();
  const troubles = [];
  page.on("console", (m) => m.type() === "error" && troubles.push(`console: ${m.text()}`));
  page.on("pageerror", (e) => troubles.push(`exception: ${e.message}`));
  page.on("request", (r) => !/^(file|blob|data):/.test(r.url()) && r.url() !== url && troubles.push(`request: ${r.url()}`));
  await page.goto(url);
  await page.evaluate(() => window.lamella.ready);
  return {
    page, troubles,
    /** Runs a function in the page, where `lamella` is the hook; answers when nothing is pending any more. */
    async run(work, argument) {
      const result = await page.evaluate(work, argument);
      await page.evaluate(() => window.lamella.idle());
      return result;
    },
    answer: () => page.evaluate(async () => (await window.lamella.idle(), window.lamella.answer())),
    state: () => page.evaluate(async () => (await window.lamella.idle(), window.lamella.state())),
    close: () => context.close(),
  };
}

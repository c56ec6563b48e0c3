// A worker of the page: the works, as in Node.
import { load } from '/package/index.js';
import { works } from '/tests/works.mjs';

self.onmessage = async ({ data: threads }) => {
  try {
    const { names, files } = await (await fetch('/works.json')).json();
    const bytes = async (path) => new Uint8Array(await (await fetch(path)).arrayBuffer());
    const models = new Map();
    for (const name of names) models.set(name, await bytes(`/models/${name}.ply`));
    const seeds = [];
    for (const name of files) seeds.push({ name, bytes: await bytes(`/seeds/${encodeURIComponent(name)}`) });
    const lamella = await load({ parts: 'all', threads });
    self.postMessage({ lines: [...works(lamella, names, (name) => models.get(name), seeds, true)] });
  } catch (error) {
    self.postMessage({ error: String(error?.stack ?? error) });
  }
};

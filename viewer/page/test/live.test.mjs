import assert from "node:assert/strict";
import test from "node:test";
import { load } from "./load.mjs";

const { Asker, undrawn_pairs } = await load("app/asker.ts");
const { Store } = await load("state/store.ts");
const { Session, EngineError } = await load("engine/session.ts");
const { encode, decode } = await load("engine/packet.ts");

const info = (id) => ({ id, name: `object ${id}`, pose: [0, 0, 0, 0, 0, 0, 1] });

/** An engine that answers when it is told to, and notes what it was asked. */
function slow_engine(answer = (asked) => ({ answer: { volume: asked.length } })) {
  const asked = [];
  const waiting = [];
  return {
    asked,
    port: {
      call: (packet) => {
        const request = decode(packet);
        asked.push(request);
        return new Promise((resolve) => waiting.push(() => resolve(encode(request.op === "query" ? answer(asked, request) : {}))));
      },
    },
    async answer_one() {
      while (waiting.length === 0) await new Promise((resolve) => setImmediate(resolve));
      waiting.shift()();
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

function make(engine) {
  const store = new Store();
  for (const id of [1, 2]) store.state.bodies.set(id, { info: info(id), visible: true, color: "#000000" });
  store.state.pair = [1, 2];
  const errors = [];
  const session = new Session(engine.port);
  return { store, session, errors, asker: new Asker(session, store, () => {}, (e) => errors.push(e)) };
}

test("while an answer is awaited, of many moves only the last is asked about", async () => {
  const engine = slow_engine();
  const { asker, store } = make(engine);
  asker.ask();
  await engine.answer_one(); // the first question is out and answered
  asker.pose(1, [1, 0, 0, 0, 0, 0, 1]);
  for (let x = 2; x <= 50; ++x) asker.pose(1, [x, 0, 0, 0, 0, 0, 1]);
  await engine.answer_one(); // poses
  for (let x = 51; x <= 99; ++x) asker.pose(1, [x, 0, 0, 0, 0, 0, 1]);
  await engine.answer_one(); // the question about x = 1
  await engine.answer_one(); // poses
  await engine.answer_one(); // the question about x = 99
  await asker.idle();
  assert.deepEqual(engine.asked.map((r) => r.op), ["query", "pose", "query", "pose", "query"]);
  assert.equal(engine.asked[1].poses[0][1][0], 1);
  assert.equal(engine.asked[3].poses[0][1][0], 99);
  assert.equal(store.state.result.reply.answer.volume, 5);
  assert.equal(store.state.waiting, false);
});

test("a pull that is done is never left out", async () => {
  const engine = slow_engine();
  const { asker } = make(engine);
  asker.ask();
  const pull = (x, done) => asker.pull({ id: 1, vertex: 0, to: [x, 0, 0], radius: 1, done });
  pull(1, false);
  pull(2, false);
  pull(3, true);
  pull(4, false);
  for (let i = 0; i < 4; ++i) await engine.answer_one();
  await asker.idle();
  assert.deepEqual(engine.asked.filter((r) => r.op === "pull").map((r) => r.to[0]), [3, 4]);
});

test("the engine's own sentence is why there is no answer", async () => {
  const engine = slow_engine(() => ({ error: { message: "out of memory" } }));
  const { asker, store } = make(engine);
  asker.ask();
  await engine.answer_one();
  await asker.idle();
  assert.equal(store.state.result, null);
  assert.equal(store.state.no_answer, "out of memory");
});

test("an answer to a question that nobody asks any more is dropped", async () => {
  const engine = slow_engine();
  const { asker, store } = make(engine);
  asker.ask();
  await new Promise((resolve) => setImmediate(resolve)); // the question is out
  store.state.kind = "distance";
  asker.ask();
  await engine.answer_one();
  assert.equal(store.state.result, null);
  await engine.answer_one();
  await asker.idle();
  assert.equal(store.state.result.kind, "distance");
});

test("nothing is asked while objects are being changed, and once afterwards", async () => {
  const engine = slow_engine();
  const { asker, session } = make(engine);
  const work = asker.hold(async () => {
    asker.ask();
    asker.ask();
    await session.call("remove", { ids: [] });
  });
  await engine.answer_one();
  await work;
  await engine.answer_one();
  await asker.idle();
  assert.deepEqual(engine.asked.map((r) => r.op), ["remove", "query"]);
});

test("a scene's pairs are drawn after the answer: the focused one, then the largest, until something else is due", async () => {
  const pair = (a, b, volume) => ({ a, b, volume });
  const engine = slow_engine((_, request) =>
    request.kind === "scene" ? { answer: { pairs_detail: [pair(1, 2, 1), pair(1, 3, 5), pair(2, 3, 3)] } } : { solid: { a: request.a, b: request.b } });
  const { asker, store } = make(engine);
  store.state.bodies.set(3, { info: info(3) });
  store.state.kind = "scene";
  store.state.focused_pair = [1, 2];
  asker.ask();
  await engine.answer_one(); // the scene
  assert.equal(store.state.result.kind, "scene");
  await engine.answer_one(); // the focused pair
  asker.ask();
  await engine.answer_one(); // the largest, which was asked for already
  await engine.answer_one(); // the scene again
  for (let i = 0; i < 3; ++i) await engine.answer_one();
  await asker.idle();
  const asked = engine.asked.map((r) => (r.kind === "scene" ? "scene" : `${r.a}-${r.b}`));
  assert.deepEqual(asked, ["scene", "1-2", "1-3", "scene", "1-2", "1-3", "2-3"]);
  assert.deepEqual(undrawn_pairs(store.state), []);
});

/** Two objects, two engines that can be compared, and one that is not here; an answer was there before. */
async function comparing() {
  const engine = slow_engine((_, r) => ({ answer: { rows: r.kind === "times" ? [{ engine: r.engines[0], ms: 1, volume: 1 }] : undefined } }));
  const all = make(engine);
  const { state } = all.store;
  all.asker.quick_ms = 1e9; // on any machine
  state.hello = { engines: [{ name: "fast", available: true }, { name: "gone", available: false }, { name: "small", available: true }] };
  all.asker.ask();
  await engine.answer_one();
  await all.asker.idle();
  engine.asked.length = 0;
  state.times.live = true;
  const asked = () => engine.asked.splice(0).map((r) => (r.kind === "times" ? r.engines.join() : r.op));
  const answer = async (n) => {
    for (let i = 0; i < n; ++i) await engine.answer_one();
  };
  return { ...all, state, asked, answer };
}
const kPose = [1, 0, 0, 0, 0, 0, 1];

test("live times: after an answer each engine that is here is measured, one at a time, and not when they are off", async () => {
  const { asker, state, asked, answer } = await comparing();
  asker.ask();
  await answer(3);
  await asker.idle();
  assert.deepEqual(asked(), ["query", "fast", "small"]);
  assert.deepEqual(state.times.rows, [{ engine: "fast", ms: 1, volume: 1 }, { engine: "small", ms: 1, volume: 1 }]);
  state.times.live = false;
  asker.ask();
  await answer(1);
  await asker.idle();
  assert.deepEqual(asked(), ["query"]);
});

test("live times in a drag: one quick engine after each answer, in turn, and the newest pose before the next", async () => {
  const { asker, state, asked, answer } = await comparing();
  asker.ask();
  await answer(3); // both are known to be quick
  await asker.idle();
  asked();
  asker.pose(1, kPose);
  await answer(1); // the pose; its question is out
  for (let x = 2; x < 50; ++x) asker.pose(1, [x, 0, 0, 0, 0, 0, 1]);
  await answer(1); // the question
  await answer(1); // fast: the next pose is due, so that small has to wait
  await answer(1); // the pose
  asker.pose(1, kPose);
  await answer(2); // its question; small, which has waited longest
  assert.deepEqual(state.times.rows.map((r) => r.old === true), [true, false]);
  await answer(4); // the last pose, its question, and both
  await asker.idle();
  assert.deepEqual(asked(), ["pose", "query", "fast", "pose", "query", "small", "pose", "query", "fast", "small"]);
  assert.ok(state.times.rows.every((r) => !r.old));
});

test("live times: an engine that may be slow is not measured while something is dragged", async () => {
  const { asker, asked, answer } = await comparing();
  asker.coarse = true;
  asker.ask();
  await answer(1);
  await asker.idle();
  assert.deepEqual(asked(), ["query"]);
  asker.coarse = false;
  asker.ask();
  await answer(3);
  await asker.idle();
  assert.deepEqual(asked(), ["query", "fast", "small"]);
});

test("live times: nothing is measured while objects are being changed, nor of an object that is gone", async () => {
  const { asker, session, store, asked, answer } = await comparing();
  asker.ask();
  await answer(1); // the question; fast is out
  const work = asker.hold(async () => {
    await session.call("remove", { ids: [2] });
    store.state.bodies.delete(2);
    store.state.pair = [1, 2];
    store.state.kind = "self";
  });
  await answer(1); // fast
  await answer(1); // remove
  await work;
  await answer(1); // the next question
  await asker.idle();
  assert.deepEqual(asked(), ["query", "fast", "remove", "query"]);
});

test("an error of the engine is thrown as one", async () => {
  const session = new Session({ call: async () => encode({ error: { message: "no such object: 7" } }) });
  await assert.rejects(session.call("mesh", { id: 7 }), (e) => e.message === "no such object: 7");
  assert.equal(typeof EngineError, "function");
  assert.equal(session.busy, false);
});

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

test("an error of the engine is thrown as one", async () => {
  const session = new Session({ call: async () => encode({ error: { message: "no such object: 7" } }) });
  await assert.rejects(session.call("mesh", { id: 7 }), (e) => e.message === "no such object: 7");
  assert.equal(typeof EngineError, "function");
  assert.equal(session.busy, false);
});

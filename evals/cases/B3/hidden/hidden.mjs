// node hidden.mjs DIST RESULT: a line for each group in RESULT: its name, a tab, what failed first.
import assert from "node:assert/strict";
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [dist, result] = process.argv.slice(2);
const { SyncError, UploadQueue, watch, withRetry } = await import(pathToFileURL(join(dist, "index.js")).href);
let unhandled = [];
process.on("unhandledRejection", (error) => unhandled.push(error));

const soon = () => new Promise((resolve) => setImmediate(resolve));

/** Every put waits until all that were begun could begin, and fails as long as `failing` says so. */
class Store {
  log = [];
  failing = new Map();
  closing = undefined;
  async put(item) {
    this.log.push(item.key);
    await soon();
    const left = this.failing.get(item.key) ?? 0;
    if (left > 0) {
      this.failing.set(item.key, left - 1);
      throw new Error(`no ${item.key} ${left}`);
    }
    this.log.push(`${item.key} stored`);
  }
  async close() {
    this.log.push("close");
    await soon();
    if (this.closing) throw this.closing;
    this.log.push("closed");
  }
}

function filled(store, keys, attempts = 2) {
  const queue = new UploadQueue(store, attempts);
  for (const key of keys) queue.add({ key, value: key });
  return queue;
}

async function fault(promise) {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  assert.fail("it did not reject");
}

async function flush() {
  const store = new Store();
  assert.equal(await filled(store, ["a", "b"]).flush(), 2);
  assert.deepEqual(store.log.filter((line) => line.endsWith("stored")).sort(), ["a stored", "b stored"]);
  const failing = new Store();
  failing.failing = new Map([["d", 9], ["b", 9]]);
  const queue = filled(failing, ["a", "b", "c", "d"]);
  const error = await fault(queue.flush());
  assert.ok(error instanceof AggregateError, `rejected with ${error}`);
  assert.deepEqual(error.errors.map((each) => [each instanceof SyncError, each.key]), [[true, "b"], [true, "d"]]);
  assert.deepEqual(error.errors.map((each) => each.cause.message), ["no b 8", "no d 8"]);
  assert.deepEqual(failing.log.filter((line) => line.endsWith("stored")).sort(), ["a stored", "c stored"]);
  assert.equal(queue.size, 2);
  failing.failing.clear();
  failing.log = [];
  assert.equal(await queue.flush(), 2);
  assert.deepEqual(failing.log.filter((line) => !line.endsWith("stored")), ["b", "d"]);
  assert.equal(queue.size, 0);
}

async function retry() {
  const seen = [];
  let tries = 0;
  const value = await withRetry(
    async () => {
      tries += 1;
      await soon();
      if (tries < 3) throw new Error(`no ${tries}`);
      return "done";
    },
    3,
    (error, attempt) => seen.push([error.message, attempt]),
  );
  assert.deepEqual([value, seen], ["done", [["no 1", 1], ["no 2", 2]]]);
  const last = new Error("the last");
  let count = 0;
  const error = await fault(withRetry(() => Promise.reject(++count === 2 ? last : new Error("the first")), 2));
  assert.equal(error, last);
  const thrown = new Error("thrown at once");
  assert.equal(await fault(withRetry(() => { throw thrown; }, 1)), thrown);
}

async function close() {
  const store = new Store();
  await filled(store, ["a"]).close();
  assert.deepEqual(store.log, ["a", "a stored", "close", "closed"]);
  const failing = new Store();
  failing.failing = new Map([["a", 9]]);
  const error = await fault(filled(failing, ["a", "b"]).close());
  assert.ok(error instanceof AggregateError, `rejected with ${error}`);
  assert.deepEqual(failing.log.slice(-2), ["close", "closed"]);
  const stuck = new Store();
  stuck.closing = new Error("will not close");
  assert.equal(await fault(filled(stuck, ["a"]).close()), stuck.closing);
  const both = new Store();
  both.closing = new Error("will not close");
  both.failing = new Map([["a", 9]]);
  assert.ok((await fault(filled(both, ["a"]).close())) instanceof AggregateError);
}

async function watching() {
  let listener;
  let isSubscribed = true;
  const source = { subscribe: (given) => { listener = given; return () => { isSubscribed = false; }; } };
  const errors = [];
  const done = [];
  const watched = watch(
    source,
    (change) => {
      if (change === "throws") throw new Error("at once");
      return soon().then(soon).then(() => {
        if (change === "rejects") throw new Error("later");
        done.push(change);
      });
    },
    (error, change) => errors.push([error.message, change]),
  );
  for (const change of ["one", "rejects", "throws", "two"]) listener(change);
  await watched.stop();
  assert.equal(isSubscribed, false);
  assert.deepEqual(done, ["one", "two"]);
  assert.deepEqual(errors.sort(), [["at once", "throws"], ["later", "rejects"]]);
}

for (const [name, tests] of Object.entries({ flush, retry, close, watch: watching })) {
  unhandled = [];
  let why = "";
  let timer;
  const limit = new Promise((_, reject) => { timer = setTimeout(() => reject(new Error("no end")), 3000); });
  try {
    await Promise.race([tests(), limit]);
  } catch (error) {
    why = `${error.message}`.split("\n")[0] || "failed";
  }
  clearTimeout(timer);
  await soon();
  await soon();
  if (!why && unhandled.length) why = `unhandled: ${unhandled[0]}`;
  appendFileSync(result, `${name}\t${why}\n`);
}
process.exit(0);

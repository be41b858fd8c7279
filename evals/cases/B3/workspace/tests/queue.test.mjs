import assert from "node:assert/strict";
import test from "node:test";
import { MemoryStore, UploadQueue, withRetry } from "../dist/index.js";

test("what is added waits", () => {
  const queue = new UploadQueue(new MemoryStore());
  queue.add({ key: "a", value: "1" });
  assert.equal(queue.size, 1);
});

test("what succeeds at once is tried once", async () => {
  let tries = 0;
  const result = await withRetry(async () => (tries += 1), 3);
  assert.deepEqual([result, tries], [1, 1]);
});

test("an empty queue has nothing to store", async () => {
  const queue = new UploadQueue(new MemoryStore());
  assert.equal(await queue.flush(), 0);
});

import { SyncError } from "./errors.js";
import { withRetry } from "./retry.js";
import type { Item, Store } from "./store.js";

/** Items that wait to be stored. */
export class UploadQueue {
  private waiting: Item[] = [];

  constructor(
    private readonly store: Store,
    private readonly attempts = 3,
  ) {}

  get size(): number {
    return this.waiting.length;
  }

  add(item: Item): void {
    this.waiting.push(item);
  }

  /** Stores what waits; resolves with how many were stored. */
  async flush(): Promise<number> {
    const items = this.waiting.splice(0);
    let stored = 0;
    items.forEach(async (item) => {
      try {
        await withRetry(() => this.store.put(item), this.attempts);
        stored += 1;
      } catch {
        // the next one may do
      }
    });
    return stored;
  }

  /** Stores what waits and closes the store. */
  async close(): Promise<void> {
    this.flush().catch(() => {});
    this.store.close();
  }
}

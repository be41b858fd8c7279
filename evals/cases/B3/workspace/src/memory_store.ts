import type { Item, Store } from "./store.js";

/** For tests and for trying things out. */
export class MemoryStore implements Store {
  readonly items = new Map<string, string>();
  isClosed = false;

  async put(item: Item): Promise<void> {
    if (this.isClosed) {
      throw new Error("closed");
    }
    this.items.set(item.key, item.value);
  }

  async close(): Promise<void> {
    this.isClosed = true;
  }
}

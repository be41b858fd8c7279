export { SyncError } from "./errors.js";
export { MemoryStore } from "./memory_store.js";
export { UploadQueue } from "./queue.js";
export { withRetry } from "./retry.js";
export type { Item, Store } from "./store.js";
export { watch } from "./watch.js";
export type { Source, Watch } from "./watch.js";

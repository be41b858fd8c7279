/** An item that could not be stored; `cause` says why. */
export class SyncError extends Error {
  constructor(
    readonly key: string,
    cause: unknown,
  ) {
    super(`could not store ${key}`, { cause });
    this.name = "SyncError";
  }
}

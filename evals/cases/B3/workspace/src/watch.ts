export interface Source<T> {
  /** Calls `listener` for every change, until the function that it returns is called. */
  subscribe(listener: (change: T) => void): () => void;
}

export interface Watch {
  /** No more changes are taken; resolves when the handlers that still run are done. */
  stop(): Promise<void>;
}

/** Gives each change to `handler`. */
export function watch<T>(
  source: Source<T>,
  handler: (change: T) => Promise<void>,
  onError: (error: unknown, change: T) => void,
): Watch {
  const unsubscribe = source.subscribe(async (change) => {
    try {
      handler(change);
    } catch (error) {
      onError(error, change);
    }
  });
  return {
    async stop() {
      unsubscribe();
    },
  };
}

/** Runs `task` up to `attempts` times, until it succeeds; rejects with the error of the last attempt. */
export async function withRetry<T>(
  task: () => Promise<T>,
  attempts: number,
  onFailure: (error: unknown, attempt: number) => void = () => {},
): Promise<T> {
  let last: unknown;
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    try {
      return task();
    } catch (error) {
      last = error;
      onFailure(error, attempt);
    }
  }
  throw last;
}

/**
 * Runs work under a signal that follows both others. Listeners are removed at the end: the run's own
 * signal outlives a hundred thousand calls.
 */
export async function underSignals<Result>(
  first: AbortSignal,
  second: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  if (second === undefined || second === first) return await work(first);
  const joined = new AbortController();
  const follow = (source: AbortSignal) => (): void => joined.abort(source.reason);
  const followers = [first, second].map((source) => ({ source, listener: follow(source) }));
  for (const { source, listener } of followers) {
    if (source.aborted) listener();
    else source.addEventListener('abort', listener, { once: true });
  }
  try {
    return await work(joined.signal);
  } finally {
    for (const { source, listener } of followers) source.removeEventListener('abort', listener);
  }
}

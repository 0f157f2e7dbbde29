import { setMaxListeners } from 'node:events';

/** A signal that follows two others while calls use it. */
interface Joined {
  readonly signal: AbortSignal;
  users: number;
  leave(): void;
}

/**
 * Runs work under a signal that combines the run's own with another. Calls with the same pair share one signal, and its
 * listeners are removed when the last call ends: the run's signal outlives a hundred thousand calls.
 */
export class Signals {
  readonly #joined = new Map<AbortSignal, Joined>();

  constructor(private readonly first: AbortSignal) {}

  async under<Result>(
    second: AbortSignal | undefined,
    work: (signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    if (second === undefined || second === this.first) return await work(this.first);
    const joined = this.#joined.get(second) ?? this.#join(second);
    joined.users += 1;
    try {
      return await work(joined.signal);
    } finally {
      joined.users -= 1;
      if (joined.users === 0) joined.leave();
    }
  }

  #join(second: AbortSignal): Joined {
    const { signal, leave } = following([this.first, second]);
    const joined = {
      signal,
      users: 0,
      leave: () => {
        leave();
        this.#joined.delete(second);
      },
    };
    this.#joined.set(second, joined);
    return joined;
  }
}

function following(sources: readonly AbortSignal[]): { readonly signal: AbortSignal; leave(): void } {
  const own = new AbortController();
  // Every call under this signal adds a listener.
  setMaxListeners(0, own.signal);
  const followers = sources.map((source) => ({ source, listener: () => own.abort(source.reason) }));
  for (const { source, listener } of followers) {
    if (source.aborted) listener();
    else source.addEventListener('abort', listener, { once: true });
  }
  return {
    signal: own.signal,
    leave() {
      for (const { source, listener } of followers) source.removeEventListener('abort', listener);
    },
  };
}

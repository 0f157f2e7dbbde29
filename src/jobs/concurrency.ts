/**
 * A fixed number of permits, granted in order of request. Each company of a sync requests few at a time, so that
 * companies take turns and a large one does not hold up the others.
 */
export class Semaphore {
  #free: number;
  readonly #waiting: { go(): void; fail(error: unknown): void }[] = [];
  #closed: { readonly why: unknown } | undefined;

  constructor(permits: number) {
    this.#free = permits;
  }

  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#closed !== undefined) throw this.#closed.why;
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((go, fail) => this.#waiting.push({ go, fail }));
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#free += 1;
      else next.go();
    }
  }

  /** Rejects all waiting and future requests with this error. */
  close(why: unknown): void {
    this.#closed ??= { why };
    for (const { fail } of this.#waiting.splice(0)) fail(why);
  }
}

/**
 * Processes everything that the source yields, `concurrency` items at once. The first failure stops the reading and is
 * thrown.
 */
export async function forEachConcurrent<Item>(
  source: Iterable<Item> | AsyncIterable<Item>,
  concurrency: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const iterator = Symbol.asyncIterator in source ? source[Symbol.asyncIterator]() : source[Symbol.iterator]();
  const failures: unknown[] = [];
  const worker = async (): Promise<void> => {
    while (failures.length === 0) {
      const next = await iterator.next();
      if (next.done === true) return;
      await work(next.value);
    }
  };
  const guarded = () => worker().catch((error: unknown) => void failures.push(error));
  await Promise.all(Array.from({ length: concurrency }, guarded));
  if (failures.length > 0) throw failures[0];
}

/** Like `forEachConcurrent`, with one result per item, in input order. */
export async function mapConcurrent<Item, Result>(
  items: readonly Item[],
  concurrency: number,
  work: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  await forEachConcurrent(items.entries(), concurrency, async ([index, item]) => {
    results[index] = await work(item);
  });
  return results;
}

/**
 * A fixed number of permits, given in the order of asking. Every company asks for few at a time, so that the turn goes
 * round among them and a large one does not hold up the others.
 */
export class Gate {
  #free: number;
  readonly #waiting: { go(): void; fail(error: unknown): void }[] = [];
  #closed: { readonly why: unknown } | undefined;

  constructor(permits: number) {
    this.#free = permits;
  }

  async pass<Result>(work: () => Promise<Result>): Promise<Result> {
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

  /** Lets nobody pass any more, those who wait included: what ends the run for one ends it for all. */
  close(why: unknown): void {
    this.#closed ??= { why };
    for (const { fail } of this.#waiting.splice(0)) fail(why);
  }
}

/** Works on everything that the source gives, so many at once. The first failure ends the reading and is thrown. */
export async function eachOf<Item>(
  source: AsyncIterable<Item>,
  lanes: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const iterator = source[Symbol.asyncIterator]();
  const failures: unknown[] = [];
  const lane = async (): Promise<void> => {
    while (failures.length === 0) {
      const next = await iterator.next();
      if (next.done === true) return;
      await work(next.value);
    }
  };
  const guarded = () => lane().catch((error: unknown) => void failures.push(error));
  await Promise.all(Array.from({ length: lanes }, guarded));
  if (failures.length > 0) throw failures[0];
}

/** Tells those who fetch documents how far the reading of the list is: it goes on while they are at work. */
export class Listing {
  #isComplete = false;
  #waiting: (() => void)[] = [];

  /** A list that was read before. */
  static ended(): Listing {
    const listing = new Listing();
    listing.end();
    return listing;
  }

  get isComplete(): boolean {
    return this.#isComplete;
  }

  /** Resolves when more has been kept, or nothing more will come. */
  async next(): Promise<void> {
    if (this.#isComplete) return;
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  kept(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  end(): void {
    this.#isComplete = true;
    this.kept();
  }
}

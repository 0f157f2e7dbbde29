import { createHash } from 'node:crypto';

/** The digest of a sequence of records, for both readings of an input: what differs is another input. */
export class RunningDigest {
  count = 0;
  readonly #hash = createHash('sha256');

  /** @param content what stands for the record, the same in every reading */
  add(content: string): void {
    this.count += 1;
    this.#hash.update(content);
  }

  text(): string {
    return this.#hash.copy().digest('hex');
  }
}

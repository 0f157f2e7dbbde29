import { createHash, type Hash } from 'node:crypto';

const names = ['sha1', 'sha256'] as const;
export type DigestName = (typeof names)[number];

/** What is kept before it is hashed: nearly every document fits, and then only the digest that is asked for is made. */
const MOST_KEPT = 64 * 1024;

/** Digests of a text that comes in pieces. Memory stays small however long it is. */
export class TextDigests {
  #kept: string[] = [];
  #length = 0;
  #hashes: Readonly<Record<DigestName, Hash>> | undefined;

  add(text: string): void {
    this.#kept.push(text);
    this.#length += text.length;
    if (this.#length >= MOST_KEPT) this.#hash();
  }

  /** In base64, of all that came so far. */
  of(name: DigestName): string {
    const hash = this.#hashes?.[name].copy() ?? createHash(name);
    return hash.update(this.#kept.join('')).digest('base64');
  }

  #hash(): void {
    this.#hashes ??= { sha1: createHash('sha1'), sha256: createHash('sha256') };
    const text = this.#kept.join('');
    for (const name of names) this.#hashes[name].update(text);
    this.#kept = [];
    this.#length = 0;
  }
}

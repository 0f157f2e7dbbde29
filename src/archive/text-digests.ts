import { createHash, type Hash } from 'node:crypto';

const names = ['sha1', 'sha256'] as const;
export type DigestName = (typeof names)[number];

/** What is kept before it is hashed: nearly every document fits, and then only the digest that is asked for is made. */
const MOST_KEPT = 64 * 1024;

/** Digests of a text that comes in pieces, some of them as UTF-8. Memory stays small however long it is. */
export class TextDigests {
  #kept: (string | Uint8Array)[] = [];
  /** Texts that follow each other become one: a character may be cut in two between them. */
  #text = '';
  #length = 0;
  #hashes: Readonly<Record<DigestName, Hash>> | undefined;

  /** Bytes are not copied, and must stay as they are until the digest is asked for. */
  add(piece: string | Uint8Array): void {
    if (typeof piece === 'string') this.#text += piece;
    else {
      this.#keepText();
      this.#kept.push(piece);
    }
    this.#length += piece.length;
    if (this.#length >= MOST_KEPT) this.#hash();
  }

  /** In base64, of all that came so far. */
  of(name: DigestName): string {
    const hash = this.#hashes?.[name].copy() ?? createHash(name);
    this.#keepText();
    for (const piece of this.#kept) hash.update(piece);
    return hash.digest('base64');
  }

  #keepText(): void {
    if (this.#text !== '') this.#kept.push(this.#text);
    this.#text = '';
  }

  #hash(): void {
    this.#hashes ??= { sha1: createHash('sha1'), sha256: createHash('sha256') };
    this.#keepText();
    for (const name of names) {
      for (const piece of this.#kept) this.#hashes[name].update(piece);
    }
    this.#kept = [];
    this.#length = 0;
  }
}

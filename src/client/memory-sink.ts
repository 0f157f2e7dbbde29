import type { ByteSink } from './receive.js';

/** Keeps the bytes of a download in memory: for what is looked at before it is written, or shown at once. */
export class MemorySink implements ByteSink {
  #chunks: Uint8Array[] = [];

  restart(): undefined {
    this.#chunks = [];
  }

  write(chunk: Uint8Array): undefined {
    this.#chunks.push(chunk);
  }

  bytes(): Uint8Array {
    const [first] = this.#chunks;
    return first !== undefined && this.#chunks.length === 1 ? first : Buffer.concat(this.#chunks);
  }
}

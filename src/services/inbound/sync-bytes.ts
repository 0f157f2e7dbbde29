import type { ByteSink } from '../../client/receive.js';

/** As the reader of XML: a fiscal document is far smaller. */
export const XML_LIMIT = 16 * 1024 * 1024;

/** Keeps the bytes, to be inspected before they get a name in the archive. */
export class MemorySink implements ByteSink {
  #chunks: Uint8Array[] = [];

  restart(): Promise<void> {
    this.#chunks = [];
    return Promise.resolve();
  }

  write(chunk: Uint8Array): Promise<void> {
    this.#chunks.push(chunk);
    return Promise.resolve();
  }

  bytes(): Uint8Array {
    return Buffer.concat(this.#chunks);
  }
}

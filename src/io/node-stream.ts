import type { Writable } from 'node:stream';
import type { OutputStream } from './io.js';

/** A `Writable` of Node as an `OutputStream`. A reader that goes away (EPIPE) is a quiet end. */
export function nodeOutput(
  stream: Writable & { readonly isTTY?: boolean; readonly columns?: number },
): OutputStream {
  let closed = false;
  let waiting: (() => void)[] = [];
  const release = (): void => {
    const released = waiting;
    waiting = [];
    for (const resolve of released) resolve();
  };
  const put = (data: string | Uint8Array): Promise<void> => {
    if (closed || data.length === 0 || stream.write(data)) return Promise.resolve();
    return new Promise((resolve) => {
      waiting.push(resolve);
    });
  };
  stream.on('error', () => {
    closed = true;
    release();
  });
  stream.on('drain', release);
  return {
    get isTerminal() {
      return stream.isTTY === true;
    },
    get columns() {
      // A terminal that was given no size says 0.
      return stream.columns === undefined || stream.columns < 1 ? 80 : stream.columns;
    },
    get closed() {
      return closed;
    },
    write: (text) => put(text),
    writeBytes: (bytes) => put(bytes),
  };
}

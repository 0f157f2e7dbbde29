import type { Writable } from 'node:stream';
import type { Host, OutputStream } from './io.js';

/** Wraps a Node `Writable` as an `OutputStream`. A reader that closes the pipe (EPIPE) ends output silently. */
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
      // A terminal of unknown size reports 0.
      return stream.columns === undefined || stream.columns < 1 ? 80 : stream.columns;
    },
    get closed() {
      return closed;
    },
    write: (text) => put(text),
    writeBytes: (bytes) => put(bytes),
  };
}

/**
 * GitHub Actions treats a line that starts with `::`, or contains `##[`, as a command (public). Text from the service
 * must not become one, so a space is inserted into both.
 */
export function guardedText(text: string): string {
  return text.replaceAll(/^(\s*):(?=:)/gm, '$1: ').replaceAll('##[', '## [');
}

/** The same host with a stderr whose lines the runner never takes for commands. */
export function guardedHost(host: Host): Host {
  // Inherits from the host, so that the other fields keep their getters.
  const guarded: Host = Object.create(host, {
    stderr: { value: guardedStream(host.stderr), enumerable: true },
  });
  return guarded;
}

function guardedStream(stream: OutputStream): OutputStream {
  return {
    get isTerminal() {
      return stream.isTerminal;
    },
    get columns() {
      return stream.columns;
    },
    get closed() {
      return stream.closed;
    },
    write: (text) => stream.write(guardedText(text)),
    writeBytes: (bytes) => stream.writeBytes(bytes),
  };
}

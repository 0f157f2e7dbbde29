import type { Writable } from 'node:stream';
import type { Host, OutputStream } from './io.js';

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

/**
 * A runner of GitHub Actions takes a line that begins with `::`, or that holds `##[` anywhere, for a command to itself (public).
 * What the service said must not become one: both are broken up by a space.
 */
export function guardedText(text: string): string {
  return text.replaceAll(/^(\s*):(?=:)/gm, '$1: ').replaceAll('##[', '## [');
}

/** The same world, with a stderr in which no line is a command to the runner. */
export function guardedHost(host: Host): Host {
  // By prototype: the other fields keep their getters.
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

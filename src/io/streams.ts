import { fstatSync, writeSync } from 'node:fs';
import type { Writable } from 'node:stream';
import type { Host, OutputStream } from './io.js';

type NodeStream = Writable & { readonly isTTY?: boolean; readonly columns?: number; readonly rows?: number };

/**
 * Stdout or stderr at the descriptor. Node's stream for it is created when it is needed: for a pipe, Node loads its network
 * code, a tenth of its own start. `print` does without, and leaves what the descriptor does not take to the stream.
 */
export function standardOutput(descriptor: number, stream: () => NodeStream): OutputStream & Pick<Host, 'print'> {
  let opened: OutputStream | undefined;
  const output = (): OutputStream => (opened ??= nodeOutput(stream()));
  const isPlain = isFileOrPipe(descriptor);
  return {
    get isTerminal() {
      return !isPlain && output().isTerminal;
    },
    get columns() {
      return output().columns;
    },
    get rows() {
      return output().rows;
    },
    get closed() {
      return output().closed;
    },
    get failure() {
      return opened?.failure;
    },
    write: (text) => output().write(text),
    writeBytes: (bytes) => output().writeBytes(bytes),
    async print(text) {
      const isFirst = opened === undefined;
      const bytes = Buffer.from(text);
      const rest = isPlain && isFirst ? restAfterWriting(bytes, descriptor) : bytes;
      if (rest.length > 0) await output().writeBytes(rest);
    },
  };
}

function isFileOrPipe(descriptor: number): boolean {
  try {
    const kind = fstatSync(descriptor);
    return kind.isFile() || kind.isFIFO() || kind.isSocket();
  } catch {
    return false;
  }
}

function restAfterWriting(bytes: Buffer, descriptor: number): Buffer {
  let rest = bytes;
  try {
    while (rest.length > 0) rest = rest.subarray(writeSync(descriptor, rest));
  } catch {
    // The stream waits for a full pipe (EAGAIN), and reports everything else.
  }
  return rest;
}

/**
 * Wraps a Node `Writable` as an `OutputStream`. A reader that closes the pipe (EPIPE) ends output silently; every other
 * error is kept as the `failure`.
 */
export function nodeOutput(stream: NodeStream): OutputStream {
  let closed = false;
  let failure: Error | undefined;
  const waiting = new Set<() => void>();
  const fail = (error: Error): void => {
    // What is written after the first error fails because of it.
    if (!closed && !('code' in error && error.code === 'EPIPE')) failure = error;
    closed = true;
    for (const resolve of waiting) resolve();
    waiting.clear();
  };
  const put = (data: string | Uint8Array): Promise<void> => {
    if (closed || data.length === 0) return Promise.resolve();
    return new Promise((resolve) => {
      waiting.add(resolve);
      stream.write(data, (error) => {
        if (error) fail(error);
        waiting.delete(resolve);
        resolve();
      });
    });
  };
  stream.on('error', fail);
  return {
    get isTerminal() {
      return stream.isTTY === true;
    },
    get columns() {
      // A terminal of unknown size reports 0.
      return stream.columns === undefined || stream.columns < 1 ? 80 : stream.columns;
    },
    get rows() {
      return stream.rows === undefined || stream.rows < 1 ? undefined : stream.rows;
    },
    get closed() {
      return closed;
    },
    get failure() {
      return failure;
    },
    write: (text) => put(text),
    writeBytes: (bytes) => put(bytes),
  };
}

/**
 * GitHub Actions treats a line that starts with `::`, or contains `##[`, as a command (public). Text from the service
 * must not become one, so a space is inserted into both. JSON has neither: it writes `[` behind `##` as an escape.
 */
export function guardedText(text: string): string {
  // U+0085 is a blank for the runner, and none for an expression.
  return text.replaceAll(/^((?:[^\S\n\r\u2028\u2029]|\u0085)*):(?=:)/gm, '$1: ').replaceAll(/##(?=\w*\[)/g, '## ');
}

/** The same host with a stdout and a stderr whose lines the runner never takes for commands. Bytes of documents stay. */
export function guardedHost(host: Host): Host {
  const guarded = (stream: OutputStream) => ({ value: guardedStream(stream), enumerable: true });
  // Inherits from the host, so that the other fields keep their getters.
  const same: Host = Object.create(host, { stdout: guarded(host.stdout), stderr: guarded(host.stderr) });
  return same;
}

function guardedStream(stream: OutputStream): OutputStream {
  return {
    get isTerminal() {
      return stream.isTerminal;
    },
    get columns() {
      return stream.columns;
    },
    get rows() {
      return stream.rows;
    },
    get closed() {
      return stream.closed;
    },
    get failure() {
      return stream.failure;
    },
    write: (text) => stream.write(guardedText(text)),
    writeBytes: (bytes) => stream.writeBytes(bytes),
  };
}

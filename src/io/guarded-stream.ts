import type { Host, OutputStream } from './io.js';

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

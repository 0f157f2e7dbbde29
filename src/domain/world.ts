import type { Text } from '../contract/text.js';

/** The outside world as arguments: only the entry point reads a clock, a random source or a stream directly. */

export interface Clock {
  /** Milliseconds since the epoch, UTC. */
  now(): number;
  /**
   * Milliseconds since the machine started. Setting the wall clock does not change it; only differences are
   * meaningful.
   */
  uptime(): number;
  /** Resolves after `ms`, or rejects with the signal's reason. `awaited`: what for, where a log should say it. */
  sleep(ms: number, signal?: AbortSignal, awaited?: Text): Promise<void>;
}

export interface Random {
  /** A number in [0, 1). */
  unit(): number;
  /** A random UUID (version 4). */
  uuid(): string;
}

export interface ByteSource {
  readonly isTerminal: boolean;
  /** Yields the bytes; can be read once. */
  read(): AsyncIterable<Uint8Array>;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** The outside world as arguments: nothing below the edge reads a clock, a random source or a stream by itself. */

export interface Clock {
  /** Milliseconds since the epoch, UTC. */
  now(): number;
  /** Milliseconds since the machine started. It never jumps when the wall clock is set; only differences mean something. */
  uptime(): number;
  /** Resolves after `ms`, or rejects with the signal's reason. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export interface Random {
  /** A number in [0, 1). */
  unit(): number;
  /** A random UUID (version 4). */
  uuid(): string;
}

export interface ByteSource {
  readonly isTerminal: boolean;
  /** The bytes, once. */
  read(): AsyncIterable<Uint8Array>;
}

export type Environment = Readonly<Record<string, string | undefined>>;

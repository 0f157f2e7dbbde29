import type { Text } from '../contract/text.js';
import type { ExitCode } from '../errors/exit-code.js';

/** What a command gives back: data for stdout, how the run ended, and sentences for stderr. */
export interface Outcome<Data = unknown> {
  /** One object, a list, or a stream of records (lists and batches without end in memory). */
  readonly data: Data;
  /** True when stdout has been used already and nothing is to be added: a child process, a line before a long service. */
  readonly written?: boolean;
  /** Defaults to 0. */
  readonly exitCode?: ExitCode;
  /** Shown on stderr after the data: billing, age of local data, the next command to type. */
  readonly notices?: readonly Text[];
}

/** A line of NDJSON. Fields are only ever added. */
export interface DataRecord {
  readonly type: string;
  readonly [field: string]: unknown;
}

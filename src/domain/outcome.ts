import type { Text } from '../contract/text.js';
import type { ExitCode } from '../errors/exit-code.js';
import type { FiscalError } from '../errors/fiscal-error.js';

/** The result of a command: data for stdout, the exit code, and messages for stderr. */
export interface Outcome<Data = unknown> {
  /** What a person reads before the fields of a single result, or after a list. No machine output has it. */
  readonly sentence?: Sentence | undefined;
  /** An object, a list, or a stream of records, for lists that do not fit in memory. */
  readonly data: Data;
  /** True when stdout is already written, e.g. by a child process, and nothing may follow. */
  readonly written?: boolean;
  /** Defaults to 0. */
  readonly exitCode?: ExitCode;
  /** Shown on stderr after the data: billing, the age of local data, the next command. */
  readonly notices?: readonly Text[];
  /** What ended the run before its work was done, where the data says how far it came: thrown after the data is written. */
  readonly error?: FiscalError | undefined;
}

/** What a command has done. `good`: the answer proves it; `open`: the service goes on; `warn`: look at it; `none`: nothing was sent. */
export interface Sentence extends Text {
  readonly tone: 'good' | 'open' | 'warn' | 'none';
}

/** A line of NDJSON. Fields are only ever added. */
export interface DataRecord {
  readonly type: string;
  readonly [field: string]: unknown;
}

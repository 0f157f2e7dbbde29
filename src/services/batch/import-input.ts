import { createHash } from 'node:crypto';
import type { Text } from '../../contract/text.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { CellReader } from '../input/cell-reader.js';
import { LineProblems } from '../input/line-problems.js';

/** A problem with a record of an import. */
export interface InvalidRecord {
  readonly line: number;
  readonly problems: readonly { readonly field: string; readonly message: Text }[];
}

/** A record of an import, read and checked. */
export type ImportRecord<Valid> = Valid | InvalidRecord;

/** An input that is read twice, in flat memory: first to check every record, then to write the job. */
export interface ImportInput<Valid> {
  readonly name: string;
  records(): AsyncIterable<ImportRecord<Valid>>;
  /** A valid record as part of the digest of the input. */
  contentOf(record: Valid): string;
  /** The path of a regular file as it was typed. */
  readonly file?: string | undefined;
  /** The reader of a table, which knows the row that was read last and what was converted. */
  readonly cells?: CellReader;
  close(): Promise<void>;
}

/** What the first reading of an input found. Of the records, only the first stays in memory. */
export interface Validated<Valid> {
  readonly valid: number;
  readonly problems: LineProblems;
  /** SHA-256 of the valid records in their order: the same content finds the same job. */
  readonly digest: string;
  readonly first: Valid | undefined;
}

/** Checks every record; `count` sees each valid one with its content. Error: `input.empty`. */
export async function validateAll<Valid>(
  input: ImportInput<Valid>,
  count: (record: Valid, content: string) => void,
): Promise<Validated<Valid>> {
  const problems = new LineProblems();
  const hash = createHash('sha256');
  let valid = 0;
  let first: Valid | undefined;
  for await (const record of input.records()) {
    if (isInvalid(record)) {
      problems.add(record.line, record.problems);
      continue;
    }
    valid += 1;
    first ??= record;
    const content = input.contentOf(record);
    hash.update(content);
    count(record, content);
  }
  if (valid === 0 && problems.lines === 0) throw new FiscalError('input.empty', { path: input.name });
  return { valid, problems, digest: hash.digest('hex'), first };
}

/**
 * The valid records of another reading. Error, at the end: `input.changed` when they are not those of the first reading, to
 * which the user has not agreed.
 */
export async function* readAgain<Valid>(input: ImportInput<Valid>, { digest }: Validated<Valid>): AsyncIterable<Valid> {
  const hash = createHash('sha256');
  for await (const record of input.records()) {
    if (isInvalid(record)) continue;
    hash.update(input.contentOf(record));
    yield record;
  }
  if (hash.digest('hex') !== digest) throw new FiscalError('input.changed', { path: input.name });
}

export function isInvalid<Valid>(record: ImportRecord<Valid>): record is InvalidRecord {
  return typeof record === 'object' && record !== null && 'problems' in record;
}

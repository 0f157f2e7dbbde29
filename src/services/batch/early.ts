import type { DataRecord } from '../../domain/outcome.js';
import type { Context } from '../context.js';

/** The records of items that a batch writes while it runs, each once, so that a run that is killed leaves them. */
export class EarlyRecords {
  readonly #write: Context['writeRecord'];
  readonly #keyOf: (record: DataRecord) => unknown;
  /** By their keys: the records themselves are gone. */
  readonly #written = new Set<unknown>();

  /** `keyOf` tells the records of one batch apart. */
  constructor({ writeRecord }: Pick<Context, 'writeRecord'>, keyOf: (record: DataRecord) => unknown = byLine) {
    this.#write = writeRecord;
    this.#keyOf = keyOf;
  }

  /** False where the output is written whole, at the end. */
  get isWanted(): boolean {
    return this.#write !== undefined;
  }

  has(record: DataRecord): boolean {
    return this.#written.has(this.#keyOf(record));
  }

  async write(record: DataRecord): Promise<void> {
    this.#written.add(this.#keyOf(record));
    await this.#write?.(record);
  }

  /** What is left for the end. */
  rest<Records extends AsyncIterable<DataRecord> | readonly DataRecord[]>(
    records: Records,
  ): Records | AsyncIterable<DataRecord> {
    return this.isWanted ? this.#others(records) : records;
  }

  async *#others(records: AsyncIterable<DataRecord> | readonly DataRecord[]): AsyncIterable<DataRecord> {
    for await (const record of records) if (record.type !== 'item' || !this.has(record)) yield record;
  }
}

/** A record of what has no item may have no line. */
function byLine({ line, label }: DataRecord): unknown {
  return line ?? label;
}

/** The same run whose records come at its end, since the outcome may be another one than that of the batch. */
export function writtenWhole(context: Context): Context {
  return { ...context, writeRecord: undefined };
}

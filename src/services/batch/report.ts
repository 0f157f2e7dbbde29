import { rename, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { stringify } from 'csv-stringify/sync';
import type { DataRecord } from '../../domain/outcome.js';
import type { Context } from '../context.js';
import { createFile, unwritable } from '../output-file.js';

const columns = ['line', 'label', 'state', 'id', 'status', 'errorCode', 'error'] as const;

/**
 * A CSV with one row per item, for a person with a spreadsheet: cells that a spreadsheet would take for a formula are
 * made harmless, since the reasons come from the service. Written beside its name and renamed when it is whole.
 */
export class ReportFile {
  readonly #path: string;
  readonly #temporary: string;

  private constructor(context: Context, path: string) {
    this.#path = resolve(context.cwd, path);
    this.#temporary = `${this.#path}.${context.random.uuid()}.tmp`;
  }

  /** Tries the path before anything is sent. Errors: `store.unwritable`, `store.full`. */
  static async open(context: Context, path: string): Promise<ReportFile> {
    const file = new ReportFile(context, path);
    const probe = await createFile(file.#temporary);
    await probe.close();
    await rm(file.#temporary, { force: true });
    return file;
  }

  /** `idField`: the field of a record that holds the id at the service. */
  async write(records: AsyncIterable<DataRecord>, idField: string): Promise<void> {
    const file = await createFile(this.#temporary);
    try {
      await file.write(row(columns));
      for await (const record of records) {
        if (record.type === 'item') await file.write(row(cellsOf(record, idField)));
      }
      await file.close();
      await rename(this.#temporary, this.#path);
    } catch (error) {
      await rm(this.#temporary, { force: true });
      throw unwritable(this.#path, error);
    }
  }
}

function cellsOf(record: DataRecord, idField: string): readonly unknown[] {
  return columns.map((column) => record[column === 'id' ? idField : column] ?? '');
}

function row(cells: readonly unknown[]): string {
  return stringify([[...cells]], { escape_formulas: true });
}

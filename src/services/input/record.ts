import type { Text } from '../../contract/text.js';
import type { TableForm } from './cell-reader.js';

/** The records of a file as the user describes it; what is absent is read from the file. */
export interface RecordForm extends TableForm {
  readonly format: InputFormat | undefined;
}

export type InputFormat = 'csv' | 'xlsx' | 'ndjson' | 'json';

/** One record of a batch; `line` is its line in NDJSON and CSV, its row in a spreadsheet, its position in a JSON array. */
export type InputRecord = { readonly line: number } & Reading;

export type Reading =
  | { readonly value: unknown }
  /** Only this record cannot be read; the following ones can. */
  | { readonly problem: Text };

/** The cells of one row, in the order of the header. */
export type Cells = readonly string[];

/** What a family knows of its records. */
export interface RecordRules {
  /** Reads one JSON text; throws `SyntaxError`. */
  parse(text: string): unknown;
  /** Prepares the reading of CSV rows by their header; throws `input.missing_column`, `input.unknown_column`. */
  rows(header: readonly string[], name: string): (cells: Cells) => Reading;
  /** Whether nothing is read of a column of that header; absent: every column is read. */
  ignores?(at: number): boolean;
}

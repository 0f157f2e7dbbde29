import { parseExactJson } from '../../domain/json-numbers.js';

type NullKeys<Row> = {
  [Key in keyof Row]-?: unknown extends Row[Key] ? never : null extends Row[Key] ? Key : never;
}[keyof Row];

/** A row without its empty columns: `null` in SQL is an absent field here. */
type Present<Row> = Omit<Row, NullKeys<Row>> & {
  [Key in NullKeys<Row>]?: Exclude<Row[Key], null>;
};

export function present<Row extends object>(row: Row): Present<Row> {
  const kept: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(row)) if (value !== null) kept[name] = value;
  // The compiler cannot infer the type from the filter on values.
  return kept as Present<Row>;
}

export function fromJson(text: string): unknown {
  return parseExactJson(text);
}

/** Rounds up to whole milliseconds: computed times may have fractions (jitter), and nothing may run early. */
export function wholeMs(ms: number): number {
  return Math.ceil(ms);
}

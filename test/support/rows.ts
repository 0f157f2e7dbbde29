/** Rows of a table for `test.each`: the title first, and everything else as one argument. */
export function rows<const Table extends readonly (readonly [unknown, ...unknown[]])[]>(
  table: Table,
): readonly { [Row in keyof Table]: readonly [Table[Row][0], Rest<Table[Row]>] }[number][] {
  // The rest of a tuple has no type that `map` keeps.
  return table.map(([title, ...rest]) => [title, rest]) as never;
}

type Rest<Row> = Row extends readonly [unknown, ...infer Others] ? Others : never;

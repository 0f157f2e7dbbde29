/** A column of a sheet. A cell of another kind than its column is text. */
export interface SheetColumn {
  readonly title: string;
  readonly kind: 'text' | 'number' | 'date' | 'time';
}

export type SheetValue = string | number | boolean | Date | null;

interface Sheet {
  readonly name: string;
  readonly columns: readonly SheetColumn[];
}

/** `@` keeps what a person types later as text: a key stays whole. */
const formats = { text: '@', number: undefined, date: 'dd/mm/yyyy', time: 'dd/mm/yyyy hh:mm' } as const;

const noCharacter = /[\uFFFE\uFFFF]|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g;

const MAX_WIDTH = 50;
/** What a cell of Excel holds at most. */
const MAX_TEXT = 32_767;

/**
 * A workbook of one sheet as bytes, while its rows are read: memory holds no row. The header is frozen. No cell is a formula:
 * text that looks like one is text.
 */
export async function* workbookBytes(
  rows: AsyncIterable<readonly SheetValue[]>,
  { name, columns }: Sheet,
): AsyncIterable<Uint8Array> {
  const { writeXlsxStream } = await import('hucre/xlsx');
  async function* cells() {
    yield columns.map(({ title }) => xmlText(title));
    for await (const row of rows) yield row.map((cell) => (typeof cell === 'string' ? xmlText(cell) : cell));
  }
  const stream = writeXlsxStream(cells(), {
    name: sheetName(name),
    columns: columns.map(({ title, kind }) => ({
      width: Math.min(MAX_WIDTH, Math.max(12, title.length + 2, kind === 'time' ? 18 : 0)),
      ...(formats[kind] === undefined ? {} : { numFmt: formats[kind] }),
    })),
    freezePane: { rows: 1 },
  });
  yield* stream;
}

/** `_x0041_` in a text would be read as an escape; U+FFFE, U+FFFF and halves of a pair are no characters of XML. */
function xmlText(text: string): string {
  return text
    .slice(0, MAX_TEXT)
    .replaceAll(noCharacter, '\uFFFD')
    .replaceAll(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_');
}

/** Without what Excel refuses in the name of a sheet: some characters, and the name `History`, which it keeps for itself. */
function sheetName(name: string): string {
  const plain = name
    .replaceAll(/[[\]:*?/\\']/g, ' ')
    .trim()
    .slice(0, 31);
  return plain === '' || plain.toLowerCase() === 'history' ? `fiscal ${plain}`.trim() : plain;
}

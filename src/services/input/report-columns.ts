import type { Text } from '../../contract/text.js';
import { plainTitle } from './column-title.js';

/** The columns that a sheet of errors has after those of its input. */
export const reportColumns = {
  row: { en: 'error row', pt: 'linha do erro' },
  reason: { en: 'error reason', pt: 'motivo do erro' },
} as const satisfies Readonly<Record<string, Text>>;

/** The same as `plainTitle` gives them: an import leaves these columns out. */
export const reportTitles: readonly string[] = Object.values(reportColumns).flatMap(({ en, pt }) => [
  plainTitle(en),
  plainTitle(pt),
]);

/** The first cell of the example row of a template: an import leaves the row out. */
export const exampleMark = { en: 'EXAMPLE: delete this row', pt: 'EXEMPLO: apague esta linha' } as const satisfies Text;

export const exampleMarks: readonly string[] = Object.values(exampleMark);

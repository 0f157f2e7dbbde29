import type { Language } from '../contract/text.js';
import { fieldAt, recordOf } from './record.js';
import type { RenderOptions, View } from './render.js';
import { defaultView } from './generic.js';
import { isRecord } from '../domain/record.js';
import { scalarText } from './scalar.js';

const words = { en: { valid: 'valid', invalid: 'invalid' }, pt: { valid: 'válido', invalid: 'inválido' } } as const;

/** One line per value, with its problems below; of a single one also its parts. */
export const keyChecksView: View = (data, options) => {
  const rows = Array.isArray(data) ? data.filter(isRecord) : [];
  const [only] = rows;
  const parts = rows.length === 1 && isRecord(only?.['parts']) ? defaultView(only['parts'], partsOf(options)) : [];
  return [...rows.flatMap((row) => rowLines(row, options)), ...parts.map((line) => `  ${line}`)];
};

/** The parts are described by the record of their value. */
function partsOf(options: RenderOptions): RenderOptions {
  const parts = fieldAt(recordOf(undefined, options.described), 'parts');
  return { ...options, described: parts && { records: { parts }, noun: 'parts' } };
}

function rowLines(row: Readonly<Record<string, unknown>>, { language, paint }: RenderOptions): readonly string[] {
  const word = words[language];
  const verdict = row['valid'] === true ? paint.good(word.valid) : paint.bad(word.invalid);
  const issues = Array.isArray(row['issues']) ? row['issues'].filter(isRecord) : [];
  return [
    `${scalarText(row['value'])}  ${scalarText(row['kind'])}  ${verdict}`,
    ...issues.map((issue) => `  ${issueLine(issue, language)}`),
  ];
}

function issueLine(issue: Readonly<Record<string, unknown>>, language: Language): string {
  const message = isRecord(issue['message']) ? issue['message'][language] : undefined;
  return `${scalarText(issue['field'])}: ${scalarText(message)}`;
}

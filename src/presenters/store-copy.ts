import { isRecord } from '../domain/record.js';
import type { View } from './render.js';
import { scalarText } from './scalar.js';
import { pad } from './width.js';

const words = {
  from: { en: 'from', pt: 'origem' },
  to: { en: 'to', pt: 'destino' },
  rows: { en: 'rows', pt: 'linhas' },
} as const;

const NAME_WIDTH = 16;

/** The two stores, the sum, and a line for each table that has rows. */
export const storeCopyView: View = (data, { language }) => {
  if (!isRecord(data)) return [];
  const tables = Array.isArray(data['tables']) ? data['tables'].filter(isRecord) : [];
  const line = (name: string, value: unknown): string => `${pad(name, NAME_WIDTH)} ${scalarText(value)}`;
  return [
    line(words.from[language], data['from']),
    line(words.to[language], data['to']),
    line(words.rows[language], data['rows']),
    ...tables.filter(({ rows }) => rows !== 0).map(({ table, rows }) => line(`  ${scalarText(table)}`, rows)),
  ];
};

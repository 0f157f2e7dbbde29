import { isRecord } from '../domain/record.js';
import type { RenderOptions, View } from './render.js';
import { scalarText } from './scalar.js';
import { pad } from './width.js';

type Row = Readonly<Record<string, unknown>>;

const words = {
  path: { en: 'store', pt: 'banco' },
  id: { en: 'identity', pt: 'identidade' },
  engine: { en: 'engine', pt: 'tipo' },
  rows: { en: 'rows', pt: 'linhas' },
  notRead: { en: 'not read', pt: 'não lido' },
  findings: { en: 'findings', pt: 'achados' },
  seconds: { en: 'seconds', pt: 'segundos' },
} as const;

const NAME_WIDTH = 20;

/** Two lines for each finding: where it is, and what is wrong. Then what was looked at. */
export const storeCheckView: View = (data, options) => {
  const records = Array.isArray(data) ? data.filter(isRecord) : [];
  return records.flatMap((record) =>
    record['type'] === 'finding' ? findingLines(record, options) : summaryLines(record, options),
  );
};

function findingLines(
  { table, key, column, reason }: Row,
  { language, paint }: RenderOptions,
): readonly string[] {
  const cells = isRecord(key) ? Object.entries(key).map(([name, cell]) => `${name} ${scalarText(cell)}`) : [];
  const place = [scalarText(table), ...(cells.length > 0 ? [cells.join(', ')] : [])].join(': ');
  const said = isRecord(reason) ? scalarText(reason[language]) : '';
  return [paint.bad(place), `  ${column === undefined ? '' : `${scalarText(column)}: `}${said}`];
}

function summaryLines(record: Row, { language }: RenderOptions): readonly string[] {
  const tables = Array.isArray(record['tables']) ? record['tables'].filter(isRecord) : [];
  const line = (name: string, value: unknown): string => `${pad(name, NAME_WIDTH)} ${scalarText(value)}`;
  const labelled = (name: keyof typeof words, value: unknown): string => line(words[name][language], value);
  const notRead = Array.isArray(record['notRead']) ? record['notRead'].map(scalarText).join(', ') : '';
  return [
    labelled('path', record['path']),
    labelled('id', record['id']),
    labelled('engine', record['engine']),
    labelled('rows', record['rows']),
    ...tables.filter(({ rows }) => rows !== 0).map(({ table, rows }) => line(`  ${scalarText(table)}`, rows)),
    ...(notRead === '' ? [] : [labelled('notRead', notRead)]),
    labelled('findings', record['findings']),
    labelled('seconds', record['seconds']),
  ];
}

import { isRecord } from '../domain/record.js';
import type { RenderOptions, View } from './render.js';
import { scalarText } from './scalar.js';
import { pad } from './width.js';

type Row = Readonly<Record<string, unknown>>;

const words = {
  path: { en: 'store', pt: 'banco' },
  id: { en: 'identity', pt: 'identidade' },
  engine: { en: 'engine', pt: 'tipo' },
  notRead: { en: 'not read', pt: 'não lido' },
  findings: { en: 'findings', pt: 'achados' },
  seconds: { en: 'seconds', pt: 'segundos' },
  from: { en: 'from', pt: 'origem' },
  to: { en: 'to', pt: 'destino' },
  rows: { en: 'rows', pt: 'linhas' },
} as const;

/** Fields of `store check` and `store copy`, each on a line, and the tables that have rows. */
function linesOf(record: Row, names: readonly (keyof typeof words)[], { width, language }: Look): readonly string[] {
  const line = (name: string, value: unknown): string => `${pad(name, width)} ${scalarText(value)}`;
  return names.flatMap((name) => [
    ...(isEmptyList(record[name]) ? [] : [line(words[name][language], shown(record[name]))]),
    ...(name === 'rows' ? tablesOf(record).map(({ table, rows }) => line(`  ${scalarText(table)}`, rows)) : []),
  ]);
}

interface Look extends Pick<RenderOptions, 'language'> {
  readonly width: number;
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

function shown(value: unknown): unknown {
  return Array.isArray(value) ? value.map(scalarText).join(', ') : value;
}

function tablesOf({ tables }: Row): readonly Row[] {
  return Array.isArray(tables) ? tables.filter(isRecord).filter(({ rows }) => rows !== 0) : [];
}

/** Two lines for each finding: where it is, and what is wrong. Then what was looked at. */
export const storeCheckView: View = (data, options) => {
  const records = Array.isArray(data) ? data.filter(isRecord) : [];
  const look = { width: 20, language: options.language };
  return records.flatMap((record) =>
    record['type'] === 'finding'
      ? findingLines(record, options)
      : linesOf(record, ['path', 'id', 'engine', 'rows', 'notRead', 'findings', 'seconds'], look),
  );
};

function findingLines({ table, key, column, reason }: Row, { language, paint }: RenderOptions): readonly string[] {
  const cells = isRecord(key) ? Object.entries(key).map(([name, cell]) => `${name} ${scalarText(cell)}`) : [];
  const place = [scalarText(table), ...(cells.length > 0 ? [cells.join(', ')] : [])].join(': ');
  const said = isRecord(reason) ? scalarText(reason[language]) : '';
  return [paint.bad(place), `  ${column === undefined ? '' : `${scalarText(column)}: `}${said}`];
}

/** The two stores, the sum, and a line for each table that has rows. */
export const storeCopyView: View = (data, { language }) =>
  isRecord(data) ? linesOf(data, ['from', 'to', 'rows'], { width: 16, language }) : [];

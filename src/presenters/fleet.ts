import type { Language } from '../contract/text.js';
import { genericView } from './generic.js';
import type { Look, View } from './look.js';
import { isRecord, scalarText, valueAt } from './scalar.js';
import { tableLines, type Column } from './table.js';

type Row = Readonly<Record<string, unknown>>;

const words = {
  en: {
    idle: (days: string) => `${days}d ago`,
    never: 'nothing yet',
    spaced: 'spaced',
    notes: { info: 'note', warning: 'warning', critical: 'CRITICAL' },
  },
  pt: {
    idle: (days: string) => `há ${days}d`,
    never: 'nada ainda',
    spaced: 'espaçada',
    notes: { info: 'nota', warning: 'atenção', critical: 'CRÍTICO' },
  },
} as const;

const captureWords: Readonly<Record<string, Readonly<Record<Language, string>>>> = {
  off: { en: 'off', pt: 'desligada' },
  inactive: { en: 'inactive', pt: 'inativa' },
  unknown: { en: '?', pt: '?' },
};

/** A line per company, and below it each problem with the next command. */
export const fleetView: View = (data, look) => {
  const rows = Array.isArray(data) ? data.filter(isRecord) : [];
  if (rows.length === 0) return genericView(data, look);
  const { language } = look;
  const column = (title: string, cell: (row: Row) => string): Column => ({ title, cells: rows.map(cell) });
  const table = tableLines(
    [
      column('companyId', (row) => scalarText(row['companyId'])),
      column('state', (row) => scalarText(row['state'])),
      ...['nfe', 'cte', 'nfse'].map((family) => column(family, (row) => familyCell(row[family], language))),
      column('certificate', certificateCell),
      column('startFrom', (row) => dayOf(valueAt(row, 'nfse.startFromDate'))),
      column('hidden', (row) => scalarText(valueAt(row, 'backfill.hiddenDocumentsCount'))),
      column('due', dueCell),
      column('name', (row) => scalarText(row['name'])),
    ],
    look,
  );
  return [...table, ...rows.flatMap((row) => problemLines(row, look))];
};

function familyCell(state: unknown, language: Language): string {
  const capture = scalarText(valueAt(state, 'capture'));
  if (capture !== 'on') return captureWords[capture]?.[language] ?? capture;
  const word = words[language];
  const isSpaced = valueAt(state, 'rateLimitedUntil') !== null;
  const idle = valueAt(state, 'idleDays');
  const hasNone = valueAt(state, 'lastDocumentOn') === null;
  const age = hasNone ? word.never : word.idle(scalarText(idle));
  return isSpaced ? `${age}, ${word.spaced}` : age;
}

function certificateCell(row: Row): string {
  const day = dayOf(valueAt(row, 'certificate.validUntil'));
  return day === '' ? scalarText(valueAt(row, 'certificate.state')) : day;
}

/** Near ones, and with a sign those that are over. */
function dueCell(row: Row): string {
  const near = valueAt(row, 'manifestations.near');
  const overdue = valueAt(row, 'manifestations.overdue');
  if (near === null) return '';
  return overdue === 0 ? scalarText(near) : `${scalarText(near)} +${scalarText(overdue)}!`;
}

function dayOf(time: unknown): string {
  return scalarText(time).slice(0, 10);
}

function problemLines(row: Row, look: Look): readonly string[] {
  const problems = Array.isArray(row['problems']) ? row['problems'].filter(isRecord) : [];
  return problems.flatMap((problem) => [
    `${levelWord(problem['level'], look)} ${look.paint.strong(scalarText(row['companyId']))}: ${scalarText(valueAt(problem, `message.${look.language}`))}`,
    `  → ${scalarText(problem['next'])}`,
  ]);
}

function levelWord(level: unknown, { language, paint }: Look): string {
  const { notes } = words[language];
  if (level === 'critical') return paint.bad(notes.critical);
  return level === 'warning' ? paint.warn(notes.warning) : paint.dim(notes.info);
}

import type { Language } from '../contract/text.js';
import { defaultView } from './generic.js';
import { each, record, usual } from './record.js';
import type { RenderOptions, View } from './render.js';
import { dayOf } from '../domain/dates.js';
import { isRecord } from '../domain/record.js';
import { scalarText, valueAt } from './scalar.js';
import { tableLines, type Column } from './table.js';

type Row = Readonly<Record<string, unknown>>;

const words = {
  en: { none: 'none', spaced: 'spaced', warning: 'warning', critical: 'CRITICAL' },
  pt: { none: 'nenhum', spaced: 'bloqueada', warning: 'atenção', critical: 'CRÍTICO' },
} as const;

const captureWords: Readonly<Record<string, Readonly<Record<Language, string>>>> = {
  off: { en: 'off', pt: 'não' },
  inactive: { en: 'inactive', pt: 'inativa' },
  unclear: { en: '?', pt: '?' },
  unknown: { en: '?', pt: '?' },
};

const columns = record({
  ...usual('companyName companyId state'),
  ...each('text', 'nfe, cte, nfse, certificate: certificado, due: a vencer, startFrom: cut-off | data de corte'),
  ...each('count', 'hidden: ocultas'),
});

/** One line per company, and below the table each problem with the next command. Mere information has a column. */
export const checkView: View = (data, options) => {
  const rows = Array.isArray(data) ? data.filter(isRecord) : [];
  if (rows.length === 0) return defaultView(data, options);
  const { language } = options;
  const short = (title: string, cell: (row: Row) => string): Column => ({
    title,
    cells: rows.map(cell),
    isWhole: true,
  });
  const table = tableLines(
    [
      { title: 'companyName', cells: rows.map(nameOf) },
      short('state', (row) => scalarText(row['state'])),
      ...['nfe', 'cte', 'nfse'].map((family) => short(family, (row) => familyCell(row[family], language))),
      short('certificate', (row) => certificateCell(row, language)),
      short('due', dueCell),
      short('hidden', (row) => scalarText(valueAt(row, 'backfill.hiddenDocumentsCount'))),
      short('startFrom', (row) => scalarText(valueAt(row, 'nfse.startFromDate')).slice(0, 10)),
      short('companyId', (row) => scalarText(row['companyId'])),
    ],
    options,
    { record: columns },
  );
  return [...table, ...rows.flatMap((row) => problemLines(row, options))];
};

function nameOf(row: Row): string {
  return scalarText(row['companyName'] ?? row['companyId']);
}

/** `12d`: the last document arrived 12 days ago; `≤12d`: the list does not show whether it is the last. */
function familyCell(state: unknown, language: Language): string {
  const capture = scalarText(valueAt(state, 'capture'));
  if (capture !== 'on') return captureWords[capture]?.[language] ?? capture;
  const idle = valueAt(state, 'idleDays');
  const hasDocument = valueAt(state, 'lastDocumentOn') !== null;
  const bound = valueAt(state, 'lastDocumentIsNewest') === false ? '≤' : '';
  const known = hasDocument ? `${bound}${scalarText(idle)}d` : words[language].none;
  const age = idle === null ? '?' : known;
  return valueAt(state, 'rateLimitedUntil') === null ? age : `${age} ${words[language].spaced}`;
}

const certificateWords: Readonly<Record<string, Readonly<Record<Language, string>>>> = {
  missing: { en: 'missing', pt: 'ausente' },
  other: { en: 'other CNPJ', pt: 'outro CNPJ' },
  unknown: { en: 'unknown', pt: 'desconhecido' },
};

function certificateCell(row: Row, language: Language): string {
  const day = dayOf(scalarText(valueAt(row, 'certificate.validUntil')));
  return valueAt(row, 'certificate.state') === 'other'
    ? certificateState(row, language)
    : (day ?? certificateState(row, language));
}

function certificateState(row: Row, language: Language): string {
  const state = scalarText(valueAt(row, 'certificate.state'));
  return certificateWords[state]?.[language] ?? state;
}

/** Terms that end soon, and those that are over, with a mark. */
function dueCell(row: Row): string {
  const [open, lost, presumed] = ['open', 'lost', 'presumed'].map((name) => valueAt(row, `manifestations.${name}`));
  if (typeof open !== 'number') return '';
  const past = Number(lost) + Number(presumed);
  return past === 0 ? scalarText(open) : `${scalarText(open)} +${past}!`;
}

function problemLines(row: Row, options: RenderOptions): readonly string[] {
  const problems = Array.isArray(row['problems']) ? row['problems'].filter(isRecord) : [];
  return problems
    .filter(({ level }) => level !== 'info')
    .flatMap((problem) => [
      `${levelWord(problem['level'], options)} ${options.paint.strong(nameOf(row))}: ${scalarText(valueAt(problem, `message.${options.language}`))}`,
      `  → ${scalarText(problem['next'])}`,
    ]);
}

function levelWord(level: unknown, { language, paint }: RenderOptions): string {
  const { critical, warning } = words[language];
  return level === 'critical' ? paint.bad(critical) : paint.warn(warning);
}

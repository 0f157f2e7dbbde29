import { createHash } from 'node:crypto';
import type { Language } from '../../contract/text.js';
import { canonicalJson } from '../../domain/canonical-json.js';
import { formatUtc, formatUtcShort, parseUtc } from '../../domain/dates.js';
import { isNumber } from '../../domain/json-numbers.js';
import { codeOf } from '../../domain/shown-words.js';
import { formatCnpj } from '../../domain/tax-number.js';
import { Prose } from '../../domain/prose.js';
import { terminalLine } from '../../domain/terminal-text.js';
import { answers, wordOf } from '../../presenters/cell.js';
import { titleOf } from '../../presenters/record.js';
import { plainTitle } from '../../services/input/column-title.js';
import { plainCell } from '../../services/input/plain-cell.js';
import { outputs } from './outputs.js';

/** The columns of a plan that a person reviews, in the order of the file; the last one of the file is the fingerprint. */
export const reviewedColumns = [
  ...(['companyId', 'companyName', 'companyTaxNumber', 'startFromDate', 'released', 'hidden'] as const),
  ...(['action', 'note', 'plannedAt'] as const),
] as const;
export const planColumns = [...reviewedColumns, 'fingerprint'] as const;
export type PlanColumn = (typeof planColumns)[number];
/** The text of a cell, as in JSON; an absent value is empty. */
export type PlanCells = Readonly<Record<PlanColumn, string>>;

const described = outputs['backfill plan']?.records['backfill'];
const languages = ['en', 'pt'] as const;

export function titleOfColumn(column: PlanColumn, language: Language): string {
  return titleOf(described, column, language);
}

/** The column by its name, or by its title in either language. */
export function columnOf(title: string): PlanColumn | undefined {
  const plain = plainTitle(title);
  return planColumns.find((column) =>
    [column, ...languages.map((language) => titleOfColumn(column, language))].some(
      (name) => plainTitle(name) === plain,
    ),
  );
}

/** A value as text on one line, since not every form of a plan keeps a tab or a control character. `language`: of the note. */
export function textOf(value: unknown, language: Language = 'en'): string {
  if (value instanceof Prose) return value[language];
  const text = typeof value === 'string' || isNumber(value) || typeof value === 'boolean' ? String(value) : '';
  return terminalLine(text.replaceAll(/\s+/gu, ' ').trim());
}

const startFrom = { en: 'start-from ', pt: 'nova data de corte ' } as const;

/** A cell for a person. Spreadsheets keep a CNPJ with its punctuation, and lose digits of one without. */
export function shownText(column: PlanColumn, text: string, language: Language): string {
  if (column === 'companyTaxNumber') return formatCnpj(text);
  if (column === 'released') return text === '' ? '' : answers[language][text === 'true' ? 'yes' : 'no'];
  if (column !== 'action') return text;
  const word = { name: column, schema: { shown: 'word' } } as const;
  return text.startsWith(startFrom.en)
    ? text.replace(startFrom.en, startFrom[language])
    : wordOf(word, text, language)[0];
}

/**
 * The same text for every way in which a person, a spreadsheet or a program writes one value: blanks, punctuation of a CNPJ and of
 * thousands, words in both languages, forms of a time.
 */
export function canonical(column: PlanColumn, written: string): string {
  const text = plainCell(written).normalize('NFC').replaceAll(/\s+/gu, ' ').trim().replace(/^'+/, '');
  switch (column) {
    case 'companyTaxNumber':
      return text.replaceAll(/[\s./-]/g, '');
    case 'startFromDate':
    case 'plannedAt':
      return sameTime(text);
    case 'released':
      return yes.test(text) ? 'true' : text.replace(no, 'false');
    case 'hidden':
      return /^\d{1,3}(?:[.,\s]\d{3})+$/.test(text) ? text.replaceAll(/\D/g, '') : text;
    case 'action': {
      const date = languages.flatMap((language) =>
        text.toLowerCase().startsWith(startFrom[language]) ? [text.slice(startFrom[language].length)] : [],
      );
      return date[0] === undefined
        ? (codeOf(text, ['release', 'none']) ?? text)
        : `${startFrom.en}${sameTime(date[0])}`;
    }
    default:
      return text;
  }
}

const yes = /^(?:true|yes|sim|verdadeiro)$/i;
const no = /^(?:false|no|n[ãa]o|falso)$/i;

/** Programs write a time of UTC with or without its fraction and its zone. */
function sameTime(text: string): string {
  const ms = parseUtc(text) ?? parseUtc(`${text.replace(' ', 'T')}Z`);
  if (ms === undefined) return text;
  return ms % 1000 === 0 ? formatUtcShort(ms) : formatUtc(ms);
}

/** 13 digits of the row, then two of each cell: a changed row names its changed cells. No spreadsheet takes it for a number. */
export function fingerprintOf(cells: PlanCells): string {
  const texts = reviewedColumns.map((column) => canonical(column, cells[column]));
  return `f${digest(texts).slice(0, 13)}${reviewedColumns.map((column) => checkOf(column, cells)).join('')}`;
}

/** The columns that say something else than when the row was made; the fingerprint itself where it belongs to no such row. */
export function changedColumns(cells: PlanCells): readonly PlanColumn[] {
  const checks = /^f[0-9a-f]{13}([0-9a-f]{18})$/.exec(cells.fingerprint)?.[1];
  if (checks === undefined) return ['fingerprint'];
  const changed = reviewedColumns.filter((column, at) => checks.slice(2 * at, 2 * at + 2) !== checkOf(column, cells));
  return changed.length === 0 || changed.length > reviewedColumns.length / 2 ? ['fingerprint'] : changed;
}

function checkOf(column: PlanColumn, cells: PlanCells): string {
  return digest([column, canonical(column, cells[column])]).slice(0, 2);
}

export function digest(data: unknown): string {
  return createHash('sha256').update(canonicalJson(data)).digest('hex');
}

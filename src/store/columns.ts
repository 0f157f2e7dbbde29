import type { Text } from '../contract/text.js';
import { isInsidePath } from '../domain/inside-path.js';
import { type Dated, factsOf, termDataOfText } from './document-dates.js';
import { isReason } from '../errors/reasons.js';
import { areFailures, isKnownStep } from './item-history.js';
import { type Cell, fromJson, type WholeRow } from './row.js';

export type Engine = 'sqlite' | 'postgres';

/** A column of a table: how the engines store it, and what those who read it rely on besides. */
export interface Column {
  /**
   * `seq`: the number that the engine gives a row. `json`: text, read as JSON; `shortJson`: such text that SQLite checks itself.
   * `one`: 1, in a table of one row.
   */
  readonly type: 'seq' | 'one' | 'int' | 'real' | 'flag' | 'boolean' | 'text' | 'json' | 'shortJson' | 'bytes';
  readonly isOptional?: true;
  readonly default?: string | number;
  /** The engine allows no other text. */
  readonly words?: readonly string[];
  /** The table and the column of the row without which this one is deleted. */
  readonly refers?: readonly [table: string, column: string];
  /** What PostgreSQL works it out from. */
  readonly generated?: string;
  /** Only this engine has it. */
  readonly of?: Engine;
  /** Who holds the row: a copy does not have it. */
  readonly isHolder?: true;
  readonly rule?: ColumnRule;
}

interface ColumnRule {
  readonly expected: Text;
  holds(cell: Exclude<Cell, null>, row: WholeRow): boolean;
}

export const seq: Column = { type: 'seq' };
export const one: Column = { type: 'one' };
export const real: Column = { type: 'real' };
export const flag: Column = { type: 'flag' };
export const boolean: Column = { type: 'boolean' };
export const text: Column = { type: 'text' };
export const json: Column = { type: 'json' };
export const bytes: Column = { type: 'bytes' };
export const int: Column = { type: 'int' };

export function maybe(column: Column): Column {
  return { ...column, isOptional: true };
}

export function oneOf(...words: readonly string[]): Column {
  return { type: 'text', words };
}

const FIRST_MOMENT = Date.UTC(2000, 0);
const LAST_MOMENT = Date.parse('9999-12-31T23:59:59.999Z');

const isIn = (cell: Cell, first: number, last: number): boolean =>
  typeof cell === 'number' && cell >= first && cell <= last;

const isWhole = (first: number) => (cell: Cell) => isIn(cell, first, Number.MAX_SAFE_INTEGER) && Number.isInteger(cell);

const isText = (pattern: RegExp) => (cell: Cell) => typeof cell === 'string' && pattern.test(cell);

/** A time that a clock showed when the row was written. */
export const moment = ruled('int', (cell) => isIn(cell, FIRST_MOMENT, LAST_MOMENT), {
  en: 'a time from the years 2000 to 9999 is expected',
  pt: 'espera-se um horário dos anos 2000 a 9999',
});

/** A time from which something may happen; 0: at once. */
export const due = ruled('int', (cell) => isIn(cell, 0, LAST_MOMENT), {
  en: 'a time or 0 is expected',
  pt: 'espera-se um horário ou 0',
});

/** Such a time with fractions of a millisecond. */
export const realDue: Column = { ...due, type: 'real' };

export const count = ruled('int', isWhole(0), {
  en: 'a whole number from 0 is expected',
  pt: 'espera-se um número inteiro a partir de 0',
});

export const first = ruled('int', isWhole(1), {
  en: 'a whole number from 1 is expected',
  pt: 'espera-se um número inteiro a partir de 1',
});

export const amount = ruled('real', (cell) => isIn(cell, 0, Number.MAX_VALUE), {
  en: 'a number from 0 is expected',
  pt: 'espera-se um número a partir de 0',
});

export const httpStatus = ruled('int', (cell) => isIn(cell, 100, 599) && Number.isInteger(cell), {
  en: 'an HTTP status is expected',
  pt: 'espera-se um status HTTP',
});

/** A text that is not blank. */
export const name = ruled('text', isText(/\S/), { en: 'a text is expected', pt: 'espera-se um texto' });

/** `rowFault` has read the column as JSON. */
export const object = ruled('json', isText(/^\s*\{/), {
  en: 'a JSON object is expected',
  pt: 'espera-se um objeto JSON',
});

export const shortObject: Column = { ...object, type: 'shortJson' };

export const itemStep = ruled('json', (cell) => typeof cell === 'string' && isKnownStep(fromJson(cell)), {
  en: 'a step of an item is expected',
  pt: 'espera-se um passo de um item',
});

export const reason = ruled('json', (cell) => typeof cell === 'string' && isReason(fromJson(cell)), {
  en: 'a reason is expected',
  pt: 'espera-se um motivo',
});

export const failures = ruled('json', (cell) => typeof cell === 'string' && areFailures(fromJson(cell)), {
  en: 'the failures of targets are expected',
  pt: 'esperam-se as falhas dos destinos',
});

export const texts = ruled(
  'shortJson',
  (cell) => {
    const list = typeof cell === 'string' ? fromJson(cell) : undefined;
    return Array.isArray(list) && list.every((each) => typeof each === 'string');
  },
  { en: 'a JSON list of texts is expected', pt: 'espera-se uma lista JSON de textos' },
);

export const sha256 = ruled('text', isText(/^[0-9a-f]{64}$/), {
  en: 'a SHA-256 in 64 hexadecimal digits is expected',
  pt: 'espera-se um SHA-256 em 64 dígitos hexadecimais',
});

export const insidePath = ruled('text', (cell) => typeof cell === 'string' && isInsidePath(cell), {
  en: 'a path inside the archive is expected',
  pt: 'espera-se um caminho dentro da pasta',
});

export const archivePlace = ruled('text', isText(/^(?:\/|[A-Za-z]:[\\/]|\\\\|s3:\/\/.)/), {
  en: 'an absolute path or the address of a bucket is expected',
  pt: 'espera-se um caminho absoluto ou o endereço de um bucket',
});

/** One of these words, which the engine does not check. */
export function among(...words: readonly string[]): Column {
  const list = words.join(', ');
  return ruled('text', (cell) => typeof cell === 'string' && words.includes(cell), {
    en: `one of ${list} is expected`,
    pt: `espera-se um de ${list}`,
  });
}

/** A column that the date of the document determines: a close finds the documents of its month by it. */
export function dated(type: 'int' | 'text', derived: (document: Dated) => string | number): Column {
  return ruled(
    type,
    (cell, row) => {
      const text = (name: string) => {
        const value = row[name];
        return typeof value === 'string' ? value : undefined;
      };
      const [issuedOn, authorizedOn, accessKey] = ['issued_on', 'authorized_on', 'access_key'].map(text);
      const facts = factsOf(text('xml_facts') ?? null);
      const id = text('id') ?? '';
      return cell === derived({ id, ...facts, issuedOn, authorizedOn, accessKey });
    },
    { en: 'it does not follow from the date of the document', pt: 'não decorre da data do documento' },
  );
}

/** A column that another one determines. */
export function from(column: string, derived: (source: string | undefined) => number | null): Column {
  return ruled(
    'int',
    (cell, row) => {
      const source = row[column];
      return cell === derived(typeof source === 'string' ? source : undefined);
    },
    { en: `it does not follow from ${column}`, pt: `não decorre de ${column}` },
  );
}

export const termData = ruled(
  'text',
  (cell, { data }) => typeof data !== 'string' || (termDataOfText(data) ?? cell) === cell,
  {
    en: 'the column for the terms of the document does not follow from its data',
    pt: 'a coluna dos prazos do documento não decorre dos dados dele',
  },
);

function ruled(type: Column['type'], holds: ColumnRule['holds'], expected: Text): Column {
  return { type, rule: { holds, expected } };
}

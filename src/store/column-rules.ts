import type { Text } from '../contract/text.js';
import { isInsidePath } from '../domain/inside-path.js';
import { type Dated, factsOf, issuedAtOf, nsuNumberOf, termDayOf } from './document-columns.js';
import { isKnownStep } from './item-history.js';
import type { RowFault } from './row-faults.js';
import { fromJson } from './row.js';
import type { WholeRow } from './whole-rows.js';

type Cell = WholeRow[string];

/** What those who read a column rely on, besides its type and the CHECK of the table. */
interface ColumnRule {
  readonly expected: Text;
  holds(cell: Exclude<Cell, null>, row: WholeRow): boolean;
}

const FIRST_MOMENT = Date.UTC(2000, 0);
const LAST_MOMENT = Date.parse('9999-12-31T23:59:59.999Z');

const isIn = (cell: Cell, first: number, last: number): boolean =>
  typeof cell === 'number' && cell >= first && cell <= last;

const isText = (pattern: RegExp) => (cell: Cell) => typeof cell === 'string' && pattern.test(cell);

/** A time that a clock showed when the row was written. */
const moment: ColumnRule = {
  expected: {
    en: 'a time from the years 2000 to 9999 is expected',
    pt: 'espera-se um horário dos anos 2000 a 9999',
  },
  holds: (cell) => isIn(cell, FIRST_MOMENT, LAST_MOMENT),
};

/** A time from which something may happen; 0: at once. */
const due: ColumnRule = {
  expected: { en: 'a time or 0 is expected', pt: 'espera-se um horário ou 0' },
  holds: (cell) => isIn(cell, 0, LAST_MOMENT),
};

const count: ColumnRule = {
  expected: { en: 'a whole number from 0 is expected', pt: 'espera-se um número inteiro a partir de 0' },
  holds: (cell) => isIn(cell, 0, Number.MAX_SAFE_INTEGER) && Number.isInteger(cell),
};

const first: ColumnRule = {
  expected: { en: 'a whole number from 1 is expected', pt: 'espera-se um número inteiro a partir de 1' },
  holds: (cell) => isIn(cell, 1, Number.MAX_SAFE_INTEGER) && Number.isInteger(cell),
};

const amount: ColumnRule = {
  expected: { en: 'a number from 0 is expected', pt: 'espera-se um número a partir de 0' },
  holds: (cell) => isIn(cell, 0, Number.MAX_VALUE),
};

const httpStatus: ColumnRule = {
  expected: { en: 'an HTTP status is expected', pt: 'espera-se um status HTTP' },
  holds: (cell) => isIn(cell, 100, 599) && Number.isInteger(cell),
};

const text: ColumnRule = {
  expected: { en: 'a text is expected', pt: 'espera-se um texto' },
  holds: isText(/\S/),
};

/** `rowFault` has read the column as JSON. */
const object: ColumnRule = {
  expected: { en: 'a JSON object is expected', pt: 'espera-se um objeto JSON' },
  holds: isText(/^\s*\{/),
};

const itemStep: ColumnRule = {
  expected: { en: 'a step of an item is expected', pt: 'espera-se um passo de um item' },
  holds: (cell) => typeof cell === 'string' && isKnownStep(fromJson(cell)),
};

const texts: ColumnRule = {
  expected: { en: 'a JSON list of texts is expected', pt: 'espera-se uma lista JSON de textos' },
  holds(cell) {
    const list = typeof cell === 'string' ? fromJson(cell) : undefined;
    return Array.isArray(list) && list.every((each) => typeof each === 'string');
  },
};

const sha256: ColumnRule = {
  expected: {
    en: 'a SHA-256 in 64 hexadecimal digits is expected',
    pt: 'espera-se um SHA-256 em 64 dígitos hexadecimais',
  },
  holds: isText(/^[0-9a-f]{64}$/),
};

const insidePath: ColumnRule = {
  expected: { en: 'a path inside the archive is expected', pt: 'espera-se um caminho dentro da pasta' },
  holds: (cell) => typeof cell === 'string' && isInsidePath(cell),
};

const archivePlace: ColumnRule = {
  expected: {
    en: 'an absolute path or the address of a bucket is expected',
    pt: 'espera-se um caminho absoluto ou o endereço de um bucket',
  },
  holds: isText(/^(?:\/|[A-Za-z]:[\\/]|\\\\|s3:\/\/.)/),
};

function oneOf(...words: readonly string[]): ColumnRule {
  const list = words.join(', ');
  return {
    expected: { en: `one of ${list} is expected`, pt: `espera-se um de ${list}` },
    holds: (cell) => typeof cell === 'string' && words.includes(cell),
  };
}

/** A column that the date of the document determines: a close finds the documents of its month by it. */
function dated(derived: (document: Dated) => string | number): ColumnRule {
  return {
    expected: {
      en: 'it does not follow from the date of the document',
      pt: 'não decorre da data do documento',
    },
    holds(cell, row) {
      const text = (name: string) => {
        const value = row[name];
        return typeof value === 'string' ? value : undefined;
      };
      const [issuedOn, authorizedOn, accessKey] = ['issued_on', 'authorized_on', 'access_key'].map(text);
      const facts = factsOf(text('xml_facts') ?? null);
      const id = text('id') ?? '';
      return cell === derived({ id, ...facts, issuedOn, authorizedOn, accessKey });
    },
  };
}

/** A column that another one determines. */
function from(column: string, derived: (source: string | undefined) => number | null): ColumnRule {
  return {
    expected: { en: `it does not follow from ${column}`, pt: `não decorre de ${column}` },
    holds(cell, row) {
      const source = row[column];
      return cell === derived(typeof source === 'string' ? source : undefined);
    },
  };
}

const itemState = oneOf(
  ...[
    'prepared',
    'sending',
    'pending',
    'succeeded',
    'rejected',
    'failed',
    'skipped',
    'uncertain',
    'cancelled',
  ],
);

type Rules = Readonly<Record<string, ColumnRule>>;

const ofFile: Rules = { archive: archivePlace, path: insidePath, sha256, bytes: count, archived_at: moment };

const rules: Readonly<Record<string, Rules>> = {
  identity: { id: text, first_send_at: moment, went_back_to: due, may_lack_until: due },
  jobs: {
    ...{ id: text, kind: text, operation: text, scope: object },
    ...{ created_at: moment, updated_at: moment, finished_at: moment },
  },
  items: {
    ...{ id: text, kind: text, dedupe_key: text, ordinal: count, attempts: count, epoch: count },
    ...{ http_status: httpStatus, due_at: due, sent_at: moment, settled_at: moment, updated_at: moment },
  },
  item_events: { at: moment, from_state: itemState, to_state: itemState, step: itemStep },
  workers: { pid: first, expires_at: due },
  pace: {
    ...{ blocked_until: due, next_slot_at: due, interval_ms: amount, asked_ms: amount },
    ...{ accepted: amount, refused_at: due, accepted_then: amount, agreeing: amount, limit_per_ms: amount },
  },
  usage: { at: moment, operation: text },
  history: {
    ...{ at: moment, operation: text, method: text, url: text, attempt: first, duration_ms: count },
    ...{ sent: oneOf('no', 'yes', 'unknown'), status: httpStatus, deprecation: object },
  },
  known: { kind: text, id: text, data: object, first_seen_at: moment, seen_at: moment },
  documents: {
    ...{ id: text, data: object, version: first, ...ofFile },
    ...{ issued_at: dated(issuedAtOf), term_day: dated(termDayOf), nsu_number: from('nsu', nsuNumberOf) },
    xml_facts: object,
    ...{ pdf_path: insidePath, pdf_sha256: sha256, pdf_bytes: count },
    ...{ first_seen_at: moment, updated_at: moment },
  },
  document_events: { document_id: text, event_key: text, ...ofFile, first_seen_at: moment },
  owed: { since: due, tries: count, tried_at: moment, next_at: due, written_off_at: moment },
  cursors: { position: object, at: moment },
  answers: { digest: text, fetched_at: moment },
  webhook_events: {
    ...{ id: text, received_at: moment, attempts: count, copies: first, due_at: due, done_by: texts },
    ...{ settled_at: moment },
  },
  timeline: { uptime_ms: amount, store_ms: due, first_uptime_ms: amount, first_ms: due },
};

/** A value that `rowFault` takes and that no program writes there. */
export function columnFault(table: string, row: WholeRow): RowFault | undefined {
  for (const [column, { expected, holds }] of Object.entries(rules[table] ?? {})) {
    const cell = row[column];
    if (cell === null || cell === undefined || holds(cell, row)) continue;
    return { column, reason: withValue(cell, expected) };
  }
  return undefined;
}

/** Texts may be of documents and people: only a number is shown. */
function withValue(cell: Cell, { en, pt }: Text): Text {
  return typeof cell === 'number' ? { en: `${en}, not ${cell}`, pt: `${pt}, e não ${cell}` } : { en, pt };
}

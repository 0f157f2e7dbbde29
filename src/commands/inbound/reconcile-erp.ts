import type { Text } from '../../contract/text.js';
import { isNumber, parseExactJson } from '../../domain/json-numbers.js';
import { bareKey, checkKey, looksLikeKey, wasRounded } from '../../domain/access-key.js';
import { isRecord } from '../../domain/record.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { textField } from '../../jobs/kinds/answer-fields.js';
import type { Context } from '../../services/context.js';
import { type CellReader, rounded } from '../../services/input/cell-reader.js';
import { LineProblems } from '../../services/input/line-problems.js';
import { type Line, readLines, peek } from '../../services/input/lines.js';
import type { Reading, RecordRules } from '../../services/input/record.js';
import { readRecords } from '../../services/input/records.js';
import { openSource, type Source } from '../../services/input/source.js';
import { DAY_MS } from '../../domain/dates.js';

/** The content of the ERP file, in order. Times in milliseconds; `until` is excluded. */
export type ErpPart =
  | { readonly kind: 'header'; readonly since: number; readonly until: number; readonly taxNumber?: string }
  | ErpDocument;

export interface ErpDocument {
  readonly kind: 'document';
  readonly line: number;
  /** As written, without punctuation; not validated yet. */
  readonly key: string;
  readonly isOwn: boolean;
  /** A SPED file says that another one issued it. */
  readonly isOthers: boolean;
  /** The ERP knows that it is cancelled or denied. */
  readonly isAnnulled: boolean;
  readonly isPaper: boolean;
  /** The company columns of the row, as written; may be empty. */
  readonly companies: readonly string[];
}

/**
 * Opens the ERP's list: a SPED Fiscal file (recognised by its first register), or keys as CSV, NDJSON or JSON.
 * Errors: `input.*`.
 */
export async function readErp(
  context: Context,
  file: string,
  cells: CellReader,
): Promise<{ readonly isSped: boolean; readonly parts: AsyncIterable<ErpPart> }> {
  const source = await openSource(context, file, { again: false });
  const { head, bytes } = await peek(source.bytes());
  if (head.trim() === '') throw new FiscalError('input.empty', { path: source.name }, { sent: 'no' });
  if (isSped(head)) return { isSped: true, parts: readSped(bytes, source.name) };
  return { isSped: false, parts: readKeys({ ...source, bytes: () => bytes }, cells) };
}

async function* readKeys(source: Source, cells: CellReader): AsyncIterable<ErpPart> {
  const rules = new KeyRules(cells);
  const problems = new LineProblems();
  for await (const record of readRecords(source, rules, undefined, cells)) {
    yield* rules.takeFirst();
    const problem = 'value' in record ? lostDigits(record.value) : record.problem;
    if (problem !== undefined) problems.add(record.line, [{ field: '', message: problem }]);
    else if ('value' in record) yield plain(record.line, record.value);
  }
  yield* rules.takeFirst();
  // A row that cannot be read may hold any key: what the others lack would be a guess.
  if (problems.lines > 0) throw problems.error(source.name);
}

/** Of a key that a spreadsheet has rounded: it would be no key, and the one that it was would be missing. */
function lostDigits(value: unknown): Text | undefined {
  const { column, text } = keyIn(value);
  return wasRounded(checkKey(text)) ? rounded(column, text) : undefined;
}

function plain(line: number, value: unknown): ErpDocument {
  const [key, companies] = [bareKey(keyIn(value).text), companiesIn(value)];
  return { kind: 'document', line, key, companies, isOwn: false, isOthers: false, isAnnulled: false, isPaper: false };
}

/** Names of the key column in ERPs, in lower case without punctuation. */
const columnNames = [
  ...['accesskey', 'key', 'chave', 'chaveacesso', 'chavedeacesso', 'chavenfe', 'chavecte', 'chavenfse'],
  ...['chvnfe', 'chvcte', 'chnfe', 'chcte', 'chnfse'],
];

/** Names of the company column, including those of our own records. */
const companyColumns = [
  ...['company', 'companyid', 'companyname', 'companytaxnumber'],
  ...['empresa', 'empresaid', 'idempresa', 'nomeempresa', 'nomedaempresa', 'cnpjempresa', 'cnpjdaempresa'],
];

/**
 * One column holds the key, others may name the company; the rest is ignored. A file without a header begins with a key, and may
 * have titles of one cell above it: a wider row is a header whose column of keys has an unknown name.
 */
class KeyRules implements RecordRules {
  #first: ErpDocument | undefined;
  #isRead: readonly boolean[] = [];
  #sawHeader = false;

  constructor(private readonly cells: CellReader) {}

  parse(text: string): unknown {
    return parseExactJson(text);
  }

  rows(header: readonly string[], name: string): (cells: readonly string[]) => Reading {
    const keyAt = header.findIndex((cell) => looksLikeKey(bareKey(cell)));
    const isList = keyAt !== -1 && !this.#sawHeader;
    const at = isList ? keyAt : header.findIndex((cell) => columnNames.includes(plainName(cell)));
    if (at === -1) {
      this.#sawHeader ||= header.filter((cell) => cell !== '').length > 1;
      throw new FiscalError('input.missing_column', { path: name, columns: 'accessKey (chave)' }, { sent: 'no' });
    }
    if (isList) this.#first = plain(this.cells.row.line, header[at]);
    const titles = isList ? [] : header;
    this.#isRead = header.map((_, index) => index === at || isCompanyColumn(titles[index] ?? ''));
    return (cells) => ({
      value: {
        [isList ? 'key' : (header[at] ?? '')]: cells[at] ?? '',
        ...Object.fromEntries(
          titles.flatMap((title, index) => (isCompanyColumn(title) ? [[title, cells[index] ?? '']] : [])),
        ),
      },
    });
  }

  ignores(at: number): boolean {
    return this.#isRead[at] !== true;
  }

  /** The row that is no header. */
  *takeFirst(): Iterable<ErpDocument> {
    if (this.#first !== undefined) yield this.#first;
    this.#first = undefined;
  }
}

/** JSON keeps every digit of a number. */
function keyIn(value: unknown): { readonly column: string; readonly text: string } {
  const isAlone = typeof value === 'string' || isNumber(value);
  const [column, found] = isAlone
    ? ['accessKey', value]
    : (Object.entries(isRecord(value) ? value : {}).find(([name]) => columnNames.includes(plainName(name))) ?? []);
  return { column: column ?? '', text: typeof found === 'string' || isNumber(found) ? String(found) : '' };
}

function companiesIn(value: unknown): readonly string[] {
  if (!isRecord(value)) return [];
  const cells = Object.entries(value).flatMap(([name, cell]) => {
    if (!isCompanyColumn(name) || cell === null || cell === undefined) return [];
    // Rows of the service have a company object.
    if (isRecord(cell)) return [textField(cell, 'id') ?? textField(cell, 'federalTaxNumber') ?? ''];
    return [typeof cell === 'string' ? cell.trim() : JSON.stringify(cell)];
  });
  return [...new Set(cells)].filter((cell) => cell !== '');
}

function isCompanyColumn(name: string): boolean {
  return companyColumns.includes(plainName(name));
}

function plainName(name: string): string {
  return name
    .normalize('NFD')
    .replaceAll(/[^A-Za-z]/g, '')
    .toLowerCase();
}

/** Codes for cancelled, denied or never used (EFD ICMS/IPI, table 4.1.2). */
const annulled = ['02', '03', '04', '05'];
const OWN_ISSUE = '0';

/** The position of the key; fields count from 1, which is the name of the register. */
const keyFields: Readonly<Record<string, number>> = { C100: 9, D100: 10 };

export function isSped(head: string): boolean {
  return head.startsWith('|0000|');
}

/**
 * The keys of a SPED Fiscal file (EFD ICMS/IPI): C100 with NF-e, D100 with CT-e, and its period. The file is latin-1; what is
 * read of it is ASCII, so accents do not matter. Whatever follows `|9999|` is the signature of the file.
 * Errors: `input.syntax` when the file has no beginning or no end of its own.
 */
async function* readSped(bytes: AsyncIterable<Uint8Array>, name: string): AsyncIterable<ErpPart> {
  for await (const line of readLines(bytes, { name, limitMib: 1 })) {
    const fields = line.text.split('|');
    const [, register = ''] = fields;
    if (register === '9999') return;
    if (register === '0000') yield headerOf(fields, name);
    const place = keyFields[register];
    if (place !== undefined) yield documentOf(line, fields, place);
  }
  // Without its last register the file is truncated, and its missing rows would be reported as missing in the ERP.
  throw damaged(name, { en: 'it ends before |9999|', pt: 'ele termina antes de |9999|' });
}

function headerOf(fields: readonly string[], name: string): ErpPart {
  const since = dayOf(fields[4]);
  const last = dayOf(fields[5]);
  if (since === undefined || last === undefined) {
    throw damaged(name, { en: '|0000| has no period', pt: '|0000| não tem período' });
  }
  const taxNumber = fields[7] === '' ? fields[8] : fields[7];
  return { kind: 'header', since, until: last + DAY_MS, ...(taxNumber && { taxNumber }) };
}

function documentOf({ line }: Line, fields: readonly string[], place: number): ErpPart {
  const situation = fields[6] ?? '';
  return {
    kind: 'document',
    line,
    key: fields[place]?.trim() ?? '',
    isOwn: fields[3] === OWN_ISSUE,
    isOthers: fields[3] !== OWN_ISSUE,
    isAnnulled: annulled.includes(situation),
    // Paper invoices are among the rows and have no key.
    isPaper: !['55', '57', '65', '67'].includes(fields[5] ?? ''),
    companies: [],
  };
}

/** `01102026` as milliseconds. */
function dayOf(text = ''): number | undefined {
  const [, day = '', month = '', year = ''] = /^(\d{2})(\d{2})(\d{4})$/.exec(text) ?? [];
  const time = Date.parse(`${year}-${month}-${day}T00:00:00Z`);
  return Number.isNaN(time) ? undefined : time;
}

function damaged(path: string, reason: { readonly en: string; readonly pt: string }): FiscalError {
  return new FiscalError('input.syntax', { path, format: 'SPED Fiscal', reason }, { sent: 'no' });
}

import { parseForeignJson } from '../../domain/json-numbers.js';
import type { Text } from '../../contract/text.js';
import { canonicalJson } from '../../domain/canonical-json.js';
import { counted } from '../../domain/counted.js';
import type { DocumentFact } from '../../domain/document-fact.js';
import { checkCnpj } from '../../domain/tax-number.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { invalidValue } from '../../errors/invalid-value.js';
import { localCompanies, companyOfRow } from '../../services/scope/companies.js';
import type { Context } from '../../services/context.js';
import {
  readDocumentFact,
  type DocumentValues,
  type ReadDocument,
  lastSyncedAt,
  storedFacts,
  syncLine,
} from '../../services/documents/facts.js';
import { type IsOwn, ownNotes } from '../../services/documents/own-notes.js';
import { LineProblems } from '../../services/input/line-problems.js';
import type { Cells, InputRecord, Reading } from '../../services/input/record.js';
import { readRecords } from '../../services/input/records.js';
import { openSource } from '../../services/input/source.js';
import { knownCompanies } from '../../services/scope/account.js';

/** The names that a column or a field may have, without case, accents, spaces and signs. */
const names: Readonly<Record<string, readonly string[]>> = {
  accessKey: ['accesskey', 'key', 'chave', 'chavedeacesso', 'chaveacesso'],
  companyId: ['companyid', 'company', 'empresa', 'empresaid'],
  issuerTaxNumber: [
    'issuertaxnumber',
    'issuer',
    'supplier',
    'emitente',
    'fornecedor',
    'prestador',
    'cnpjemitente',
    'cnpjfornecedor',
    'cnpjprestador',
  ],
  recipientTaxNumber: [
    'recipienttaxnumber',
    'recipient',
    'buyer',
    'destinatario',
    'tomador',
    'cnpjdestinatario',
    'cnpjtomador',
  ],
  totalAmountText: ['totalamounttext', 'totalamount', 'totalinvoiceamount', 'amount', 'valor', 'valortotal'],
  issuedOn: ['issuedon', 'emissao', 'dataemissao', 'datadeemissao'],
  authorizedOn: ['authorizedon', 'autorizacao', 'dataautorizacao', 'datadeautorizacao'],
  status: ['status', 'situacao'],
  nsu: ['nsu'],
  // Derived from the key; listed so that its column is known.
  type: ['type', 'tipo'],
};

const FRESH_MS = 86_400_000;

/** The source of the documents to check. */
interface DocumentSource {
  /** A path, or `-`; absent: the documents in the store. */
  readonly input: string | undefined;
  /** Instead of the named companies. */
  readonly allCompanies: boolean;
}

/** Ids; absent: of all. */
type Companies = readonly string[] | undefined;

/** The documents to check, with notices about the source. */
export interface Documents {
  readonly facts: readonly DocumentFact[];
  /** False: no sync has run, so the absence of documents proves nothing. */
  readonly isKnown: boolean;
  /** False: no sync has read the lists of some company in the last 24 hours, so that newer documents may be missing. */
  readonly isFresh: boolean;
  readonly notices: readonly Text[];
}

/**
 * The documents of `input` (a path, or `-`), else those that the store knows, of the company that is set, if any.
 * Errors: `input.*` with the line of every record that cannot be read.
 */
export async function readDocuments(
  context: Context,
  { input, allCompanies }: DocumentSource,
): Promise<Documents> {
  const companies = (await localCompanies(context, allCompanies))?.map(({ id }) => id);
  return input === undefined
    ? await fromStore(context, companies)
    : await fromFile(context, input, companies);
}

async function fromStore(context: Context, companies: Companies): Promise<Documents> {
  const facts: DocumentFact[] = [];
  const left = { unreadable: 0 };
  for await (const fact of storedFacts(context, companies === undefined ? {} : { companies }, left))
    facts.push(fact);
  const hasRows = facts.length > 0 || left.unreadable > 0;
  const held = [...new Set(facts.map(({ companyId = '' }) => companyId))];
  const { unsynced, stale } = await staleOf(context, companies ?? held, new Set(held));
  const isKnown =
    companies === undefined ? hasRows : unsynced.length === 0 || (companies.length === 1 && hasRows);
  return {
    facts,
    isKnown,
    isFresh: stale.length === 0,
    notices: [
      ...(left.unreadable === 0 ? [] : [cannotBeJudged(left.unreadable)]),
      ...(isKnown ? [] : [neverSynced(unsynced, await syncLine(context, unsynced))]),
      ...(stale.length === 0 ? [] : [isOld(stale.length, await syncLine(context, stale))]),
    ],
  };
}

/** A company is stale when documents of it are known, and no sync has read its lists in the last 24 hours. */
async function staleOf(context: Context, companies: readonly string[], held: ReadonlySet<string>) {
  const unsynced: string[] = [];
  const stale: string[] = [];
  for (const id of companies) {
    const at = await lastSyncedAt(context, id);
    if (at === undefined && !held.has(id)) unsynced.push(id);
    else if (at === undefined || context.clock.now() - at > FRESH_MS) stale.push(id);
  }
  return { unsynced, stale };
}

async function fromFile(context: Context, input: string, companies: Companies): Promise<Documents> {
  const company = companies?.length === 1 ? companies[0] : undefined;
  const source = await openSource(context, input, { again: false });
  const problems = new LineProblems();
  const ignored = new Set<string>();
  const facts = new Map<string, DocumentFact>();
  const rules = { parse: parseForeignJson, rows };
  try {
    for await (const record of readRecords(source, rules, undefined)) {
      const { line } = record;
      const read = await readRecord(context, record, { company, ignored });
      if ('problems' in read) {
        problems.add(line, read.problems);
        continue;
      }
      const { accessKey, companyId } = read.fact;
      const key = `${accessKey} ${companyId ?? ''}`;
      if (companies !== undefined && companyId === undefined) problems.add(line, [companyRequired]);
      else if (isOther(facts.get(key), read.fact)) problems.add(line, [contradicts]);
      else facts.set(key, read.fact);
    }
  } finally {
    await source.close();
  }
  if (problems.lines > 0) throw problems.error(source.name);
  if (facts.size === 0) throw new FiscalError('input.empty', { path: source.name });
  const isMine = ({ companyId }: DocumentFact): boolean =>
    companies === undefined || (companyId !== undefined && companies.includes(companyId));
  const mine = [...facts.values()].filter(isMine);
  return {
    facts: mine,
    isKnown: true,
    isFresh: true,
    notices: ignored.size === 0 ? [] : [notUsed([...ignored])],
  };
}

interface RecordReading {
  /** The company of records without one. */
  readonly company: string | undefined;
  /** Receives the unused columns. */
  readonly ignored: Set<string>;
}

async function readRecord(
  context: Context,
  record: InputRecord,
  { company, ignored }: RecordReading,
): Promise<ReadDocument> {
  if ('problem' in record) return { problems: [{ field: '', message: record.problem }] };
  const { value } = record;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { problems: [{ field: '', message: mustBeObject }] };
  }
  for (const name of Object.keys(value)) if (fieldOf(name) === undefined) ignored.add(name.slice(0, 40));
  const values = valuesOf(value);
  const own = await companyOfRow(context, values['companyId'], { local: true });
  if (own !== undefined && 'problem' in own)
    return { problems: [{ field: 'companyId', message: own.problem }] };
  return readDocumentFact({ ...values, companyId: own?.companyId }, company);
}

/** Requires only the key in the header: lists of documents come from many systems with their own columns. */
function rows(header: readonly string[], name: string): (cells: Cells) => Reading {
  if (!header.some((title) => fieldOf(title) === 'accessKey')) {
    throw new FiscalError('input.missing_column', { columns: 'accessKey', path: name });
  }
  return (cells) => ({
    value: Object.fromEntries(header.map((title, index) => [title, cells[index]?.trim()])),
  });
}

function valuesOf(record: unknown): DocumentValues {
  if (typeof record !== 'object' || record === null) return {};
  return Object.fromEntries(
    Object.entries(record).flatMap(([name, value]) => {
      const field = fieldOf(name);
      return field === undefined ? [] : [[field, value] as const];
    }),
  );
}

function fieldOf(title: string): string | undefined {
  const word = title
    .normalize('NFD')
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase();
  return Object.keys(names).find((field) => names[field]?.includes(word));
}

function isOther(earlier: DocumentFact | undefined, fact: DocumentFact): boolean {
  return earlier !== undefined && canonicalJson(earlier) !== canonicalJson(fact);
}

const companyRequired = {
  field: 'companyId',
  message: {
    en: 'is required where several companies are named',
    pt: 'é obrigatório quando várias empresas são informadas',
  },
};

const contradicts = {
  field: 'accessKey',
  message: {
    en: 'appears in an earlier record with other values',
    pt: 'aparece em um registro anterior com outros valores',
  },
};

const mustBeObject: Text = { en: 'must be an object', pt: 'deve ser um objeto' };

function notUsed(columns: readonly string[]): Text {
  const list = columns.slice(0, 10).join(', ') + (columns.length > 10 ? ', …' : '');
  return { en: `not used: ${list}`, pt: `não usado: ${list}` };
}

function cannotBeJudged(count: number): Text {
  return counted(count, {
    en: [
      '# document of the store lacks required fields and is left out',
      '# documents of the store lack required fields and are left out',
    ],
    pt: [
      '# documento do estado local não tem o necessário para a análise e fica de fora',
      '# documentos do estado local não têm o necessário para a análise e ficam de fora',
    ],
  });
}

function neverSynced(companies: readonly string[], sync: string): Text {
  const list = companies.join(', ');
  const [en, pt] = companies.length === 0 ? ['', ''] : [` of ${list}`, ` de ${list}`];
  return {
    en: `this machine knows no document${en}: ${sync}, or give --input`,
    pt: `esta máquina não conhece nenhum documento${pt}: ${sync}, ou informe --input`,
  };
}

function isOld(count: number, sync: string): Text {
  return {
    en: `companies whose documents no sync has read in the last 24 hours, so newer ones may be missing: ${count}; continue with ${sync}`,
    pt: `empresas cujos documentos nenhuma sincronização leu nas últimas 24 horas, de modo que podem faltar mais novos: ${count}; continue com ${sync}`,
  };
}

/** The word for all companies of the account. */
const ACCOUNT = 'account';

/**
 * Own are the notes of every company of the account that this machine knows, of the CNPJs among `words`, and with `account` of
 * those that the service lists now. Establishments of one company share the first 8 characters of their CNPJ.
 * Errors: `usage.invalid_value`, and those of the call.
 */
export async function readOwn(context: Context, words: readonly string[]): Promise<IsOwn> {
  const numbers = words.filter((word) => word !== ACCOUNT).map(cnpjOf);
  const listed = words.includes(ACCOUNT) ? await (await context.scope()).all() : [];
  return ownNotes([...(await knownCompanies(context)), ...listed], numbers);
}

function cnpjOf(word: string): string {
  const { valid, value } = checkCnpj(word);
  if (valid) return value;
  const expected = {
    en: 'a CNPJ, or account for the companies of the account',
    pt: 'um CNPJ, ou account para as empresas da conta',
  };
  throw invalidValue('--own', word, expected);
}

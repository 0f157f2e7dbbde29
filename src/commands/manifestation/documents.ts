import type { InboundFamily } from '../../contract/inbound.js';
import { parseForeignJson } from '../../domain/json-numbers.js';
import type { Text } from '../../contract/text.js';
import { canonicalJson } from '../../domain/canonical-json.js';
import { counted } from '../../domain/counted.js';
import type { DocumentFact } from '../../domain/document-fact.js';
import { checkCnpj } from '../../domain/tax-number.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { invalidValue } from '../../errors/invalid-value.js';
import { localCompanies, companyOfRow } from '../../services/scope/companies.js';
import { Activity, isStale } from '../../services/company/activity.js';
import type { Context } from '../../services/context.js';
import {
  readDocumentFact,
  type DocumentValues,
  type ReadDocument,
  storedFacts,
  syncLine,
} from '../../services/documents/facts.js';
import { type IsOwn, ownNotes } from '../../services/documents/own-notes.js';
import { unsyncedText } from '../../services/documents/unsynced.js';
import { CellReader, type TableForm } from '../../services/input/cell-reader.js';
import { LineProblems } from '../../services/input/line-problems.js';
import type { Cells, InputRecord, Reading } from '../../services/input/record.js';
import { readRecords } from '../../services/input/records.js';
import { openSource } from '../../services/input/source.js';
import { knownCompanies } from '../../services/scope/account.js';
import { companiesHere } from '../../services/scope/here.js';

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

/** The source of the documents to check. */
interface DocumentSource extends TableForm {
  /** A path, or `-`; absent: the documents in the store. */
  readonly input: string | undefined;
  /** Instead of the named companies. */
  readonly allCompanies: boolean;
  /** Those whose documents are judged. */
  readonly families: readonly InboundFamily[];
}

/** The documents to check. */
interface Documents extends StoreEvidence {
  readonly facts: readonly DocumentFact[];
}

/**
 * The documents of `input` (a path, or `-`), else those that the store knows, of the company that is set, if any.
 * Errors: `input.*` with the line of every record that cannot be read.
 */
export async function readDocuments(context: Context, source: DocumentSource): Promise<Documents> {
  const { input, allCompanies, families } = source;
  const companies = (await localCompanies(context, allCompanies))?.map(({ id }) => id);
  return input === undefined
    ? await fromStore(context, companies, families)
    : await fromFile(context, { ...source, input }, companies);
}

async function fromStore(
  context: Context,
  companies: Companies,
  families: readonly InboundFamily[],
): Promise<Documents> {
  const facts: DocumentFact[] = [];
  const left = { unreadable: 0 };
  for await (const fact of storedFacts(context, companies === undefined ? {} : { companies }, left)) facts.push(fact);
  return { facts, ...(await storeEvidence(context, { companies, families, ...left })) };
}

async function fromFile(
  context: Context,
  { input, ...form }: TableForm & { readonly input: string },
  companies: Companies,
): Promise<Documents> {
  const cells = new CellReader(form);
  const company = companies?.length === 1 ? companies[0] : undefined;
  const source = await openSource(context, input, { again: false });
  const problems = new LineProblems();
  const ignored = new Set<string>();
  const facts = new Map<string, DocumentFact>();
  const rules = { parse: parseForeignJson, rows };
  try {
    for await (const record of readRecords(source, rules, undefined, cells)) {
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
  for (const text of cells.conversions.texts(source.name)) await context.notice(text);
  if (facts.size === 0) throw new FiscalError('input.empty', { path: source.name });
  const isMine = ({ companyId }: DocumentFact): boolean =>
    companies === undefined || (companyId !== undefined && companies.includes(companyId));
  const mine = [...facts.values()].filter(isMine);
  return { facts: mine, isKnown: true, isFresh: true, notices: ignored.size === 0 ? [] : [notUsed([...ignored])] };
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
  if (own !== undefined && 'problem' in own) return { problems: [{ field: 'companyId', message: own.problem }] };
  return readDocumentFact({ ...values, companyId: own?.companyId }, company);
}

/** Requires only the key in the header: lists of documents come from many systems with their own columns. */
function rows(header: readonly string[], name: string): (cells: Cells) => Reading {
  if (!header.some((title) => fieldOf(title) === 'accessKey')) {
    throw new FiscalError('input.missing_column', { columns: 'accessKey', path: name });
  }
  return (cells) => ({ value: Object.fromEntries(header.map((title, index) => [title, cells[index]?.trim()])) });
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

/** Ids; absent: of all. */
type Companies = readonly string[] | undefined;

/** What the documents of the store prove. */
interface StoreEvidence {
  /** False: no sync has run, so the absence of documents proves nothing. */
  readonly isKnown: boolean;
  /**
   * False: no sync has read the lists of some company to their end in the last 24 hours, so that newer documents may be missing; or
   * a document cannot be judged.
   */
  readonly isFresh: boolean;
  readonly notices: readonly Text[];
}

interface EvidenceRequest {
  readonly companies: Companies;
  /** Those whose documents are judged. */
  readonly families: readonly InboundFamily[];
  /** So many documents cannot be judged. */
  readonly unreadable: number;
}

/** Whether the store knows the documents of these companies, and how old that is. */
export async function storeEvidence(
  context: Context,
  { companies, families, unreadable }: EvidenceRequest,
): Promise<StoreEvidence> {
  const { storeNamespace: profile } = await context.settings();
  const store = await context.store();
  const all = companies ?? (await companiesHere(context)).map(({ id }) => id);
  const activity = await Activity.read(store, profile, all);
  const held = new Set(await store.documents.companies(profile));
  const unsynced: string[] = [];
  const stale: string[] = [];
  for (const id of all) {
    const basis = activity.basisOf(id, families);
    if ('at' in basis) {
      if (isStale(basis, context.clock.now())) stale.push(id);
    } else if (basis.doubt === 'never_synced' && !held.has(id)) unsynced.push(id);
    else if (basis.doubt !== 'not_captured') stale.push(id);
  }
  const isKnown = all.length > 0 && unsynced.length === 0;
  return {
    isKnown,
    isFresh: stale.length === 0 && unreadable === 0,
    notices: [
      ...(unreadable === 0 ? [] : [cannotBeJudged(unreadable)]),
      ...(isKnown ? [] : [neverSynced(unsynced, await syncLine(context, unsynced))]),
      ...(stale.length === 0 ? [] : [isOld(stale.length, await syncLine(context, stale))]),
    ],
  };
}

function cannotBeJudged(count: number): Text {
  return counted(count, {
    en: [
      '# document of the store lacks what a term is computed from, such as its date, and is left out',
      '# documents of the store lack what a term is computed from, such as their date, and are left out',
    ],
    pt: [
      '# documento do estado local não tem o que forma o prazo, como a data, e fica de fora',
      '# documentos do estado local não têm o que forma o prazo, como a data, e ficam de fora',
    ],
  });
}

function neverSynced(companies: readonly string[], sync: string): Text {
  const { en, pt } = unsyncedText(companies, sync);
  return { en: `${en}, or give --input`, pt: `${pt}, ou informe --input` };
}

function isOld(count: number, sync: string): Text {
  return {
    en: `companies whose documents no sync has read in the last 24 hours, so newer ones may be missing: ${count}; continue with ${sync}`,
    pt: `empresas cujos documentos nenhuma sincronização leu nas últimas 24 horas, de modo que podem faltar mais novos: ${count}; continue com ${sync}`,
  };
}

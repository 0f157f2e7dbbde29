import { parseDuration } from '../core/clock.js';
import { inventCompany } from '../core/companies.js';
import type { Core } from '../core/core.js';
import { type Family, families } from '../core/records.js';
import { invalid } from '../core/refusal.js';
import type { Stage, StoredDocument } from '../document/documents.js';
import { inventDocument, inventEvent, nextNsu } from '../document/invent-document.js';
import { billHistory, captureDocument, historyShape } from '../inbound/capture.js';
import { enabledBy, saveSettings } from '../inbound/settings.js';
import { scheduleAutomatic } from '../manifestation/send.js';
import { type ControlRequest, type Fields, choiceField, fieldsOf, numberField, textField } from './control.js';
import { shownDocument, stageField } from './documents.js';

const most = 1_000_000;
const minuteMs = 60_000;
const longestSpreadMs = 3_650 * 86_400_000;

const names = ['scenario', 'month', 'companies', 'products', 'documents', 'family', 'stage', 'spread', 'seed'];

/**
 * `{companies, products, documents, family, stage, spread, seed}`: adds invented companies, valid products and
 * captured documents. The same seed creates the same data; document keys also contain the month of the service clock.
 * `{scenario: 'month', month?}` seeds an accounting office in that month; `{scenario: 'history', month?}` seeds NFS-e
 * from before that month, all hidden by the cut-off. With `{stage: 'summary'}` no NF-e has a manifestation of the
 * recipient yet; by default the authority has delivered the full notes.
 */
export function addSeed(core: Core, request: ControlRequest): object {
  const fields = fieldsOf(request.body, names);
  const count = (name: string) => numberField(fields, name, { from: 0, to: most, whole: true }) ?? 0;
  const [companies, products, documents] = [count('companies'), count('products'), count('documents')];
  const seed = numberField(fields, 'seed', { from: 0, to: Number.MAX_SAFE_INTEGER, whole: true });
  const scenario = choiceField(fields, 'scenario', ['month', 'history']);
  const family = choiceField(fields, 'family', families) ?? 'nfe';
  const stage = stageField(fields, scenario === 'history' ? 'nfse' : family);
  if (scenario !== undefined) {
    if (seed !== undefined) core.chance.reseed(seed);
    const office = { month: monthOf(core, fields), documents, companies: Math.max(1, companies) };
    const seeded = scenario === 'month' ? seedMonth(core, { ...office, stage }) : seedHistory(core, office);
    return { ...seeded, seed: core.chance.seed() };
  }
  const spreadMs = spreadOf(fields);
  if (seed !== undefined) core.chance.reseed(seed);
  const { tenantId } = core.account;
  addCompanies(core, companies);
  for (let made = 1; made <= products; made += 1) addProduct(core, tenantId, made);
  const captured = addDocuments(core, { family, stage, count: documents, spreadMs });
  return { companies, products, documents, seed: core.chance.seed(), ...(documents === 0 ? {} : { captured }) };
}

function monthOf(core: Core, fields: Fields): string {
  const month = textField(fields, 'month') ?? lastMonth(core);
  if (/^20\d\d-(0[1-9]|1[0-2])$/.test(month)) return month;
  throw invalid('month', 'Must be a month such as 2026-10.');
}

/** The time between the newest and the oldest document. With the default, every deadline is still open. */
function spreadOf(fields: Fields): number {
  const spreadMs = parseDuration(textField(fields, 'spread') ?? '7d');
  if (spreadMs === undefined || spreadMs > longestSpreadMs) {
    throw invalid('spread', 'Must be a duration such as 7d, of ten years at most.');
  }
  return spreadMs;
}

interface Documents {
  readonly family: Family;
  readonly stage: Stage;
  readonly count: number;
  readonly spreadMs: number;
}

/**
 * Adds documents at regular intervals, the oldest last. The first documents of a company are captured on issue; later
 * ones are captured now, so that a reader that continues from its position finds them.
 */
function addDocuments(core: Core, { family, stage, count, spreadMs }: Documents): readonly object[] {
  const { companyId } = core.account;
  const now = core.clock.now();
  const captured = core.documents.lastNsu(companyId, family) > 0 ? { createdOn: now, modifiedOn: now } : {};
  const before = core.documents.count();
  return Array.from({ length: count }, (_, index) => {
    const issuedOn = now - minuteMs - Math.floor((index * spreadMs) / count);
    const ordinal = before + index + 1;
    const document = inventDocument(core, { family, companyId, ordinal, issuedOn, direction: 'incoming' });
    return shownDocument(captureDocument(core, { ...document, ...captured, stage }));
  });
}

function addProduct(core: Core, tenantId: string, ordinal: number): void {
  const id = core.chance.uuid();
  const content = {
    sku: `SEED-${String(ordinal).padStart(6, '0')}`,
    description: `Produto de exemplo ${ordinal}`,
    origin: 'National',
    tax: { ncm: '22030000' },
    customTax: [
      {
        operationCode: 121,
        issuer: [{ taxRegime: 'RealProfit', taxProfile: 'wholesale' }],
        recipient: [{ taxProfile: 'retail' }],
        intraState: { cfop: '5102', icms: { cst: '00', pICMS: '18.00' } },
      },
    ],
  };
  core.products.put({ id, tenantId, content, status: 'Active', errorMessage: null, revision: 1 });
}

/** Two years. */
const spanMs = 730 * 86_400_000;
/** Time between two captures. */
const captureMs = 10;

/**
 * Seeds new clients: companies with only NFS-e from the two years before their cut-off, which defaults to the first
 * day of the month. All documents are captured, hidden and billed as history.
 */
function seedHistory(core: Core, { month, companies: count, documents }: Month): object {
  const { start } = boundsOf(core, month);
  const companies = officeCompanies(core, count);
  const first = core.documents.count() + 1;
  let ordinal = first;
  for (const [index, companyId] of companies.entries()) {
    const share = Math.floor(documents / count) + (index < documents % count ? 1 : 0);
    addHistory(core, { companyId, cutOff: cutOffOf(core, companyId, start), ordinal, count: share });
    ordinal += share;
  }
  return { month, companies: companies.length, documents: ordinal - first, hidden: ordinal - first };
}

function cutOffOf(core: Core, companyId: string, start: number): number {
  const given = core.captures.settings(companyId, 'nfse')?.given ?? {};
  const { startFromDate } = given;
  if (typeof startFromDate === 'string') return Date.parse(startFromDate);
  const chosen = { ...given, startFromDate: new Date(start).toISOString() };
  saveSettings(core, { companyId, family: 'nfse' }, chosen);
  return start;
}

interface Share {
  readonly companyId: string;
  readonly cutOff: number;
  readonly ordinal: number;
  readonly count: number;
}

/** Oldest first, in the order of the national environment. */
function addHistory(core: Core, { companyId, cutOff, ordinal, count }: Share): void {
  const nsu = nextNsu(core, companyId, 'nfse');
  const now = core.clock.now();
  const shape = historyShape(core, { companyId, family: 'nfse' });
  const born = Array.from({ length: count }, (_, index): StoredDocument => {
    const issuedOn = cutOff - minuteMs - spanMs + Math.floor((index * spanMs) / count);
    const wanted = { family: 'nfse', companyId, ordinal: ordinal + index, issuedOn } as const;
    const invented = inventDocument(core, { ...wanted, direction: 'incoming', nsu: nsu + index });
    const createdOn = now - (count - index) * captureMs;
    const document = { ...invented, ...shape, createdOn, modifiedOn: createdOn };
    core.documents.put(document);
    return document;
  });
  billHistory(core, born);
}

export interface Month {
  /** `2026-10`. */
  readonly month: string;
  /** Number of listed documents of all companies. Hidden and uncaptured ones are extra. */
  readonly documents: number;
  /** Number of companies, including that of the account. */
  readonly companies: number;
}

interface StagedMonth extends Month {
  /** The stage of the NF-e. */
  readonly stage: Stage;
}

const hourMs = 3_600_000;
const dayMs = 86_400_000;
/** The capture is enabled this many days before the month, for the hidden documents. */
const daysBefore = 7;
/** One in n documents has the property. */
const oneIn = {
  cancelled: 40,
  corrected: 25,
  withoutNsu: 50,
  pdfPending: 60,
  received: 12,
  hidden: 100,
  uncaptured: 20,
};

/**
 * Seeds a month of an accounting office: companies with all three families active and the first day as cut-off;
 * documents on every day, some cancelled, some corrected, some without NSU; one percent more from the previous month,
 * hidden by the cut-off; and some NFS-e that are not captured. The same seed creates the same month. If a company
 * already has documents, new ones are captured now, whenever they were issued.
 */
export function seedMonth(core: Core, month: StagedMonth): object {
  const { start, end } = boundsOf(core, month.month);
  const companies = officeCompanies(core, month.companies);
  for (const companyId of companies) activate(core, companyId, start);
  const first = core.documents.count() + 1;
  const office: Office = { companies, start, end, stage: month.stage, numbers: new Map(), late: new Set() };
  const listed = addListed(core, office, { ordinal: first, count: month.documents });
  const afterwards = first + month.documents;
  const hidden = Math.floor(month.documents / oneIn.hidden);
  addHidden(core, office, { ordinal: afterwards, count: hidden });
  const uncaptured = Math.floor(listed.byFamily.nfse / oneIn.uncaptured);
  addUncaptured(core, office, { ordinal: afterwards + hidden, count: uncaptured });
  return { month: month.month, companies: companies.length, documents: month.documents, ...listed, hidden, uncaptured };
}

interface Office {
  readonly companies: readonly string[];
  readonly start: number;
  readonly end: number;
  readonly stage: Stage;
  /** The last NSU by company and family, to avoid a query per document. */
  readonly numbers: Map<string, number>;
  /** Companies and families that already have documents: new ones are captured now. */
  readonly late: Set<string>;
}

/** A number of documents, numbered from `ordinal`. */
interface Batch {
  readonly ordinal: number;
  readonly count: number;
}

interface Listed {
  readonly byFamily: Readonly<Record<Family, number>>;
  readonly events: number;
}

function addListed(core: Core, office: Office, { ordinal: first, count }: Batch): Listed {
  const { start, end } = office;
  const byFamily = { nfe: 0, cte: 0, nfse: 0 };
  let events = 0;
  for (let ordinal = first; ordinal < first + count; ordinal += 1) {
    const chance = chanceOf(core, ordinal);
    const family = familyOf(chance('family'));
    const issuedOn = start + Math.floor(chance('time') * (end - start));
    const companyId = companyOf(core, office, ordinal - first);
    const document = varied(core, office, { family, companyId, ordinal, issuedOn });
    core.documents.put(document);
    scheduleAutomatic(core, document);
    byFamily[family] += 1;
    events += addEvents(core, document, ordinal);
  }
  return { byFamily, events };
}

/** Assigns documents to companies round-robin. */
function companyOf(core: Core, { companies }: Office, index: number): string {
  return companies[index % companies.length] ?? core.account.companyId;
}

export function boundsOf(core: Core, month: string): { readonly start: number; readonly end: number } {
  const [year = 0, ordinal = 0] = month.split('-').map(Number);
  const start = Date.UTC(year, ordinal - 1, 1, 3);
  const end = Math.min(Date.UTC(year, ordinal, 1, 3), core.clock.now() - hourMs);
  if (start < end) return { start, end };
  throw invalid('month', 'Must not be in the future.');
}

/** The last complete month by the clock of the service. */
export function lastMonth(core: Core): string {
  const now = new Date(core.clock.now());
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 1)).toISOString().slice(0, 7);
}

function activate(core: Core, companyId: string, start: number): void {
  const startFromDate = new Date(start).toISOString();
  for (const family of families) {
    if (core.captures.settings(companyId, family)?.given['startFromDate'] === undefined)
      saveSettings(core, { companyId, family }, { startFromDate });
    // Its documents, those before the month included, are captured on the day of issue.
    enabledBy(core, { companyId, family }, start - daysBefore * dayMs);
  }
}

function chanceOf(core: Core, ordinal: number): (label: string) => number {
  return (label) => core.chance.unit(`month:${ordinal}:${label}`);
}

function familyOf(unit: number): Family {
  if (unit < 0.6) return 'nfe';
  return unit < 0.75 ? 'cte' : 'nfse';
}

type Wanted = Pick<StoredDocument, 'family' | 'companyId' | 'issuedOn'> & { readonly ordinal: number };

function varied(core: Core, { numbers, late, end, stage }: Office, wanted: Wanted): StoredDocument {
  const { family, companyId, ordinal } = wanted;
  const chance = chanceOf(core, ordinal);
  const is = (kind: keyof typeof oneIn): boolean => chance(kind) * oneIn[kind] < 1;
  const name = `${family}:${companyId}`;
  const last = numbers.get(name) ?? core.documents.lastNsu(companyId, family);
  if (!numbers.has(name) && last > 0) late.add(name);
  const nsu = last + 1;
  numbers.set(name, nsu);
  const invented = inventDocument(core, { ...wanted, direction: 'incoming', nsu });
  const latest = Math.max(end, invented.authorizedOn);
  const atOnce = Math.min(invented.authorizedOn + Math.floor(chance('delay') * dayMs), latest);
  const createdOn = late.has(name) ? core.clock.now() : atOnce;
  const isReceived = is('received');
  return {
    ...invented,
    nsu: is('withoutNsu') ? null : nsu,
    cancelled: is('cancelled'),
    stage: family === 'nfe' ? stage : 'full',
    ...(isReceived ? { status: 'Received' } : {}),
    ...(is('pdfPending') && family !== 'cte' ? { status: 'PdfPending' } : {}),
    createdOn,
    modifiedOn: createdOn,
  };
}

/** Adds at most one event; returns the number. The NFS-e of an invented month have none. */
function addEvents(core: Core, document: StoredDocument, ordinal: number): number {
  if (document.family === 'nfse') return 0;
  const isCorrected = !document.cancelled && chanceOf(core, ordinal)('corrected') * oneIn.corrected < 1;
  if (!document.cancelled && !isCorrected) return 0;
  const event = inventEvent(document, document.cancelled ? 'cancellation' : 'correction');
  if (event === undefined) return 0;
  core.documentEvents.add(event);
  return 1;
}

/** §4: documents before the cut-off are captured, hidden, `Skipped` and billed as history. */
function addHidden(core: Core, office: Office, { ordinal, count }: Batch): void {
  const born = Array.from({ length: count }, (_, index) => {
    const family = families[index % families.length] ?? 'nfe';
    const issuedOn = office.start - hourMs - index * minuteMs;
    const companyId = companyOf(core, office, index);
    const document = varied(core, office, { family, companyId, ordinal: ordinal + index, issuedOn });
    core.documents.put({ ...document, visibility: 'hidden', webhookStatus: 'Skipped', status: 'Processed' });
    return document;
  });
  billHistory(core, born);
}

function addUncaptured(core: Core, office: Office, { ordinal, count }: Batch): void {
  for (let index = 0; index < count; index += 1) {
    const companyId = companyOf(core, office, index);
    const issuedOn = office.start + (index % 20) * hourMs;
    const document = inventDocument(core, {
      family: 'nfse',
      companyId,
      ordinal: ordinal + index,
      issuedOn,
      direction: 'incoming',
      nsu: null,
    });
    core.documents.put({ ...document, visibility: 'uncaptured' });
  }
}

/** The existing companies, the account's first, plus new ones up to `count`. */
export function officeCompanies(core: Core, count: number): readonly string[] {
  const { tenantId } = core.account;
  const existing = core.companies.page(tenantId, count) ?? [];
  const added = addCompanies(core, Math.max(0, count - existing.length));
  return [...existing.map(({ id }) => id), ...added];
}

/** Adds invented companies, each with a valid certificate. */
export function addCompanies(core: Core, count: number): readonly string[] {
  const ids = Array.from({ length: count }, () => core.chance.uuid());
  for (const id of ids) {
    const company = inventCompany(core.account.tenantId, id);
    core.companies.put(company);
    core.certificates.begin(company, core.clock.now());
  }
  return ids;
}

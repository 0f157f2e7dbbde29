import { type Family, families } from '../core/records.js';
import { parseDuration } from '../core/clock.js';
import type { Core } from '../core/core.js';
import { invalid } from '../core/refusal.js';
import type { Stage, StoredDocument } from '../document/documents.js';
import { inventDocument, nextNsu } from '../document/invent-document.js';
import { billHistory, captureDocument, historyShape } from '../inbound/capture.js';
import { saveSettings } from '../inbound/settings.js';
import {
  choiceField,
  type ControlRequest,
  type Fields,
  fieldsOf,
  numberField,
  textField,
} from './control.js';
import { shownDocument, stageField } from './documents.js';
import { addCompanies, boundsOf, lastMonth, type Month, officeCompanies, seedMonth } from './seed-month.js';

const most = 1_000_000;
const minuteMs = 60_000;
const longestSpreadMs = 3_650 * 86_400_000;

const names = [
  'scenario',
  'month',
  'companies',
  'products',
  'documents',
  'family',
  'stage',
  'spread',
  'seed',
];

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
  return {
    companies,
    products,
    documents,
    seed: core.chance.seed(),
    ...(documents === 0 ? {} : { captured }),
  };
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

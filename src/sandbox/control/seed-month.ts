import { type Family, families } from '../core/records.js';
import type { Core } from '../core/core.js';
import { invalid } from '../core/refusal.js';
import type { Stage, StoredDocument } from '../document/documents.js';
import { inventDocument, inventEvent } from '../document/invent-document.js';
import { billHistory } from '../inbound/capture.js';
import { enabledBy, saveSettings } from '../inbound/settings.js';
import { inventCompany } from '../core/companies.js';
import { scheduleAutomatic } from '../manifestation/automatic.js';

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
const minuteMs = 60_000;
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
  return {
    month: month.month,
    companies: companies.length,
    documents: month.documents,
    ...listed,
    hidden,
    uncaptured,
  };
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

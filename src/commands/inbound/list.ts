import type { InboundFamily } from '../../contract/inbound.js';
import type { Text } from '../../contract/text.js';
import { counted } from '../../domain/counted.js';
import {
  type ClockRange,
  type DocumentDate as OwnDate,
  clockRangeOf,
  isDatedWithin,
} from '../../domain/document-date.js';
import type { Outcome } from '../../domain/outcome.js';
import { isClosedFilter } from '../../domain/odata.js';
import { readMoment } from '../../services/input/moment.js';
import { ExitCode } from '../../errors/exit-code.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { invalidValue } from '../../errors/invalid-value.js';
import type { Context } from '../../services/context.js';
import { firstOf } from '../../client/list-rows.js';
import { companiesOf } from '../../services/scope/companies.js';
import { labelOf } from '../../services/scope/resolver.js';
import type { AccountCompany } from '../../services/scope/scope.js';
import { type Conditions, listLocal, onlyFirst } from './list-local.js';
import { type ListReport, documentListPages, newReport, undatedRows } from './list-documents.js';
import { type ListGiven, amountOf, matching, rowMatch, stateOfRow } from './list-match.js';
import { eventKeyOf, seenRow } from './seen-rows.js';
import type { DocumentGroup } from '../../store/documents.js';
import { recordOf } from '../../services/documents/record.js';
import { type ShownDocument, shownDocument } from '../../services/documents/shown.js';
import { ListTotals } from '../../services/lists/totals.js';
import { dateOf } from '../../store/document-dates.js';
import type { DocumentQuery } from './list-query.js';
import { DAY_MS } from '../../domain/dates.js';

const DEFAULT_LIMIT = 100;

/** The captured documents of a company, as a stream; with `local`, those that this machine knows, without network. */
export async function listInbound(context: Context, given: ListGiven): Promise<Outcome> {
  const conditions = conditionsOf(given, context.clock.now());
  const { by, type } = given;
  const limit = given.all ? Number.POSITIVE_INFINITY : (given.limit ?? DEFAULT_LIMIT);
  const match = rowMatch(given);
  if (given.summaries && type !== undefined && type !== 'nfe') throw invalidValue('--type', type, onlyNfe);
  if (given.local || given.summaries) return await listLocal(context, given, { conditions, limit, match });
  if (by === 'seen') throw new FiscalError('usage.invalid', { message: onlySeenHere }, { sent: 'no' });
  assertListed(given);
  const companies = await companiesOf(context, { all: given.allCompanies });
  const query = { ...withMargin(conditions, by), by, maxPages: given.maxPages };
  const report = { ...newReport(), forbidden: [] };
  const reading = { given: 0, isCut: false };
  const totals = new ListTotals({ amountOf, stateOf: stateOfRow });
  const range = by === 'issued' ? clockRangeOf(conditions) : {};
  const isFiltered = match.options.length > 0 || hasEnd(range);
  const families = type === undefined ? allFamilies : [type];
  const listed = documentsOf(context, companies, {
    // A short list needs no long page; one extra row shows whether it is cut.
    query: isFiltered || limit >= 500 ? query : { ...query, pageSize: limit + 1 },
    ...{ families, range, report },
  });
  return {
    data: totals.over(firstOf(isFiltered ? matching(listed, match) : listed, limit, reading)),
    // Known only after the last document.
    get exitCode() {
      return report.unreadable + report.forbidden.length === 0 ? ExitCode.ok : ExitCode.partial;
    },
    get sentence() {
      const isWhole = !reading.isCut && report.unreadable + report.forbidden.length === 0;
      return totals.sentence({ isWhole });
    },
    get notices() {
      return [
        ...(match.options.length > 0 ? [appliedHere(match.options)] : []),
        ...noticesOf(report, reading.isCut && given.limit === undefined ? limit : undefined),
      ];
    },
  };
}

const allFamilies: readonly InboundFamily[] = ['nfe', 'cte', 'nfse'];

/** Of one company. */
type CompanyQuery = Omit<DocumentQuery, 'companyId' | 'family'>;

interface AllReport extends ListReport {
  /** Families that the key may not list, where none was named, with the reason. */
  readonly forbidden: Text[];
}

interface Listing {
  readonly query: CompanyQuery;
  readonly families: readonly InboundFamily[];
  /** Of the dates of issue, by the clocks of the documents. */
  readonly range: ClockRange;
  readonly report: AllReport;
}

/** One company after another, family by family; each row names its company, and its family where there are several. */
async function* documentsOf(
  context: Context,
  companies: readonly AccountCompany[],
  { query, families, range, report }: Listing,
): AsyncGenerator<Readonly<Record<string, unknown>>> {
  for (const company of companies) {
    for (const family of families) {
      const own = families.length === 1 ? {} : { family };
      try {
        const list = { ...query, family, companyId: company.id };
        for await (const row of shownRows(context, list, { range, report }))
          yield { ...own, ...row, ...labelOf(company) };
      } catch (error) {
        const isOne = error instanceof FiscalError && error.code === 'service.forbidden';
        if (!isOne || families.length === 1) throw error;
        const { en, pt } = error.text;
        report.forbidden.push({ en: `${family} is not listed: ${en}`, pt: `${family} não foi listado: ${pt}` });
      }
    }
  }
}

/** The rows of one company and family, as the service and this machine have them, that the range holds. */
async function* shownRows(
  context: Context,
  query: DocumentQuery,
  { range, report }: Pick<Listing, 'range' | 'report'>,
): AsyncGenerator<object> {
  const { family, companyId } = query;
  const { storeNamespace: profile } = await context.settings();
  const group = { profile, companyId, family };
  for await (const page of documentListPages(context, query, report)) {
    for (const { row, date, shown } of await readRecords(context, group, page))
      if (date === undefined || !hasEnd(range) || isDatedWithin(date, range)) yield { ...row, ...shown };
  }
  if (!hasEnd(range)) return;
  for await (const { row } of undatedRows(context, group, range)) {
    const [read] = await readRecords(context, group, [row]);
    yield { ...row, ...read?.shown };
  }
}

function hasEnd({ since, until }: ClockRange): boolean {
  return since !== undefined || until !== undefined;
}

/** The service is asked by a moment; a document is dated by its own clock, and a day more at both ends holds all of them. */
function withMargin<Range extends ClockRange>(range: Range, by: ListGiven['by']): Range {
  const { since, until } = range;
  if (by !== 'issued') return range;
  return {
    ...range,
    since: since === undefined ? undefined : since - DAY_MS,
    until: until === undefined ? undefined : until + DAY_MS,
  };
}

/** What a list says of an event among its rows. */
interface ShownEvent {
  readonly state: 'event';
  readonly eventKey: string;
}

interface ReadRow {
  readonly row: object;
  readonly date?: OwnDate;
  readonly shown?: ShownDocument | ShownEvent;
}

/** What rows of the list are, with the XML and the events that this machine has of them. An event among the rows has no date. */
async function readRecords(
  context: Context,
  group: DocumentGroup,
  rows: readonly object[],
): Promise<readonly ReadRow[]> {
  const { documents } = await context.store();
  const seen = rows.map((row) => ({ row, listed: seenRow(row) }));
  const ids = seen.flatMap(({ listed }) => (listed?.document === undefined ? [] : [listed.document.id]));
  const stored = await documents.withIds(group, ids);
  return seen.map(({ row, listed }) => {
    const eventKey = listed && eventKeyOf(listed);
    if (eventKey !== undefined) return { row, shown: { state: 'event', eventKey } };
    const document = listed?.document;
    if (document === undefined) return { row };
    const { facts, eventCodes = [], unreadEvents = 0, isRefusedAsCancelled } = stored.get(document.id) ?? {};
    const known = { ...(facts && { facts }), ...(isRefusedAsCancelled && { isRefusedAsCancelled }) };
    const record = { ...document, family: group.family, eventCodes, unreadEvents, ...known };
    return { row, date: dateOf(record), shown: shownDocument(recordOf(record)) };
  });
}

/** The conditions of the flags, checked before any request. */
function conditionsOf(given: ListGiven, now: number): Conditions {
  const { status, webhookStatus, environment, issuer, nsuAfter, filter, orderBy } = given;
  if (nsuAfter !== undefined && !/^\d{1,15}$/.test(nsuAfter)) throw invalidValue('--nsu-after', nsuAfter, anNsu);
  if (filter !== undefined && !isClosedFilter(filter)) throw invalidValue('--filter', filter, aFilter);
  return {
    ...{ status, webhookStatus, environment, nsuAfter, filter, orderBy },
    issuer: issuer?.replaceAll(/[.\-/\s]/g, '').toUpperCase(),
    since: timeOf('--since', given.since, now),
    until: timeOf('--until', given.until, now),
  };
}

/** Only the numbered list of NFS-e knows the environment; the others would ignore it silently. */
function assertListed({ type, environment, by, filter, orderBy }: ListGiven): void {
  if (environment === undefined) return;
  if (type === 'nfse' && filter === undefined && orderBy === undefined && by !== 'modified') return;
  throw new FiscalError('usage.invalid', { message: onlyNumbered }, { sent: 'no' });
}

const onlySeenHere: Text = {
  en: '--by seen is known to this machine alone: add --local, or use --by created',
  pt: '--by seen só esta máquina sabe: acrescente --local, ou use --by created',
};

const onlyNumbered: Text = {
  en: '--environment is only for --type nfse, without --filter, --order-by and --by modified',
  pt: '--environment vale só com --type nfse, sem --filter, --order-by nem --by modified',
};

function timeOf(name: string, text: string | undefined, now: number): number | undefined {
  return text === undefined ? undefined : readMoment(name, text, now);
}

function noticesOf(report: AllReport, cutAt: number | undefined): readonly Text[] {
  const unreadable = counted(report.unreadable, {
    en: [
      '# row of the list is not a document with a key and was left out',
      '# rows of the list are not documents with a key and were left out',
    ],
    pt: [
      '# linha da lista não é documento com chave e ficou de fora',
      '# linhas da lista não são documentos com chave e ficaram de fora',
    ],
  });
  return [
    ...(cutAt === undefined ? [] : [onlyFirst(cutAt)]),
    ...(report.unreadable === 0 ? [] : [unreadable]),
    ...report.forbidden,
  ];
}

function appliedHere(options: readonly string[]): Text {
  const names = options.join(', ');
  return {
    en: `${names}: applied here, to the rows of the list; the service does not know it`,
    pt: `${names}: aplicado aqui, às linhas da lista; o serviço não tem esse filtro`,
  };
}

const onlyNfe: Text = { en: 'only NF-e have summaries', pt: 'só NF-e têm resumo' };

const anNsu: Text = { en: 'up to 15 digits are expected', pt: 'esperam-se até 15 algarismos' };

const aFilter: Text = {
  en: 'a quote or a parenthesis in it is not closed',
  pt: 'uma aspa ou um parêntese não foi fechado',
};

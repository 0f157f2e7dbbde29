import type { Text } from '../../contract/text.js';
import { addDays, dayAt, daysBetween } from '../../domain/dates.js';
import { downloadTerm, lawDeadlines, countedFrom, deadlinesOf } from '../../domain/deadline.js';
import { clockRangeOf } from '../../domain/document-date.js';
import type { DocumentFact } from '../../domain/document-fact.js';
import type { Outcome } from '../../domain/outcome.js';
import { isRecord, present } from '../../domain/record.js';
import { ExitCode } from '../../errors/exit-code.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { Prose } from '../../domain/prose.js';
import { reasonWords } from '../../errors/reasons.js';
import { localCompanies } from '../../services/scope/companies.js';
import type { Context } from '../../services/context.js';
import { DocumentEvents, type EventBasis, type EventsOfDocument } from '../../services/documents/events.js';
import { openTerms, owesTerms, type TermState } from '../../services/documents/open-terms.js';
import { factOfRow } from '../../services/documents/facts.js';
import { documentPages } from '../../services/documents/pages.js';
import { recordOf } from '../../services/documents/record.js';
import { shownDocument } from '../../services/documents/shown.js';
import { unsyncedOf } from '../../services/documents/unsynced.js';
import type { DocumentFilter, DocumentRow } from '../../store/documents.js';
import { firstOf } from '../../client/list-rows.js';
import { amountOf, type ListGiven, matching, type RowMatch, stateOfRow } from './list-match.js';
import type { DocumentQuery } from './list-query.js';
import { ListTotals } from '../../services/lists/totals.js';

/** What the flags ask of any list, read. */
export type Conditions = Omit<DocumentQuery, 'family' | 'companyId' | 'by'>;

interface LocalList {
  readonly conditions: Conditions;
  readonly limit: number;
  readonly match: RowMatch;
}

type Shown = Readonly<Record<string, unknown>>;

const PAGE = 500;

/**
 * The documents that this machine knows from syncs, newest issue first within company and family, and what they add up to. Exit 3
 * where a company was never synced.
 */
export async function listLocal(
  context: Context,
  given: ListGiven,
  { conditions, limit, match }: LocalList,
): Promise<Outcome> {
  assertOffline(given);
  const { storeNamespace: profile } = await context.settings();
  const companies = (await localCompanies(context, given.allCompanies))?.map(({ id }) => id);
  const { since, until, status, webhookStatus, issuer, nsuAfter } = conditions;
  const dated = clockRangeOf({ since, until });
  const family = given.summaries ? 'nfe' : given.type;
  const filter: DocumentFilter = {
    profile,
    ...present({ companies, families: family && [family], status, webhookStatus, issuer }),
    ...present(given.by === 'seen' ? { seenSince: since, seenUntil: until } : dated),
    ...present({ nsuAfter: nsuAfter === undefined ? undefined : Number(nsuAfter) }),
    // One row more shows whether the list goes on.
    limit: Math.min(PAGE, limit + 1),
  };
  const unsynced = await unsyncedOf(context, companies);
  const found = given.summaries ? rows(context, { ...filter, summaries: true }, summaryTerms) : rows(context, filter);
  const isCutByDefault = given.limit === undefined;
  const totals = new ListTotals<Shown>({ amountOf, stateOf: stateOfRow });
  const reading = { given: 0, isCut: false };
  const data = totals.over(firstOf(matching(found, match), limit, reading));
  return {
    data,
    exitCode: unsynced === undefined ? ExitCode.ok : ExitCode.partial,
    get sentence() {
      return unsynced === undefined ? totals.sentence({ isWhole: !reading.isCut }) : undefined;
    },
    get notices() {
      return [
        ...(unsynced?.isAll === true ? [] : [onlyThisMachine]),
        ...(reading.isCut && isCutByDefault ? [onlyFirst(limit)] : []),
        ...(unsynced === undefined ? [] : [unsynced.notice]),
      ];
    },
  };
}

export function onlyFirst(count: number): Text {
  return {
    en: `only the first ${count} are shown; all of them: --all`,
    pt: `só os primeiros ${count} são mostrados; todos: --all`,
  };
}

async function* rows(context: Context, filter: DocumentFilter, termsOf?: typeof summaryTerms): AsyncGenerator<Shown> {
  const { documents } = await context.store();
  const label = await (await context.scope()).labels();
  for await (const page of documentPages(documents, filter)) {
    const terms = await termsOf?.(context, page);
    for (const row of page)
      yield { ...shown(row), ...terms?.get(row), ...shownDocument(recordOf(row)), ...label(row.companyId) };
  }
}

/** The metadata as the service returned it, and the state of the files. */
function shown(row: DocumentRow): Shown {
  const { data, family, companyId, accessKey, id, state, path, sha256, bytes, xmlKind, signature, reason } = row;
  const own = { family, companyId, accessKey: accessKey ?? id };
  return {
    ...own,
    ...(isRecord(data) ? data : {}),
    archive: { state, xmlKind, path, sha256, bytes, signature, reason: reason && new Prose(reasonWords(reason)) },
  };
}

/** Offline, only the flags can be answered, and only by the date of issue or of the first sight. */
function assertOffline({ filter, orderBy, by, since, until }: ListGiven): void {
  const isOtherDate = by !== 'issued' && by !== 'seen' && (since !== undefined || until !== undefined);
  const names = [
    ...(filter === undefined ? [] : ['--filter']),
    ...(orderBy === undefined ? [] : ['--order-by']),
    ...(isOtherDate ? [`--by ${by}`] : []),
  ].join(', ');
  if (names === '') return;
  const message: Text = {
    en: `${names} cannot be answered offline: omit it, or omit --local and --summaries`,
    pt: `${names} não pode ser respondido sem rede: retire isso, ou retire --local e --summaries`,
  };
  throw new FiscalError('usage.invalid', { message }, { sent: 'no' });
}

const onlyThisMachine: Text = {
  en: 'these are the documents of the last sync on this machine (fiscal inbound sync)',
  pt: 'estes são os documentos da última sincronização nesta máquina (fiscal inbound sync)',
};

/** What remains to do for an NF-e with only a summary in the archive. Days in Brasília; 0: today is the last day. */
interface SummaryTerms {
  readonly awareness?: {
    /** done: an event is registered that makes the authority release the full XML, or replaces the Ciência. */
    readonly state: TermState | 'done';
    readonly deadline: string;
    readonly daysLeft: number;
    readonly basis: EventBasis;
  };
  /** How long the authority keeps the full XML. */
  readonly fullXml?: { readonly deadline: string; readonly daysLeft: number };
}

/** The terms of summaries, from the store. Makes no request. */
async function summaryTerms(
  context: Context,
  page: readonly DocumentRow[],
): Promise<ReadonlyMap<DocumentRow, SummaryTerms>> {
  const facts = page.flatMap((row) => {
    const fact = factOfRow(row);
    return fact === undefined ? [] : [[row, fact] as const];
  });
  const known = await DocumentEvents.about(
    context,
    facts.map(([, fact]) => fact),
  );
  const today = dayAt(context.clock.now());
  return new Map(facts.map(([row, fact]) => [row, summaryTermsOf(fact, known.of(fact), today)]));
}

function summaryTermsOf(fact: DocumentFact, known: EventsOfDocument, today: string): SummaryTerms {
  const deadlines = deadlinesOf(fact, lawDeadlines);
  const [term] = deadlines.filter(({ eventClass }) => eventClass === 'awareness');
  const start = countedFrom(fact);
  if (term === undefined || start === undefined || !owesTerms(known)) return {};
  const open = openTerms({ fact, deadlines, known, today });
  const state = open.find(({ eventClass }) => eventClass === 'awareness')?.state ?? 'done';
  const release = addDays(start, downloadTerm.days);
  const { lastDay: deadline } = term;
  return {
    awareness: { state, deadline, daysLeft: daysBetween(today, deadline), basis: known.basis },
    fullXml: { deadline: release, daysLeft: daysBetween(today, release) },
  };
}

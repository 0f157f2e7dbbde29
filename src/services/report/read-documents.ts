import { typeOfKey } from '../../domain/access-key.js';
import { dayAt } from '../../domain/dates.js';
import { type Deadline, deadlinesByDay, lawDeadlines } from '../../domain/deadline.js';
import { parseDecimalText } from '../../domain/decimal-text.js';
import { type DocumentFact, isRegistered } from '../../domain/document-fact.js';
import { eventOfCode } from '../../domain/event-codes.js';
import { mayStand } from '../../domain/document-state.js';
import type { DocumentTerm, EventAnswer, Manifestation, ReportDocument } from '../../report/facts.js';
import { entryName } from '../closing/found-close.js';
import { clockRange, type Month } from '../closing/month.js';
import type { Context } from '../context.js';
import { type AnsweredEvent, answeredEvents } from '../documents/event-answers.js';
import { DocumentEvents, type EventsOfDocument } from '../documents/events.js';
import { factOfRow } from '../documents/facts.js';
import { recordOf } from '../documents/record.js';
import { openTerms, type OpenTerm } from '../documents/open-terms.js';
import { type IsOwn, ownNotes } from '../documents/own-notes.js';
import { documentPages } from '../documents/pages.js';
import { knownCompanies } from '../scope/account.js';
import type { AccountCompany } from '../scope/scope.js';
import type { DocumentRow } from '../../store/documents.js';
import type { StoredDocument } from './close-facts.js';

/** Documents whose events are read at once. */
const BATCH = 1_000;

export interface StoredMonth {
  readonly stored: readonly StoredDocument[];
  /** Documents that lack what a deadline is computed from. */
  readonly withoutTerms: number;
}

export interface MonthRequest {
  readonly month: Month;
  readonly company: AccountCompany;
  /** What the close has proven, by `entryName`. */
  readonly proven: { has(name: string): boolean };
  /** By which terms run out, in milliseconds. */
  readonly at: number;
}

/** The documents of the month that this machine knows, by their date of issue, with their events. Makes no request. */
export async function readMonthDocuments(context: Context, request: MonthRequest): Promise<StoredMonth> {
  const { month, company, proven } = request;
  const { storeNamespace: profile } = await context.settings();
  const { documents } = await context.store();
  const reading = await openReading(context, request);
  const stored: StoredDocument[] = [];
  let withoutTerms = 0;
  const filter = { profile, companies: [company.id], ...clockRange(month), limit: BATCH };
  for await (const page of documentPages(documents, filter)) {
    context.interruption.throwIfAborted();
    const known = await knownOf(context, page);
    const answers = await answeredEvents(context, { companyId: company.id, keys: page.map(({ id }) => id) });
    for (const row of page) {
      const { lacksTerm, ...judged } = judgeRow(row, known, reading);
      if (lacksTerm) withoutTerms += 1;
      const isProven = proven.has(entryName({ type: row.family, key: row.id }));
      stored.push({
        status: row.status,
        document: { ...plainOf(row), isProven, ...judged, answers: (answers.get(row.id) ?? []).map(shownAnswer) },
      });
    }
  }
  return { stored, withoutTerms };
}

function shownAnswer({ event: { eventCode }, answer }: AnsweredEvent): EventAnswer {
  const { code, text, protocol } = answer;
  const type = eventOfCode(eventCode);
  const event = type?.label ?? { en: String(eventCode), pt: String(eventCode) };
  return { event, code, text, protocol, isRegistered: code === undefined || isRegistered({ answerCode: code }) };
}

interface Reading {
  readonly isOwn: IsOwn;
  readonly deadlinesOf: (fact: DocumentFact) => readonly Deadline[];
  readonly today: string;
}

async function openReading(context: Context, { company, at }: MonthRequest): Promise<Reading> {
  return {
    isOwn: ownNotes([...(await knownCompanies(context)), company]),
    deadlinesOf: deadlinesByDay(lawDeadlines),
    today: dayAt(at),
  };
}

interface Known {
  readonly events: DocumentEvents;
  readonly facts: ReadonlyMap<DocumentRow, DocumentFact>;
}

async function knownOf(context: Context, page: readonly DocumentRow[]): Promise<Known> {
  const facts = new Map<DocumentRow, DocumentFact>();
  for (const row of page) {
    const fact = row.family === 'cte' ? undefined : factOfRow(row);
    if (fact !== undefined) facts.set(row, fact);
  }
  const events = await DocumentEvents.about(context, [...facts.values()]);
  return { events, facts };
}

interface Judged extends Pick<ReportDocument, 'state' | 'manifestation' | 'terms'> {
  readonly lacksTerm: boolean;
}

function judgeRow(row: DocumentRow, known: Known, reading: Reading): Judged {
  const fact = known.facts.get(row);
  const { state } = recordOf(row).state;
  if (fact === undefined) {
    const lacksTerm = isManifested(row) && mayStand(state);
    return { state, manifestation: lacksTerm ? 'unknown' : 'not-due', terms: [], lacksTerm };
  }
  const events = known.events.of(fact);
  const isDue = !reading.isOwn(fact) && mayStand(state);
  const manifestation = manifestationOf(events, isDue);
  if (!isDue) return { state, manifestation, terms: [], lacksTerm: false };
  const deadlines = reading.deadlinesOf(fact);
  const open = openTerms({ fact, deadlines, known: events, today: reading.today });
  return { state, manifestation, terms: termsOf(open), lacksTerm: false };
}

/** A CT-e and an NFC-e take no event of the recipient. */
function isManifested({ family, accessKey, id }: DocumentRow): boolean {
  return family === 'nfse' || (family === 'nfe' && typeOfKey(accessKey ?? id) !== 'nfce');
}

const finalEvents: ReadonlyMap<number, Manifestation> = new Map([
  [210200, 'confirmed'],
  [210220, 'disavowed'],
  [210240, 'not-performed'],
  [203202, 'confirmed'],
  [203206, 'rejected'],
]);

function manifestationOf({ events, basis }: EventsOfDocument, isDue: boolean): Manifestation {
  const registered = events.filter(({ progress }) => progress === 'registered');
  const final = new Set(registered.flatMap(({ eventCode }) => finalEvents.get(eventCode) ?? []));
  const [first] = final;
  if (first !== undefined) return final.size > 1 ? 'several' : first;
  if (registered.some(({ eventCode }) => eventOfCode(eventCode)?.group === 'awareness')) return 'aware';
  if (!isDue) return 'not-due';
  if (events.some(({ progress }) => progress !== 'registered')) return 'pending';
  return basis === 'local' ? 'unknown' : 'none';
}

/** The next day on which an event is due comes first, then the last ones that have passed. */
function termsOf(open: readonly OpenTerm[]): readonly DocumentTerm[] {
  const terms = open.flatMap(({ state, deadline }): readonly DocumentTerm[] => {
    const shown = shownStates[state];
    return shown === undefined ? [] : [{ lastDay: deadline, state: shown }];
  });
  const order: readonly DocumentTerm['state'][] = ['open', 'unread', 'over'];
  return terms.toSorted((one, other) => {
    const byState = order.indexOf(one.state) - order.indexOf(other.state);
    const byDay = one.lastDay < other.lastDay ? -1 : 1;
    return byState || (one.state === 'open' ? byDay : -byDay);
  });
}

const shownStates: Readonly<Partial<Record<OpenTerm['state'], DocumentTerm['state']>>> = {
  open: 'open',
  unknown: 'unread',
  lost: 'over',
  presumed: 'over',
};

function plainOf(row: DocumentRow) {
  const { family, issuer, issuerName, day, competence, amountText } = recordOf(row);
  return {
    ...{ key: row.id, family, party: issuer, partyName: issuerName },
    ...{ day, competence, amount: shownAmount(amountText) },
    file: fileState(row.state === 'archived', row.xmlKind),
  };
}

export function fileState(hasFile: boolean, xmlKind: DocumentRow['xmlKind']): ReportDocument['file'] {
  if (!hasFile) return 'missing';
  return xmlKind === 'summary' ? 'summary' : 'full';
}

/** Longer figures are no amounts of a document. */
const MOST_DIGITS = 30;

/** An amount as text; `undefined` for what is none. */
export function shownAmount(text: string | undefined): string | undefined {
  return text !== undefined && text.length <= MOST_DIGITS && parseDecimalText(text) !== undefined ? text : undefined;
}

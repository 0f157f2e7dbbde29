import type { Text } from '../contract/text.js';
import type { DocumentFact } from '../domain/document-fact.js';
import { eventOfCode } from '../domain/event-codes.js';
import { counted, nouns } from '../domain/counted.js';
import { FiscalError } from '../errors/fiscal-error.js';
import { textField } from '../jobs/kinds/answer-fields.js';
import { eventStatus } from '../jobs/kinds/manifestation-answer.js';
import type { SeenEvent } from '../store/documents.js';
import type { Context } from '../services/context.js';
import {
  readListed,
  type DocumentEvent,
  type DocumentEvents,
  type EventsOfDocument,
} from '../services/documents/events.js';
import { isStale } from '../services/company/activity.js';
import { owesTerms } from '../services/documents/open-terms.js';
import { eventReader, eventsOfKey } from './inbound/list-events.js';
import { seenEvent } from './inbound/seen-rows.js';
import { forEachConcurrent } from '../jobs/concurrency.js';
import { fetchTakerEvents } from './manifestation/list.js';
import { rememberRead } from './manifestation/remember.js';
import type { AccountCompany } from '../services/scope/scope.js';
import { companyOfLabel, companyText } from '../services/scope/text.js';

/**
 * Requests the events of the documents whose events no sync has read in the last 24 hours,
 * within the rate limit, and stores them. Skips documents that are cancelled or have a conclusive event. Returns the
 * notices. `named`: the company of documents without one. Errors: those of a call, except 403 and 404, which leave a document unchanged.
 */
export async function askEvents(
  context: Context,
  known: DocumentEvents,
  facts: readonly DocumentFact[],
  named: readonly AccountCompany[] | undefined,
): Promise<readonly Text[]> {
  const { concurrency, dryRun } = await context.settings();
  const company = named?.length === 1 ? named[0]?.id : undefined;
  const wanted = facts.filter((fact) => isWanted(known.of(fact), context.clock.now()));
  if (dryRun) return [wouldAsk(wanted.length)];
  const asked = { count: 0 };
  const refused = new Map<string | undefined, number>();
  let done = 0;
  await forEachConcurrent(wanted, concurrency, async (fact) => {
    const companyId = fact.companyId ?? company;
    const isAnswered = companyId !== undefined && (await ask(context, known, { fact, companyId }));
    if (isAnswered) asked.count += 1;
    else refused.set(companyId, (refused.get(companyId) ?? 0) + 1);
    done += 1;
    context.progress.report({ label: asking, done, total: wanted.length });
  });
  context.progress.stop();
  return [wasAsked(asked.count), ...(await notAnswered(context, refused))];
}

/** Documents whose events can still change. */
function isWanted(known: EventsOfDocument, now: number): boolean {
  const { events, basis, knownAt } = known;
  const isDone = events.some(
    ({ eventCode, progress }) => progress === 'registered' && isFinal(eventOfCode(eventCode)?.group),
  );
  return owesTerms(known) && !isDone && (basis === 'local' || isStale({ at: knownAt }, now));
}

function isFinal(group: string | undefined): boolean {
  return group === 'conclusive' || group === 'taker';
}

interface Question {
  readonly fact: DocumentFact;
  readonly companyId: string;
}

/** False when the service does not know the document for this company, or the key may not read it. */
async function ask(context: Context, known: DocumentEvents, question: Question): Promise<boolean> {
  const at = context.clock.now();
  const { type } = question.fact;
  try {
    const listed = type === 'nfe' ? await askNfe(context, question) : await askNfse(context, question);
    known.learn(question.fact, { ...listed, at });
    return true;
  } catch (error) {
    const isRefusal = error instanceof FiscalError && refusals.includes(error.code);
    if (isRefusal) return false;
    throw error;
  }
}

const refusals: readonly string[] = ['service.not_found', 'service.forbidden'];

async function askNfe(context: Context, { fact, companyId }: Question) {
  const { accessKey } = fact;
  const reader = await eventReader(await context.client(), { family: 'nfe', companyId }, context.interruption);
  const seen: SeenEvent[] = [];
  let unnamed = 0;
  for await (const rows of eventsOfKey(reader, accessKey)) {
    for (const row of rows) {
      const event = seenEvent(row);
      if (event === undefined) unnamed += 1;
      else if (event.documentId === accessKey) seen.push(event);
    }
  }
  const { storeNamespace: profile } = await context.settings();
  const { events } = await context.store();
  const group = { profile, companyId, family: 'nfe' } as const;
  await events.see(group, seen, context.clock.now());
  // An archived event says more than its row in the list.
  const kept = await events.of(group, accessKey);
  const asked = kept.filter(({ eventKey }) => seen.some((it) => it.eventKey === eventKey));
  const listed = readListed(asked);
  return { ...listed, unread: listed.unread + unnamed };
}

async function askNfse(context: Context, { fact, companyId }: Question) {
  const { storeNamespace } = await context.settings();
  const store = await context.store();
  const events: DocumentEvent[] = [];
  let unread = 0;
  for (const body of await fetchTakerEvents(context, { companyId, accessKey: fact.accessKey })) {
    const id = textField(body, 'id');
    const [code, status] = [Number(textField(body, 'eventCode')), eventStatus(body)];
    if (id === undefined || eventOfCode(code)?.group !== 'taker') unread += 1;
    else {
      const seen = { family: 'nfse', id, body, at: context.clock.now() } as const;
      await rememberRead(store, { storeNamespace, company: companyId }, seen);
      if (status !== 'Rejected' && status !== 'Failed')
        events.push({ eventCode: code, sequence: 1, progress: status === 'Accepted' ? 'registered' : 'sent' });
    }
  }
  return { events, unread };
}

const asking: Text = { en: 'asking for events', pt: 'consultando eventos' };

function wasAsked(count: number): Text {
  return {
    en: `documents whose events were queried at the service: ${count}`,
    pt: `documentos cujos eventos foram consultados no serviço: ${count}`,
  };
}

function wouldAsk(count: number): Text {
  const { en, pt } = counted(count, nouns.document);
  return {
    en: `dry run: the service is not queried for the events of ${en}`,
    pt: `simulação: o serviço não é consultado sobre os eventos de ${pt}`,
  };
}

/** At most this many companies are named. */
const MOST_NAMED = 10;

/** Documents without events in the service, by company, and documents whose company is unknown. */
async function notAnswered(
  context: Context,
  refused: ReadonlyMap<string | undefined, number>,
): Promise<readonly Text[]> {
  const label = await (await context.scope()).labels();
  const ofNoCompany = refused.get(undefined) ?? 0;
  const companies = [...refused].flatMap(([id, count]) => (id === undefined ? [] : [{ id, count }]));
  const named = companies
    .slice(0, MOST_NAMED)
    .map(({ id, count }) => `${companyText(companyOfLabel(id, label(id)))}: ${count}`);
  const list = [...named, ...(companies.length > MOST_NAMED ? ['…'] : [])].join('; ');
  return [
    ...(companies.length === 0
      ? []
      : [
          {
            en: `documents whose events the service does not return, by company: ${list}`,
            pt: `documentos cujos eventos o serviço não fornece, por empresa: ${list}`,
          },
        ]),
    ...(ofNoCompany === 0
      ? []
      : [
          {
            en: `documents whose company is unknown, so the service was not queried: ${ofNoCompany}`,
            pt: `documentos cuja empresa não é conhecida e, por isso, não foram consultados no serviço: ${ofNoCompany}`,
          },
        ]),
  ];
}

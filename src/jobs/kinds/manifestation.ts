import type { CallInput, Client } from '../../client/client.js';
import { nextLinkIn } from '../../client/read-answer.js';
import type { OperationId } from '../../contract/operations.js';
import { canonicalJson } from '../../domain/canonical-json.js';
import { codeInWords, codeOfListed, type EventNumber } from '../../domain/event-codes.js';
import { fieldOf } from '../../domain/record.js';
import { SETTLE_MS } from '../../domain/settle-time.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { authorityAnswer } from '../authority-answer.js';
import {
  type JobKind,
  type KindFacts,
  type LookupContext,
  type LookupResult,
  runnable,
  type RunnableKind,
} from '../kind.js';
import { listField, textField } from './answer-fields.js';
import { eventStatus, observeAccepted, observeEvent, observeLive, observeRefusal } from './manifestation-answer.js';
import { companyProblem, forgetCompany, inPath } from './manifestation-company.js';
import type { CompanyCheck } from './received-note.js';
import type { ItemRow } from '../../store/store.js';

/** One recipient event for an NF-e. */
export interface NfeSubmission {
  readonly family: 'nfe';
  readonly accessKey: string;
  readonly eventCode: number;
  readonly nSequencia: number;
  readonly detail: Readonly<Record<string, unknown>>;
  /**
   * The company of the event; the request path does not name it (§4). Absent in rows of older versions, or when
   * unknown.
   */
  readonly companyId?: string;
  /** The user vouches for the company; the program has not verified it. */
  readonly companyUnchecked?: true;
}

/**
 * Natural replay: a repeat of a live event returns 409 and does not reach the authority again (§4), so an interrupted
 * send is repeated when the event is not found. The document's event list shows what the authority registered, whoever
 * sent it; pending and rejected events are not listed.
 */
export const nfeManifestation: JobKind<NfeSubmission, 'nfe.manifestation.submit', 'nfe.manifestation.get'> = {
  name: 'nfe-manifestation',
  submit: 'nfe.manifestation.submit',
  poll: 'nfe.manifestation.get',
  replay: 'natural',
  onceOnly: true,
  rejectedStays: false,
  billed: () => false,
  submitInput: nfeCall,
  admit: async (context, input) => await nfeCompanyProblem(context, input),
  misplaced: forgetCompany,
  pollInput: ({ companyId }, item) => ({ path: { id: item.resourceId ?? '' }, ...companyPart(companyId) }),
  observeSubmit: observeAccepted,
  observePoll: (answer, input) => observeEvent(answer.body, input),
  observeConflict: observeLive,
  observeRefusal,
  lookup: findRegistered,
};

export function nfeCall(submission: NfeSubmission): CallInput<'nfe.manifestation.submit'> {
  const { accessKey, eventCode, nSequencia, detail, companyId } = submission;
  return { path: { accessKey }, ...companyPart(companyId), body: { eventCode, nSequencia, detail } };
}

/** The page size of the service when no `$top` is sent (published). */
const PAGE = 50;

function announcesMore(body: unknown): boolean {
  return (nextLinkIn(body) ?? undefined) !== undefined || fieldOf(body, 'hasMore') === true;
}

/**
 * Looks for the event among those registered for the document, in one page. A list that is unreadable or may go on
 * returns `cannot tell`.
 */
async function findRegistered(
  client: Client,
  { companyId, accessKey, eventCode, nSequencia }: NfeSubmission,
  { signal }: Pick<LookupContext, 'signal'>,
): Promise<LookupResult> {
  if (companyId === undefined) return 'cannot tell';
  const query = { $filter: `accessKey eq '${accessKey}'` };
  try {
    const input = { path: { companyId }, query };
    const { body } = await client.call('nfe.inbound.events', input, { attempts: 'once', signal });
    const rows: unknown = Array.isArray(body) ? body : listField(body, 'value');
    if (!Array.isArray(rows)) return 'cannot tell';
    // A row without a key may be an event of the note.
    const keys = rows.map((row) => [row, keyIn(row)] as const);
    const ofNote = keys.flatMap(([row, key]) => (key === accessKey ? [{ row, event: numberOf(row) }] : []));
    const isOurs = ({ event }: (typeof ofNote)[number]) => event?.code === eventCode && event.sequence === nSequencia;
    const registered = ofNote.find(isOurs);
    if (registered !== undefined) {
      const answer = authorityAnswer(registered.row);
      return { state: 'succeeded', remoteStatus: 'Accepted', ...(answer && { answer }) };
    }
    // An event without a code may be the one we look for, and so may one of a later page.
    const isWhole = rows.length < PAGE && !announcesMore(body);
    const isReadable = keys.every(([, key]) => key !== undefined) && ofNote.every(({ event }) => event !== undefined);
    return isWhole && isReadable ? 'absent' : 'cannot tell';
  } catch (error) {
    const status = error instanceof FiscalError ? (error.facts.httpStatus ?? 0) : 0;
    if (status === 403 || status === 404) return 'cannot tell';
    throw error;
  }
}

function keyIn(row: unknown): string | undefined {
  const key = fieldOf(row, 'accessKey');
  return typeof key === 'string' && key !== '' ? key : undefined;
}

/** Code and sequence of a list row, whose event key is called `eventKey` or `id`. */
function numberOf(row: unknown): EventNumber | undefined {
  const eventKey = textField(row, 'eventKey') ?? textField(row, 'id') ?? '';
  const type = textField(row, 'type') ?? '';
  const description = textField(row, 'description') ?? '';
  const number = codeOfListed({ eventKey, type }) ?? codeInWords({ description });
  const sequence = Number(textField(row, 'sequence') ?? number?.sequence);
  return number && { code: number.code, sequence };
}

/** `companyProblem` for an NF-e event. */
export async function nfeCompanyProblem(
  check: CompanyCheck,
  submission: NfeSubmission,
): Promise<FiscalError | undefined> {
  return await companyProblem(check, submission, async () => {
    const { url } = await check.client.preview(nfeManifestation.submit, nfeCall(submission));
    return new URL(url).pathname.split('/').includes(encodeURIComponent(submission.companyId ?? ''));
  });
}

function companyPart(companyId: string | undefined) {
  return companyId === undefined ? {} : { companyId };
}

/** One event by the taker (*tomador*) of an NFS-e. */
export interface NfseSubmission {
  readonly family: 'nfse';
  readonly companyId: string;
  readonly accessKey: string;
  readonly eventCode: number;
  readonly reasonCode?: number;
  readonly justification?: string;
  /** The user vouches for the company; the program has not verified it. */
  readonly companyUnchecked?: true;
}

/** The key's event list shows whether an interrupted send arrived, so it is read before repeating. */
export const nfseManifestation: JobKind<NfseSubmission, 'nfse.manifestation.submit', 'nfse.manifestation.get'> = {
  name: 'nfse-manifestation',
  submit: 'nfse.manifestation.submit',
  poll: 'nfse.manifestation.get',
  replay: 'natural',
  onceOnly: true,
  rejectedStays: false,
  billed: () => false,
  submitInput: nfseCall,
  admit: async (context, input) => await companyProblem(context, input, inPath),
  misplaced: forgetCompany,
  pollInput: ({ companyId }, item) => ({ path: { companyId, id: item.resourceId ?? '' } }),
  observeSubmit: observeAccepted,
  observePoll: (answer, input) => observeEvent(answer.body, input),
  observeConflict: observeLive,
  observeRefusal,
  lookup: (client, input, { signal }) => findLive(client, input, signal),
};

export function nfseCall(submission: NfseSubmission): CallInput<'nfse.manifestation.submit'> {
  const { companyId, accessKey, eventCode, reasonCode, justification } = submission;
  return {
    path: { companyId, accessKey },
    // The public API reads the code from the query, the service document from the body.
    query: { eventCode },
    body: {
      eventCode,
      ...(reasonCode === undefined ? {} : { reasonCode }),
      ...(justification === undefined ? {} : { justification }),
    },
  };
}

/** Finds a live event with the same code. A finished one may be older than the send, so it does not count. */
async function findLive(client: Client, input: NfseSubmission, signal: AbortSignal): Promise<LookupResult> {
  const { companyId, accessKey, eventCode } = input;
  const { body } = await client.call(
    'nfse.manifestation.list',
    { path: { companyId, accessKey } },
    { attempts: 'once', signal },
  );
  const items = listField(body, 'items');
  if (items === undefined) return 'cannot tell';
  const live = items.find(
    (entry) =>
      textField(entry, 'eventCode') === String(eventCode) && ['Pending', 'Accepted'].includes(eventStatus(entry) ?? ''),
  );
  const resourceId = textField(live, 'id');
  return resourceId === undefined ? 'absent' : { ...observeEvent(live, input), resourceId };
}

/** The input of a `manifestation` item. */
export type Submission = NfeSubmission | NfseSubmission;

/**
 * One kind for both families; each item is sent to its own endpoint. A file may mix families and remains one job with
 * one progress, one report and one thing to resume. An event has the same key whichever command sent it.
 */
export const manifestation: RunnableKind = routed('manifestation', {
  nfe: runnable(nfeManifestation),
  nfse: runnable(nfseManifestation),
});

/** What a manifestation job stores about itself; its operation is that of the first item's family. */
export function manifestationFacts(family: Submission['family']): KindFacts<Submission> {
  const submit: OperationId = family === 'nfe' ? nfeManifestation.submit : nfseManifestation.submit;
  return { name: manifestation.name, submit, onceOnly: manifestation.onceOnly, billed: () => false };
}

/** The idempotency key: one live event per access key, code and sequence (§3). */
export function submissionKey(submission: Submission): string {
  const sequence = submission.family === 'nfe' ? submission.nSequencia : 1;
  return eventKey(submission.accessKey, submission.eventCode, sequence);
}

export function eventKey(accessKey: string, eventCode: number, sequence: number): string {
  return `${accessKey} ${eventCode} ${sequence}`;
}

/** Compares events without regard to who vouches for the company. */
export function isSameEvent(one: Submission, other: Submission): boolean {
  return canonicalJson(eventOf(one)) === canonicalJson(eventOf(other));
}

function eventOf(submission: Submission): object {
  const { companyUnchecked: _vouched, ...event } = submission;
  // The access key of an NF-e identifies the document for every company of the account.
  return event.family === 'nfe' ? { ...event, companyId: undefined } : event;
}

function routed(name: string, kinds: Readonly<Record<Submission['family'], RunnableKind>>): RunnableKind {
  // Rows of this kind always name their family.
  const kindOf = (item: ItemRow): RunnableKind => kinds[(item.input as Submission).family];
  return {
    name,
    replay: 'natural',
    onceOnly: true,
    rejectedStays: false,
    polls: true,
    // For a family without a lookup it returns `cannot tell`, and the engine continues as for a kind without one.
    canLookUp: true,
    admit: async (context, item) => await kindOf(item).admit?.(context, item),
    misplaced: async (context, item, error) => await kindOf(item).misplaced?.(context, item, error),
    settleMs: SETTLE_MS,
    send: (client, item, options) => kindOf(item).send(client, item, options),
    read: (client, item, options) => kindOf(item).read(client, item, options),
    lookUp: (client, item, dependencies) => kindOf(item).lookUp(client, item, dependencies),
    observeConflict: (error, item) => kindOf(item).observeConflict?.(error, item),
    observeRefusal,
  };
}

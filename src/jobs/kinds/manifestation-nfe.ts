import type { CallInput, Client } from '../../client/client.js';
import { codeInWords, codeOfListed, type EventNumber } from '../../domain/event-codes.js';
import { fieldOf } from '../../domain/record.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { authorityAnswer } from '../authority-answer.js';
import type { JobKind, LookupContext, LookupResult } from '../kind.js';
import { listField, textField } from './answer-fields.js';
import { observeAccepted, observeEvent, observeLive } from './manifestation-answer.js';
import { companyProblem, forgetCompany, inPath } from './manifestation-company.js';
import type { CompanyCheck } from './received-note.js';

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
  lookup: findRegistered,
};

export function nfeCall(submission: NfeSubmission): CallInput<'nfe.manifestation.submit'> {
  const { accessKey, eventCode, nSequencia, detail, companyId } = submission;
  return { path: { accessKey }, ...companyPart(companyId), body: { eventCode, nSequencia, detail } };
}

/** The page size of the service when no `$top` is sent (published). */
const PAGE = 50;

function announcesMore(body: unknown): boolean {
  const link = fieldOf(body, '@odata.nextLink') ?? fieldOf(body, 'nextLink');
  return (link ?? undefined) !== undefined || fieldOf(body, 'hasMore') === true;
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
    const isOurs = ({ event }: (typeof ofNote)[number]) =>
      event?.code === eventCode && event.sequence === nSequencia;
    const registered = ofNote.find(isOurs);
    if (registered !== undefined) {
      const answer = authorityAnswer(registered.row);
      return { state: 'succeeded', remoteStatus: 'Accepted', ...(answer && { answer }) };
    }
    // An event without a code may be the one we look for, and so may one of a later page.
    const isWhole = rows.length < PAGE && !announcesMore(body);
    const isReadable =
      keys.every(([, key]) => key !== undefined) && ofNote.every(({ event }) => event !== undefined);
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

export interface LegacySubmission {
  readonly family: 'nfe';
  readonly companyId: string;
  readonly companyUnchecked?: true;
  readonly accessKey: string;
  readonly eventCode: number;
  readonly justification?: string;
}

/**
 * The deprecated endpoint (§4, §9): it returns the outcome at once and stores nothing, so a repeat is a second
 * submission.
 */
export const legacyManifestation: JobKind<LegacySubmission, 'nfe.manifestation.legacy'> = {
  name: 'nfe-manifestation-legacy',
  submit: 'nfe.manifestation.legacy',
  poll: null,
  replay: 'unsafe',
  onceOnly: true,
  rejectedStays: false,
  billed: () => false,
  submitInput: legacyCall,
  admit: async (context, input) => await companyProblem(context, input, inPath),
  misplaced: forgetCompany,
  pollInput: () => {
    throw new Error('the replaced route has no read');
  },
  observeSubmit: (answer, input) => {
    const seen = observeEvent(answer.body, input);
    // Nothing can be read later, so a response without an outcome counts as accepted.
    return seen.state === 'pending' ? { ...seen, state: 'succeeded' } : seen;
  },
  observePoll: (answer, input) => observeEvent(answer.body, input),
};

export function legacyCall(submission: LegacySubmission): CallInput<'nfe.manifestation.legacy'> {
  const { companyId, accessKey, eventCode, justification } = submission;
  return {
    path: { companyId, accessKey },
    query: { tpEvent: eventCode },
    ...(justification === undefined ? {} : { body: { justification } }),
  };
}

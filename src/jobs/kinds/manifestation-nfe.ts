import type { CallInput, Client } from '../../client/client.js';
import { codeInWords, codeOfListed, type EventNumber } from '../../domain/event-codes.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { JobKind, LookupContext, LookupResult } from '../kind.js';
import { listField, textField } from './answer-fields.js';
import { observeAccepted, observeEvent, observeLive } from './manifestation-answer.js';
import { companyProblem, forgetCompany, inPath } from './manifestation-company.js';
import type { CompanyCheck } from './received-note.js';

/** One event of the recipient of an NF-e. */
export interface NfeSubmission {
  readonly family: 'nfe';
  readonly accessKey: string;
  readonly eventCode: number;
  readonly nSequencia: number;
  readonly detail: Readonly<Record<string, unknown>>;
  /** Whose event it is; the service's own path does not name it (§4). Absent: written before it was kept, or not known. */
  readonly companyId?: string;
  /** The user vouches for the company, which nothing here has proven. */
  readonly companyUnchecked?: true;
}

/**
 * Submission is natural: a repeat of a live event answers 409 and does not reach the authority again (§4), so an
 * interrupted send is made again where nothing of it is found. The note's list of events shows what the authority has
 * registered, whoever sent it; what waits or was rejected stands in no list.
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
  admit: async (parts, input) => await nfeCompanyProblem(parts, input),
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

/** The event among those that are registered for the note. A list that cannot be read tells nothing. */
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
    const ofNote = rows.filter((row) => textField(row, 'accessKey') === accessKey).map(numberOf);
    const isRegistered = ofNote.some((event) => event?.code === eventCode && event.sequence === nSequencia);
    if (isRegistered) return { state: 'succeeded', remoteStatus: 'Accepted' };
    // An event whose code is not told may be the one.
    return ofNote.includes(undefined) ? 'cannot tell' : 'absent';
  } catch (error) {
    const status = error instanceof FiscalError ? (error.facts.httpStatus ?? 0) : 0;
    if (status === 403 || status === 404) return 'cannot tell';
    throw error;
  }
}

/** Code and sequence of a row of the list, which calls the key of an event `eventKey` or `id`. */
function numberOf(row: unknown): EventNumber | undefined {
  const eventKey = textField(row, 'eventKey') ?? textField(row, 'id') ?? '';
  const type = textField(row, 'type') ?? '';
  const description = textField(row, 'description') ?? '';
  const number = codeOfListed({ eventKey, type }) ?? codeInWords({ description });
  const sequence = Number(textField(row, 'sequence') ?? number?.sequence);
  return number && { code: number.code, sequence };
}

/** `companyProblem` of an NF-e event. */
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

/** The replaced route (§4, §9): it answers the outcome at once and keeps nothing, so a repeat is a second submission. */
export const legacyManifestation: JobKind<LegacySubmission, 'nfe.manifestation.legacy'> = {
  name: 'nfe-manifestation-legacy',
  submit: 'nfe.manifestation.legacy',
  poll: null,
  replay: 'unsafe',
  onceOnly: true,
  rejectedStays: false,
  billed: () => false,
  submitInput: legacyCall,
  admit: async (parts, input) => await companyProblem(parts, input, inPath),
  misplaced: forgetCompany,
  pollInput: () => {
    throw new Error('the replaced route has no read');
  },
  observeSubmit: (answer, input) => {
    const seen = observeEvent(answer.body, input);
    // Nothing can be read later: an answer without an outcome is all that will ever be known.
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

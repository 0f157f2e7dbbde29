import type { CallInput, Client } from '../../client/client.js';
import type { JobKind, LookupResult } from '../kind.js';
import { listField, textField } from './answer-fields.js';
import { eventStatus, observeAccepted, observeEvent, observeLive } from './manifestation-answer.js';
import { companyProblem, forgetCompany, inPath } from './manifestation-company.js';

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
export const nfseManifestation: JobKind<
  NfseSubmission,
  'nfse.manifestation.submit',
  'nfse.manifestation.get'
> = {
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
      textField(entry, 'eventCode') === String(eventCode) &&
      ['Pending', 'Accepted'].includes(eventStatus(entry) ?? ''),
  );
  const resourceId = textField(live, 'id');
  return resourceId === undefined ? 'absent' : { ...observeEvent(live, input), resourceId };
}

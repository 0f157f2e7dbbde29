import type { JobKind } from '../kind.js';
import { textField } from './answer-fields.js';

/** The input of a `fetch-by-key` item. */
export interface FetchByKeyItem {
  readonly companyId: string;
  readonly accessKey: string;
}

/**
 * Synchronous and idempotent per key (§4), so an interrupted call can be repeated. Every call is billed
 * (`GetDocByKey`): repeating needs consent, and a key that was captured before is not requested again.
 */
export const fetchByKey: JobKind<FetchByKeyItem, 'nfse.fetchByKey', never> = {
  name: 'fetch-by-key',
  submit: 'nfse.fetchByKey',
  poll: null,
  replay: 'natural',
  rejectedStays: false,
  onceOnly: true,
  billed: () => true,
  submitInput: ({ companyId, accessKey }) => ({ path: { companyId }, body: { accessKey } }),
  pollInput: () => {
    throw new Error('fetch-by-key has no read: its answer is the document');
  },
  observeSubmit: ({ body }, { accessKey }) => {
    const status = textField(body, 'status');
    return {
      state: 'succeeded',
      resourceId: textField(body, 'id') ?? accessKey,
      ...(status === undefined ? {} : { remoteStatus: status }),
    };
  },
  observePoll: () => ({ state: 'pending' }),
};

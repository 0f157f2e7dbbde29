import type { JobKind } from '../kind.js';
import { textField } from './answer-fields.js';

/** What an item of `fetch-by-key` holds. */
export interface FetchByKeyItem {
  readonly companyId: string;
  readonly accessKey: string;
}

/**
 * §4: synchronous and idempotent per key, so an interrupted send may be made again; each call is billed (`GetDocByKey`), so
 * it is made again only with consent, and a key that was captured before is not asked for twice.
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

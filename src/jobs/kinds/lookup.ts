import type { Answer, CallOptions, Client } from '../../client/client.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { ItemRow } from '../../store/store.js';
import type { KindFacts, RunnableKind } from '../kind.js';

export const lookupNames = ['cnpj', 'cpf', 'address', 'nfe', 'cte'] as const;
export type LookupName = (typeof lookupNames)[number];

/** What is asked about. */
export interface LookupNumber {
  readonly number: string;
  /** Of a CPF: `aaaa-mm-dd`. */
  readonly birthDate?: string;
  /** Of a CT-e: who captured it. */
  readonly companyId?: string;
}

/** What an item holds. That of a CPF holds its digest only: the number stays in the memory of the run. */
export interface LookupItem extends Partial<LookupNumber> {
  readonly digest: string;
}

/** What a run adds to the bare kind. */
export interface LookupHooks {
  /** The number of an item that does not hold it. */
  numberOf(digest: string): LookupNumber | undefined;
  /** Whether an answer is kept that is young enough. */
  isKept(digest: string): Promise<boolean>;
  keep(asked: LookupNumber & { readonly digest: string }, answer: unknown): Promise<void>;
}

/** §5: one query, of whichever kind. */
export function askAbout(
  client: Client,
  name: LookupName,
  { number, birthDate = '', companyId = '', ...options }: LookupNumber & CallOptions,
): Promise<Answer<unknown>> {
  switch (name) {
    case 'cnpj':
      return client.call('lookup.cnpj', { path: { numero: number } }, options);
    case 'cpf':
      return client.call('lookup.cpf', { path: { cpf: number, birthDate } }, options);
    case 'address':
      return client.call('lookup.address', { path: { postalCode: number } }, options);
    case 'nfe':
      return client.call('lookup.nfe', { path: { accessKey: number } }, options);
    case 'cte':
      return client.call('cte.inbound.get', { path: { companyId, accessKey: number } }, options);
  }
}

/** A query changes nothing, so it may be made again at any time; the same list again is a new job. */
export function lookupFacts(name: LookupName): KindFacts<LookupItem> {
  return {
    name: `lookup-${name}`,
    submit: name === 'cte' ? 'cte.inbound.get' : `lookup.${name}`,
    onceOnly: false,
    billed: () => false,
  };
}

export function lookupKind(name: LookupName, hooks?: LookupHooks): RunnableKind {
  return {
    name: `lookup-${name}`,
    replay: 'safe',
    onceOnly: false,
    rejectedStays: false,
    polls: false,
    canLookUp: false,
    async send(client, item, options) {
      const { digest, ...held } = itemOf(item);
      if (await hooks?.isKept(digest)) return { state: 'succeeded' };
      const asked = numberOf(held) ?? hooks?.numberOf(digest);
      if (asked === undefined)
        throw new FiscalError('lookup.number_not_kept', { id: item.jobId }, { sent: 'no' });
      const { body, status, requestId } = await askAbout(client, name, { ...asked, ...options });
      await hooks?.keep({ ...asked, digest }, body);
      return { state: 'succeeded', status, ...(requestId === undefined ? {} : { requestId }) };
    },
    read: () => Promise.reject(new Error('a query has no later state')),
    lookUp: () => Promise.resolve('cannot tell'),
  };
}

function itemOf(item: ItemRow): LookupItem {
  // The row was written by a kind of this file, whose input has this type.
  return item.input as LookupItem;
}

function numberOf({ number, ...others }: Partial<LookupNumber>): LookupNumber | undefined {
  return number === undefined ? undefined : { number, ...others };
}

import type { Answer, CallOptions, Client } from '../../client/client.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { ItemRow } from '../../store/store.js';
import type { KindFacts, RunnableKind } from '../kind.js';

export const lookupNames = ['cnpj', 'cpf', 'address', 'nfe', 'cte'] as const;
export type LookupName = (typeof lookupNames)[number];

/** The subject of a query. */
export interface LookupNumber {
  readonly number: string;
  /** For a CPF: birth date as `yyyy-mm-dd`. */
  readonly birthDate?: string;
  /** For a CT-e: the company that captured it. */
  readonly companyId?: string;
}

/** The input of an item. For a CPF it holds only the digest; the number stays in memory. */
export interface LookupItem extends Partial<LookupNumber> {
  readonly digest: string;
}

/** What a run adds to the stored kind. */
export interface LookupHooks {
  /** The number behind a digest. */
  numberOf(digest: string): LookupNumber | undefined;
  /** Whether a cached answer is recent enough. */
  isKept(digest: string): Promise<boolean>;
  keep(asked: LookupNumber & { readonly digest: string }, answer: unknown): Promise<void>;
}

/** Sends one query of any kind (§5). */
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

/** Queries change nothing, so they can be repeated at any time. The same list again makes a new job. */
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
      if (asked === undefined) throw new FiscalError('lookup.number_not_kept', { id: item.jobId }, { sent: 'no' });
      const { body, status, requestId } = await askAbout(client, name, { ...asked, ...options });
      await hooks?.keep({ ...asked, digest }, body);
      return { state: 'succeeded', status, ...(requestId === undefined ? {} : { requestId }) };
    },
    read: () => Promise.reject(new Error('a query has no later state')),
    lookUp: () => Promise.resolve('cannot tell'),
  };
}

function itemOf(item: ItemRow): LookupItem {
  // Rows of these kinds always hold this input type.
  return item.input as LookupItem;
}

function numberOf({ number, ...others }: Partial<LookupNumber>): LookupNumber | undefined {
  return number === undefined ? undefined : { number, ...others };
}

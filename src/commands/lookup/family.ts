import { lookupKind, type LookupItem, type LookupName, type LookupNumber } from '../../jobs/kinds/lookup.js';
import type { ItemRow } from '../../store/store.js';
import type { BatchFamily } from '../../services/batch/run-batch.js';
import type { Context } from '../../services/context.js';
import { AnswerCache } from './lookup.js';

export interface LookupContext {
  readonly name: LookupName;
  readonly maxAgeMs: number;
  /** The numbers that no row holds; empty if a job continues without its list. */
  readonly numbers: ReadonlyMap<string, LookupNumber>;
}

/** What queries add to a batch: their answers, from the cache that the run fills. */
export function lookupFamily(context: Context, { name, maxAgeMs, numbers }: LookupContext): BatchFamily {
  const cache = new AnswerCache(context, name, maxAgeMs);
  return {
    label: { en: 'querying', pt: 'consultando' },
    idField: 'label',
    kind: lookupKind(name, {
      numberOf: (digest) => numbers.get(digest),
      isKept: async (digest) => (await cache.fresh(digest)) !== undefined,
      keep: (asked, answer) => cache.keep(asked, answer),
    }),
    fields: () => ({}),
    read: async (item) => {
      const kept = item.state === 'succeeded' ? await cache.any(digestOf(item)) : undefined;
      if (kept === undefined) return {};
      const source = item.httpStatus === undefined ? 'cache' : 'service';
      return { source, fetchedAt: new Date(kept.fetchedAt).toISOString(), answer: kept.answer };
    },
  };
}

function digestOf(item: ItemRow): string {
  // The row was written by a kind of lookup, whose input has this type.
  return (item.input as LookupItem).digest;
}

import type { InboundFamily } from '../../contract/inbound.js';
import { formatUtc } from '../../domain/dates.js';
import { lastCaptures, type SeenCapture } from '../../services/company/capture.js';
import { listsReadAt } from '../../services/documents/facts.js';
import { labelOf } from '../../services/scope/resolver.js';
import type { AccountCompany } from '../../services/scope/scope.js';
import type { CursorRows } from '../../store/documents.js';
import type { Store } from '../../store/store.js';
import type { UnknownCompany } from './figures.js';

export const families: readonly InboundFamily[] = ['nfe', 'cte', 'nfse'];

/** What was read of the lists of one company and family. */
export interface Reading {
  /** `never`: no list was ever read · `begun`: none was read to its end. */
  readonly state: 'never' | 'begun' | 'read';
  /** When the lists were last read to their end, in milliseconds. */
  readonly at: number | undefined;
  /** The settings of the capture as they were last seen. */
  readonly capture: SeenCapture['state'] | undefined;
}

/** When the lists of every company were last read, from the store alone. */
export class Evidence {
  private constructor(
    readonly companies: readonly AccountCompany[],
    private readonly readings: ReadonlyMap<string, Reading>,
  ) {}

  static async read(store: Store, profile: string, companies: readonly AccountCompany[]): Promise<Evidence> {
    const [rows, captures] = await Promise.all([
      store.overview.cursors(profile),
      lastCaptures(store, profile),
    ]);
    const kept = new Map(rows.map((row) => [`${row.companyId} ${row.family} ${row.stream}`, row]));
    const cursors: Pick<CursorRows, 'get'> = {
      get: async ({ companyId, family, stream }) => kept.get(`${companyId} ${family} ${stream}`),
    };
    const readings = new Map<string, Reading>();
    for (const { id: companyId } of companies) {
      for (const family of families) {
        const key = `${companyId} ${family}`;
        const at = await listsReadAt({ cursors }, { profile, companyId, family });
        const hasBegun = kept.has(`${key} documents`) || kept.has(`${key} events`);
        const unread = hasBegun ? 'begun' : 'never';
        readings.set(key, {
          state: at === undefined ? unread : 'read',
          at,
          capture: captures.get(key)?.state,
        });
      }
    }
    return new Evidence(companies, readings);
  }

  reading(companyId: string, family: InboundFamily): Reading {
    return (
      this.readings.get(`${companyId} ${family}`) ?? { state: 'never', at: undefined, capture: undefined }
    );
  }

  /**
   * What a figure over these families rests on for one company: the oldest of their complete readings, or why it may say too
   * little. A family of which no list was ever read counts when its capture is on, or when no other family was read.
   */
  of(
    { id, ...company }: AccountCompany,
    wanted: readonly InboundFamily[],
  ): { readonly at: number } | UnknownCompany {
    const all = wanted.map((family) => this.reading(id, family));
    const begun = all.filter(({ state }) => state !== 'never');
    const unknown = (reason: UnknownCompany['reason']): UnknownCompany => ({
      ...{ companyId: id, ...labelOf(company) },
      reason,
    });
    if (begun.length === 0) {
      const isOff = all.every(({ capture }) => capture === 'absent' || capture === 'inactive');
      return unknown(isOff ? 'not_captured' : 'never_synced');
    }
    const times = begun.flatMap(({ at }) => (at === undefined ? [] : [at]));
    const isLeftOut = all.some(({ state, capture }) => state === 'never' && capture === 'on');
    return isLeftOut || times.length < begun.length ? unknown('incomplete') : { at: Math.min(...times) };
  }
}

/** The oldest of the times, as a figure shows it. */
export function oldest(times: readonly number[]): string | null {
  return times.length === 0 ? null : formatUtc(times.reduce((one, other) => Math.min(one, other)));
}

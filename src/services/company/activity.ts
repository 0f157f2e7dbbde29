import type { InboundFamily } from '../../contract/inbound.js';
import type { Text } from '../../contract/text.js';
import { DAY_MS } from '../../domain/dates.js';
import { fieldOf } from '../../domain/record.js';
import type { FiscalError } from '../../errors/fiscal-error.js';
import type { CursorRows } from '../../store/documents.js';
import type { KnownRow, Store } from '../../store/store.js';
import { listsReadAt } from '../documents/facts.js';
import { lastCaptures, type SeenCapture } from './capture.js';

export const families: readonly InboundFamily[] = ['nfe', 'cte', 'nfse'];

/** Lists that were read to their end longer ago than this may lack newer documents and events. */
export const FRESH_MS = DAY_MS;

/** Whether lists may lack newer documents and events: never read to their end, or long ago. */
export function isStale({ at }: { readonly at?: number | undefined }, now: number): boolean {
  return at === undefined || now - at > FRESH_MS;
}

/** Why the last sync of a company and family ended before its end. `at`: milliseconds. */
export interface SyncFailure {
  readonly at: number;
  readonly code: string;
  readonly text: Text;
}

/** What this machine knows of the lists of one company and family. */
export interface FamilyActivity {
  /** `never`: no list was ever read · `begun`: none was read to its end. */
  readonly state: 'never' | 'begun' | 'read';
  /** When the lists were last read to their end, in milliseconds. */
  readonly at: number | undefined;
  /** The settings of the capture as they were last seen; absent: never. */
  readonly capture: SeenCapture['state'] | undefined;
  /** Of a sync that failed, and that no complete reading has followed. */
  readonly failure: SyncFailure | undefined;
}

/**
 * Why what is known of a company may be too little. never_synced: no list was read · incomplete: a list was never read to its
 * end · not_captured: the service captures nothing for it · sync_failed: the last sync failed.
 */
export type Doubt = 'never_synced' | 'incomplete' | 'not_captured' | 'sync_failed';

/** What is known of the lists of companies, and since when, from the store alone. */
export class Activity {
  private constructor(private readonly found: ReadonlyMap<string, FamilyActivity>) {}

  static async read(store: Store, profile: string, companyIds: readonly string[]): Promise<Activity> {
    const [rows, captures, failures] = await Promise.all([
      store.overview.cursors(profile),
      lastCaptures(store, profile),
      lastFailures(store, profile),
    ]);
    const kept = new Map(rows.map((row) => [`${row.companyId} ${row.family} ${row.stream}`, row]));
    const cursors: Pick<CursorRows, 'get'> = {
      get: async ({ companyId, family, stream }) => kept.get(`${companyId} ${family} ${stream}`),
    };
    const found = new Map<string, FamilyActivity>();
    for (const companyId of companyIds) {
      for (const family of families) {
        const key = `${companyId} ${family}`;
        const at = await listsReadAt({ cursors }, { profile, companyId, family });
        const hasBegun = kept.has(`${key} documents`) || kept.has(`${key} events`);
        const unread = hasBegun ? 'begun' : 'never';
        const failure = newest([failures.get(key), failures.get(EVERY)]);
        found.set(key, {
          state: at === undefined ? unread : 'read',
          at,
          capture: captures.get(key)?.state,
          failure: failure === undefined || (at ?? 0) > failure.at ? undefined : failure,
        });
      }
    }
    return new Activity(found);
  }

  of(companyId: string, family: InboundFamily): FamilyActivity {
    return this.found.get(`${companyId} ${family}`) ?? nothing;
  }

  /**
   * What a claim about these families of a company rests on: the oldest of their complete readings, or why it may say too
   * little. A family of which no list was ever read counts, unless its capture was seen to be off.
   */
  basisOf(companyId: string, wanted: readonly InboundFamily[]): { readonly at: number } | { readonly doubt: Doubt } {
    const captured = wanted.map((family) => this.of(companyId, family)).filter((activity) => !isOff(activity));
    if (captured.length === 0) return { doubt: 'not_captured' };
    if (captured.every(({ state, failure }) => state === 'never' && failure === undefined))
      return { doubt: 'never_synced' };
    if (captured.some(({ failure }) => failure !== undefined)) return { doubt: 'sync_failed' };
    const times = captured.flatMap(({ at }) => (at === undefined ? [] : [at]));
    return times.length < captured.length ? { doubt: 'incomplete' } : { at: Math.min(...times) };
  }
}

const nothing: FamilyActivity = { state: 'never', at: undefined, capture: undefined, failure: undefined };

/** No list was read, and there was none when this machine looked. */
function isOff({ state, capture }: FamilyActivity): boolean {
  return state === 'never' && (capture === 'absent' || capture === 'inactive');
}

const KIND = 'sync-failure';
/** In the place of a company and family: the sync failed before it knew its companies. */
const EVERY = 'every';

interface FailedGroup {
  readonly profile: string;
  readonly companyId: string;
  readonly family: string;
}

/** Keeps why a sync ended early, for these companies and families, or for every one of the profile. */
export async function noteSyncFailure(
  { known }: Pick<Store, 'known'>,
  groups: readonly FailedGroup[] | { readonly profile: string },
  { error, at }: { readonly error: FiscalError; readonly at: number },
): Promise<void> {
  const rows = 'profile' in groups ? [{ profile: groups.profile, scope: EVERY }] : groups.map(scoped);
  const data = { code: error.code, en: error.text.en, pt: error.text.pt };
  await Promise.all(
    rows.map((row) => known.put({ ...row, kind: KIND, id: row.scope, seenAt: at, data }, { durable: false })),
  );
}

function scoped({ profile, companyId, family }: FailedGroup) {
  return { profile, scope: `${companyId} ${family}` };
}

async function lastFailures(
  { known }: Pick<Store, 'known'>,
  profile: string,
): Promise<ReadonlyMap<string, SyncFailure>> {
  const rows = await known.list({ profile, kind: KIND });
  return new Map(rows.map((row) => [row.scope, failureOf(row)]));
}

function failureOf({ data, seenAt }: KnownRow): SyncFailure {
  const [code, en, pt] = ['code', 'en', 'pt'].map((name) => String(fieldOf(data, name) ?? ''));
  return { at: seenAt, code: code ?? '', text: { en: en ?? '', pt: pt ?? '' } };
}

function newest(failures: readonly (SyncFailure | undefined)[]): SyncFailure | undefined {
  return failures.reduce((last, next) => ((next?.at ?? 0) > (last?.at ?? 0) ? next : last), undefined);
}

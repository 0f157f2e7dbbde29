import type { EventFamily } from '../../domain/event-codes.js';
import type { Reason } from '../../errors/reasons.js';
import { knownEventsOfNfe } from '../../store/document-columns.js';
import type { KnownRow, Store } from '../../store/store.js';

/** The newest event that this machine knows of one key, code and sequence. */
export interface KnownEvent {
  readonly family: EventFamily;
  readonly accessKey: string;
  readonly eventCode: number;
  readonly nSequencia: number;
  readonly id?: string;
  readonly status: string;
  readonly companyId?: string;
  /** The company of the event is not proven: the user took responsibility. */
  readonly companyUnproven?: true;
  /** The company in the response, when it differs from the company of the event. */
  readonly answeredCompany?: string;
  readonly errorCode?: string;
  readonly reason?: Reason;
  readonly jobId?: string;
  readonly itemId?: string;
}

/** The kinds of `known` rows; their id is that of `eventKey`, their scope the company. */
export const knownKinds = { nfe: knownEventsOfNfe, nfse: 'nfse-manifestation' } as const;

/** Newest first, both families. */
export async function listKnown(
  store: Store,
  filter: {
    readonly storeNamespace: string;
    /** Absent: of all. */
    readonly companies?: readonly string[] | undefined;
    readonly status?: string;
    readonly limit?: number;
  },
): Promise<readonly { readonly event: KnownEvent; readonly row: KnownRow }[]> {
  const { storeNamespace, companies, status, limit } = filter;
  const common = {
    profile: storeNamespace,
    ...(status === undefined ? {} : { status }),
    ...(limit === undefined ? {} : { limit }),
  };
  const scopes = companies === undefined ? [{}] : companies.map((scope) => ({ scope }));
  const kinds = [knownKinds.nfe, knownKinds.nfse];
  const found = await Promise.all(
    scopes.flatMap((scope) => kinds.map((kind) => store.known.list({ ...common, ...scope, kind }))),
  );
  const rows = found.flat().toSorted((one, other) => other.seenAt - one.seenAt);
  return rows.slice(0, limit).map((row) => ({ event: knownOf(row), row }));
}

/** What a row of these kinds holds. */
export function knownOf(row: Pick<KnownRow, 'data'>): KnownEvent {
  // Written by commands/manifestation/remember.ts alone.
  return row.data as KnownEvent;
}

import { formatUtc } from '../../domain/dates.js';
import type { BlockedHost, Store } from '../../store/store.js';

/** A host that is not called before `until`, because its service asked for that. */
interface Wait {
  readonly host: string;
  /** ISO 8601, UTC. */
  readonly until: string;
  /** The wait that the service asked for, where less of it is believed. */
  readonly askedSeconds: number | null;
}

/** The waits of a profile, for output. */
export async function blockedHosts(
  { pace, clock }: Pick<Store, 'pace' | 'clock'>,
  profile: string,
): Promise<readonly Wait[]> {
  return (await pace.blocked(profile, clock.now())).map((blocked) => waitOf(blocked));
}

function waitOf({ host, blockedUntil, askedMs }: BlockedHost): Wait {
  const askedSeconds = askedMs === null ? null : Math.ceil(askedMs / 1000);
  return { host, until: formatUtc(blockedUntil), askedSeconds };
}

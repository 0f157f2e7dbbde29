import { look } from '../../scripts/quickstart/look.js';
import { rowsOf } from './unkind.js';

/** What stands in the store at the end. */
export interface StoredEvents {
  readonly delivered: number;
  /** In any other state. */
  readonly others: number;
  /** Not among what was signed. */
  readonly forged: number;
  /** Deliveries of these events, as the store counts them. */
  readonly deliveries: number;
}

/** Asks the program for all that it keeps. `genuine`: SHA-256 of the bodies that were signed, hex. */
export async function storedEvents(env: NodeJS.ProcessEnv, genuine: ReadonlySet<string>): Promise<StoredEvents> {
  const rows = await rowsOf(env, ['webhook', 'events', '--all']);
  const delivered = rows.filter((row) => look(row, 'state') === 'delivered').length;
  const forged = rows.filter((row) => !genuine.has(String(look(row, 'sha256')))).length;
  const deliveries = rows.reduce((sum, row) => sum + Number(look(row, 'copies')), 0);
  return { delivered, others: rows.length - delivered, forged, deliveries };
}

import { look } from '../../scripts/quickstart/look.js';
import { live } from './life.js';

/** What stands in the store at the end. */
export interface StoredEvents {
  readonly delivered: number;
  /** In any other state. */
  readonly others: number;
  /** Not among what was signed. */
  readonly forged: number;
}

/** Asks the program for all that it keeps. `genuine`: SHA-256 of the bodies that were signed, hex. */
export async function storedEvents(
  env: NodeJS.ProcessEnv,
  genuine: ReadonlySet<string>,
): Promise<StoredEvents> {
  const { stdout } = await live(env, ['webhook', 'events', '--all', '-o', 'ndjson']);
  const rows = stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line): unknown => JSON.parse(line));
  const delivered = rows.filter((row) => look(row, 'state') === 'delivered').length;
  const forged = rows.filter((row) => !genuine.has(String(look(row, 'sha256')))).length;
  return { delivered, others: rows.length - delivered, forged };
}

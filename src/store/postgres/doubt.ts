import { reasonText } from '../item-history.js';
import type { Queries } from './connection.js';
import { serverNow } from './store-clock.js';

/**
 * Every item that looks unsent becomes one whose send was interrupted, so that the rules for those apply: it is looked up, repeated
 * where that is harmless, or left to a person.
 */
export async function doubtUnsent({ run }: Queries, lost: 'server-changed' | 'went-back'): Promise<void> {
  await run(
    `WITH doubted AS (
       UPDATE fiscal.items SET state = 'sending', attempts = attempts + 1, sent_at = ${serverNow}, updated_at = ${serverNow},
         epoch = epoch + 1, worker_id = NULL, lookup = NULL, http_status = NULL,
         error_code = 'outcome.unknown', reason = @reason
       WHERE state = 'prepared' AND replaced = 0 AND job_id IN (SELECT id FROM fiscal.jobs WHERE state = 'open')
       RETURNING seq, attempts)
     INSERT INTO fiscal.item_events (item, at, from_state, to_state, step)
     SELECT seq, ${serverNow}, 'prepared', 'sending', json_build_object('is', 'sent', 'attempt', attempts, 'perhaps', @perhaps::text)::text FROM doubted`,
    { reason: reasonText({ is: lost === 'went-back' ? 'store-went-back' : 'server-changed' }), perhaps: lost },
  );
}

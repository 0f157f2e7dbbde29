import type { ItemRow } from '../../store/store.js';
import { productEndedBadly, productStillPending, waitLine } from './endings.js';
import { requireArrived, type SingleResult } from '../../services/single-job.js';

/**
 * The item of a create or update that went as far as was asked for: stored at the service, and with `wait` validated.
 * Errors: `outcome.unknown`, `outcome.ended_badly`, `outcome.still_pending`, and what stopped the run.
 */
export function requireValidated(single: SingleResult, wait: boolean): ItemRow {
  const item = requireArrived(single);
  const { jobId, errorMessage, resourceId: id = '' } = item;
  const product = { id, jobId, status: item.remoteStatus ?? item.state };
  if (item.state === 'rejected') throw productEndedBadly({ ...product, errorMessage });
  if (item.state !== 'pending' || !wait) return item;
  const { error, elapsedMs } = single.result;
  // The product is stored; only the reading of its state failed.
  if (error !== undefined) throw error.with({ jobId, resume: waitLine(id) });
  throw productStillPending({ ...product, errorMessage }, Math.round(elapsedMs / 1000));
}

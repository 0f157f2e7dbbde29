import type { Text } from '../../contract/text.js';
import type { Outcome } from '../../domain/outcome.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { KindFacts } from '../../jobs/kind.js';
import type { InvoiceModel } from '../../jobs/kinds/invoice-items.js';
import type { Context } from '../../services/context.js';
import { requireArrived, type SingleResult } from '../../services/single-job.js';
import { changeEndedBadly } from './endings.js';
import { getLine } from './model.js';

export interface ChangeEnding {
  readonly single: SingleResult;
  /** `the cancellation of NF-e 6f1c…`. */
  readonly what: Text;
  readonly model: InvoiceModel;
  readonly id: string;
  readonly wait: boolean;
}

/**
 * What became of a cancellation or a correction. Errors: `outcome.unknown`, `outcome.ended_badly`, `outcome.still_pending`,
 * `service.conflict`, `job.key_held`, and what stopped the run.
 */
export function concludeChange({ single, what, model, id, wait }: ChangeEnding): Outcome {
  const { item, result } = single;
  const { jobId, remoteStatus: status = item.state } = item;
  if (item.state === 'skipped') throw conflict(single, model, id);
  if (item.state === 'rejected') throw changeEndedBadly(what, { ...item, status, jobId });
  requireArrived(single);
  const data = { type: 'invoice', id, status, state: item.state, jobId };
  if (item.state !== 'pending') return { data };
  const resume = getLine(model, id, { wait: false });
  if (!wait) return { data, notices: [goesOn(resume)] };
  if (result.error !== undefined) throw result.error.with({ jobId, resume });
  const seconds = Math.round(result.elapsedMs / 1000);
  throw new FiscalError('outcome.still_pending', { what, status, seconds }, { sent: 'yes', jobId, resume });
}

/** 409: the invoice stands so that it cannot be changed, and its reading shows no change of ours under way. */
function conflict({ item }: SingleResult, model: InvoiceModel, id: string): FiscalError {
  const { jobId, duplicateOf, label, errorMessage } = item;
  if (duplicateOf !== undefined)
    return new FiscalError('job.key_held', { label, id: duplicateOf }, { jobId });
  const hint = {
    en: `see how it stands: ${getLine(model, id, { wait: false })}`,
    pt: `veja como ela está: ${getLine(model, id, { wait: false })}`,
  };
  const message = errorMessage?.replace(/^conflict \(HTTP 409\): /, '') ?? label;
  return new FiscalError('service.conflict', { message }, { jobId, httpStatus: 409, sent: 'yes', hint });
}

/** A refusal by 409 settles an item for good; the same words later ask the service anew. */
export async function freshSuffix<Input>(
  context: Context,
  { submit }: KindFacts<Input>,
  inputDigest: string,
): Promise<string> {
  const store = await context.store();
  const { space } = await context.settings();
  const job = await store.jobs.find({ operation: submit, profile: space, inputDigest });
  const [item] = job === undefined ? [] : await store.items.list(job.id, { limit: 1 });
  return item?.state === 'skipped' ? ` again ${context.random.uuid()}` : '';
}

function goesOn(command: string): Text {
  return {
    en: `taken in; the service goes on by itself: ${command}`,
    pt: `recebido; o serviço continua sozinho: ${command}`,
  };
}

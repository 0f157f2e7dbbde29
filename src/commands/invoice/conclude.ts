import type { Text } from '../../contract/text.js';
import type { Outcome } from '../../domain/outcome.js';
import type { CheckedModel } from '../../domain/invoice-check.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { statusOfInvoice } from '../../jobs/kinds/invoice-answer.js';
import { reasonText } from '../../jobs/known-reasons.js';
import type { ItemRow } from '../../store/store.js';
import { billedNotices } from '../../services/billed-notices.js';
import type { Context } from '../../services/context.js';
import {
  requireArrived,
  withConflictHint,
  type FollowOptions,
  type SingleResult,
} from '../../services/single-job.js';
import { conflictHint, invoiceStillPending, issueEndedBadly, requireValid, withTaxHint } from './endings.js';
import { followInvoice } from './follow.js';
import { getLine, words } from './model.js';
import { fetchInvoice } from './read-invoice.js';
import { externalOf, shownItem, standingOf } from './shown.js';

export interface Ending {
  readonly single: SingleResult;
  readonly item: { readonly model: CheckedModel; readonly companyId: string };
  readonly request: FollowOptions;
  readonly notices: readonly Text[];
}

/**
 * What became of one issue. Errors: `outcome.unknown`, `outcome.ended_badly`, `outcome.still_pending`,
 * `invoice.external_id_taken`, `job.key_held`, and what stopped the run.
 */
export async function concludeIssue(context: Context, ending: Ending): Promise<Outcome> {
  const { single, request } = ending;
  const { item } = single;
  const { model, companyId } = ending.item;
  const notices = [...ending.notices, ...billedNotices(single.result.billed, 'engine')];
  if (item.state === 'skipped' && item.lookup === 'found') return await foundBefore(context, ending);
  if (item.state === 'skipped' || item.errorCode === 'invoice.external_id_taken')
    throw alreadyThere(model, item);
  const { resourceId: id = '', jobId, remoteStatus: status = item.state } = item;
  if (item.state === 'rejected') throw issueEndedBadly({ model, id }, { ...item, status, jobId });
  requireTaken(single, model);
  if (item.state === 'pending' && request.wait) throw unfinished(single, { model, id, status });
  if (item.state === 'pending') {
    const told =
      item.lookup === 'found' ? [alreadyThereAs(id, status), follow(model, id)] : [taken(model, id)];
    return { data: shownItem(item), notices: [...notices, ...told] };
  }
  if (!request.wait) return { data: shownItem(item), notices };
  return await withFacts(context, { single, target: { model, companyId, id }, request, notices });
}

/** A refusal of tax fields points to the codes. */
function requireTaken(single: SingleResult, model: CheckedModel): void {
  try {
    withConflictHint(conflictHint(model), () => requireArrived(single));
  } catch (error) {
    throw error instanceof FiscalError ? withTaxHint(error) : error;
  }
}

function unfinished(
  { item, result }: SingleResult,
  { model, id, status }: { readonly model: CheckedModel; readonly id: string; readonly status: string },
): FiscalError {
  const { jobId } = item;
  if (result.error !== undefined)
    return result.error.with({ jobId, resume: getLine(model, id, { wait: true }) });
  const seconds = Math.round(result.elapsedMs / 1000);
  return invoiceStillPending({ model, id }, { status, seconds, jobId });
}

/**
 * Number, key and protocol stand in the invoice itself, and how it stands now: a reading that differs from the answer of the
 * issue decides. That it is issued is known without a reading.
 */
async function withFacts(
  context: Context,
  {
    single: { item, result },
    target,
    request,
    notices,
  }: {
    readonly single: SingleResult;
    readonly request: FollowOptions;
    readonly target: Parameters<typeof fetchInvoice>[1];
    readonly notices: readonly Text[];
  },
): Promise<Outcome> {
  try {
    let { body } = await fetchInvoice(context, target);
    if (statusOfInvoice(body) !== undefined && standingOf(body).is !== 'issued') {
      const timeoutMs = Math.max(0, request.timeoutMs - result.elapsedMs);
      ({ body } = await followInvoice(context, target, { ...request, timeoutMs }));
    }
    return { data: shownItem(item, body), notices };
  } catch (error) {
    if (!(error instanceof FiscalError)) throw error;
    if (error.code.startsWith('outcome.')) throw error.with({ jobId: item.jobId });
    return { data: shownItem(item), notices: [...notices, error.text] };
  }
}

/** Another machine, or an earlier life of this one, has issued the same content: the answer is how it stands. */
async function foundBefore(
  context: Context,
  { single: { item }, item: { model, companyId } }: Ending,
): Promise<Outcome> {
  const id = item.resourceId ?? '';
  const { body } = await fetchInvoice(context, { model, companyId, id });
  const { status } = standingOf(body);
  requireValid({ model, id }, item, status);
  return { data: shownItem(item, body), notices: [alreadyThereAs(id, status)] };
}

export function alreadyThereAs(id: string, status: string): Text {
  return {
    en: `the service had an invoice of this externalId and content already: ${id} (${status}); nothing was sent`,
    pt: `o serviço já tinha uma nota com este externalId e conteúdo: ${id} (${status}); nada foi enviado`,
  };
}

/** Another item of this machine holds the externalId, or the service has an invoice of it that is not ours. */
function alreadyThere(model: CheckedModel, item: ItemRow): FiscalError {
  const { jobId, duplicateOf, label, resourceId = '?', remoteStatus = '?', errorMessage, lookup } = item;
  if (duplicateOf !== undefined)
    return new FiscalError('job.key_held', { label, id: duplicateOf }, { jobId });
  const { externalId = label } = externalOf(item);
  const why = reasonBefore(errorMessage);
  const look =
    item.resourceId === undefined ? words(model, 'list') : getLine(model, resourceId, { wait: false });
  return new FiscalError(
    'invoice.external_id_taken',
    { externalId, id: resourceId, status: remoteStatus },
    {
      jobId,
      sent: lookup === 'found' ? 'no' : 'yes',
      hint: {
        en: `${why.en}look at it: ${look}; another invoice needs another --external-id`,
        pt: `${why.pt}veja-a: ${look}; outra nota precisa de outro --external-id`,
      },
    },
  );
}

function reasonBefore(message: string | undefined): Text {
  if (message === undefined) return { en: '', pt: '' };
  const reason = reasonText(message);
  return typeof reason === 'string'
    ? { en: `${reason}; `, pt: `${reason}; ` }
    : { en: `${reason.en}; `, pt: `${reason.pt}; ` };
}

function taken(model: CheckedModel, id: string): Text {
  const command = getLine(model, id, { wait: true });
  return {
    en: `taken in; it is issued in the background; follow it: ${command}`,
    pt: `recebida; a emissão ocorre em segundo plano; acompanhe: ${command}`,
  };
}

function follow(model: CheckedModel, id: string): Text {
  const command = getLine(model, id, { wait: true });
  return {
    en: `its issue has not ended; follow it: ${command}`,
    pt: `a emissão não terminou; acompanhe: ${command}`,
  };
}

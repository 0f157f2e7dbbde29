import type { Outcome } from '../../domain/outcome.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { IssueItem } from '../../jobs/kinds/invoice-items.js';
import type { ItemRow } from '../../store/store.js';
import type { Context } from '../../services/context.js';
import { unknownOutcome, type FollowOptions } from '../../services/single-job.js';
import { alreadyThereAs } from './conclude.js';
import { issueEndedBadly, requireValid } from './endings.js';
import { followInvoice } from './follow.js';
import { contentDigest, isMadeHere, issueKey } from './identity.js';
import { getLine, invoiceText } from './model.js';
import { fetchInvoice } from './read-invoice.js';
import type { InvoiceTarget } from './target.js';
import { externalOf, shownItem, standingOf } from './shown.js';

/** What this machine has issued under the same externalId. */
export interface Earlier {
  readonly target: InvoiceTarget;
  readonly item: ItemRow;
}

/**
 * The living item that holds the externalId, and stands at the service. `undefined`: nothing, or a send of this very content
 * that was not finished and goes on. Errors: `outcome.unknown`, `job.key_held`, `invoice.other_content`.
 */
export async function findEarlier(context: Context, wanted: IssueItem): Promise<Earlier | undefined> {
  const store = await context.store();
  const { space } = await context.settings();
  const { model, companyId, externalId } = wanted;
  const dedupeKey = issueKey(companyId, externalId);
  const holder = await store.items.holder({ profile: space, kind: `${model}-issue`, dedupeKey });
  if (holder === undefined) return undefined;
  // The row was written by the kind `…-issue`, whose input has this type.
  const isSame = contentDigest((holder.input as IssueItem).invoice) === contentDigest(wanted.invoice);
  const { resourceId, jobId, label, id } = holder;
  if (!isSame) throw otherContent(wanted, holder);
  if (holder.state === 'uncertain') throw unknownOutcome(holder);
  if (resourceId !== undefined) return { target: { model, companyId, id: resourceId }, item: holder };
  const job = await store.jobs.get(jobId);
  if (job?.inputDigest === `issue ${dedupeKey} ${contentDigest(wanted.invoice)}`) return undefined;
  const resume = `fiscal job resume ${jobId}`;
  throw new FiscalError('job.key_held', { label, id }, { jobId, sent: 'no', resume });
}

export interface Repetition {
  readonly earlier: Earlier;
  readonly request: FollowOptions;
}

/** The same was issued before: nothing is sent, and the answer is how it stands. Error: `outcome.ended_badly`. */
export async function repeatEarlier(context: Context, { earlier, request }: Repetition): Promise<Outcome> {
  const { target, item } = earlier;
  const { body } =
    request.wait && item.state === 'pending'
      ? await followInvoice(context, target, request)
      : await fetchInvoice(context, target);
  const standing = standingOf(body);
  if (standing.is === 'refused') throw issueEndedBadly(target, { ...item, ...standing });
  const { id } = target;
  if (item.lookup === 'found') {
    requireValid(target, item, standing.status);
    return { data: shownItem(item, body), notices: [alreadyThereAs(id, standing.status)] };
  }
  const at = new Date(item.sentAt ?? item.updatedAt).toISOString();
  const { externalId } = externalOf(item);
  const word = externalId === undefined || isMadeHere(externalId) ? '--again' : '--external-id';
  return {
    data: shownItem(item, body),
    notices: [
      {
        en: `already issued on ${at} as ${id}; nothing was sent (${anotherOne[word].en})`,
        pt: `já emitida em ${at} como ${id}; nada foi enviado (${anotherOne[word].pt})`,
      },
    ],
  };
}

const anotherOne = {
  '--again': {
    en: '--again issues another one of the same content',
    pt: '--again emite outra de mesmo conteúdo',
  },
  '--external-id': {
    en: 'another --external-id issues another one of the same content',
    pt: 'outro --external-id emite outra de mesmo conteúdo',
  },
} as const;

function otherContent(wanted: IssueItem, { resourceId, jobId }: ItemRow): FiscalError {
  const { model, externalId } = wanted;
  const what =
    resourceId === undefined ? { en: 'an invoice', pt: 'uma nota' } : invoiceText(model, resourceId);
  return new FiscalError(
    'invoice.other_content',
    { externalId, what },
    {
      jobId,
      sent: 'no',
      ...(resourceId === undefined ? {} : { resume: getLine(model, resourceId, { wait: true }) }),
      hint: {
        en: 'a corrected invoice is another one and needs an externalId of its own: --external-id',
        pt: 'uma nota corrigida é outra nota e precisa de um externalId próprio: --external-id',
      },
    },
  );
}

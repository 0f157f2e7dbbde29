import type { Product } from '../../contract/product.js';
import type { Text } from '../../contract/text.js';
import { fiscalLine } from '../../domain/command-words.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { type Reason, reasons, reasonWords, said } from '../../errors/reasons.js';
import { filled } from '../../errors/text-template.js';
import { textField } from '../../jobs/kinds/answer-fields.js';
import { requireArrived, type SingleResult } from '../../services/batch/single-job.js';
import type { ItemRow } from '../../store/store.js';

/** A product as errors describe it. */
export interface ProductState {
  readonly id: string;
  readonly status?: string | undefined;
  readonly reason: Reason | undefined;
  readonly jobId?: string | undefined;
}

/** The state of a product as the service shows it. */
export function stateOf(id: string, product: Product): ProductState {
  const words = textField(product, 'errorMessage');
  return { id, status: textField(product, 'status'), reason: words === undefined ? undefined : said(words) };
}

/** `outcome.ended_badly`: the tax rules failed validation (§3). */
export function productEndedBadly(product: ProductState): FiscalError {
  const { id, status = '–', reason, jobId } = product;
  return new FiscalError(
    'outcome.ended_badly',
    {
      what: filled(reasons.productNamed, { id }),
      status,
      reason: reason === undefined ? reasons.noReasonGiven : reasonWords(reason),
    },
    {
      operation: 'product.get',
      sent: 'yes',
      ...(jobId === undefined ? {} : { jobId }),
      hint: {
        en: `correct the tax rules and send them: ${updateLine(id)} --file <file>`,
        pt: `corrija as regras fiscais e envie: ${updateLine(id)} --file <arquivo>`,
      },
    },
  );
}

/** `outcome.still_pending`: the timeout is over; the service continues the validation. */
export function productStillPending(product: ProductState, seconds: number): FiscalError {
  const { id, status = '–', jobId, reason } = product;
  const hint = reason && reasonWords(reason);
  return new FiscalError(
    'outcome.still_pending',
    { what: filled(reasons.productNamed, { id }), status, seconds },
    {
      operation: 'product.get',
      sent: 'yes',
      ...(jobId === undefined ? {} : { jobId }),
      // Only the job knows which content this run waits for.
      ...(hint === undefined || jobId === undefined
        ? { resume: waitLine(id) }
        : { resume: `fiscal job resume ${jobId} --wait`, hint }),
    },
  );
}

/** The command that waits for the validation of a product. */
export function waitLine(id: string): string {
  return fiscalLine({ command: 'product get', positionals: [id], flags: [['--wait', true]] });
}

/** The command that updates a product, without its file. */
export function updateLine(id: string): string {
  return fiscalLine({ command: 'product update', positionals: [id] });
}

/** 409 of a create: the answer names no product, and the service has no list. */
export const conflictingProduct: Text = {
  en: 'the service has a product that this one conflicts with, most likely of the same SKU; nothing was created, and the service has no list of products: see what this machine knows (fiscal product list); a product that was created elsewhere must be read first (fiscal product get <id>; many: fiscal store adopt <file>), and is then updated from your file: fiscal product apply <file>',
  pt: 'o serviço tem um produto que conflita com este, provavelmente com o mesmo SKU; nada foi criado, e o serviço não tem lista de produtos: veja o que esta máquina conhece (fiscal product list); um produto criado em outro lugar precisa antes ser lido (fiscal product get <id>; vários: fiscal store adopt <arquivo>), e depois é atualizado a partir do seu arquivo: fiscal product apply <arquivo>',
};

/**
 * The item of a create or update that the service has stored and, with `wait`, validated.
 * Errors: `outcome.unknown`, `outcome.ended_badly`, `outcome.still_pending`, and what stopped the run.
 */
export function requireValidated(single: SingleResult, wait: boolean): ItemRow {
  const item = requireArrived(single);
  const { jobId, reason, resourceId: id = '' } = item;
  const product = { id, jobId, status: item.remoteStatus ?? item.state };
  if (item.state === 'rejected') throw productEndedBadly({ ...product, reason });
  if (item.state !== 'pending' || !wait) return item;
  const { error, elapsedMs } = single.result;
  // The product is stored; only reading its state failed.
  if (error !== undefined) throw error.with({ jobId, resume: waitLine(id) });
  throw productStillPending({ ...product, reason }, Math.round(elapsedMs / 1000));
}

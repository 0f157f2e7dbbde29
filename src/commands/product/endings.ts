import type { Text } from '../../contract/text.js';
import { fiscalLine } from '../../domain/command-words.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { reasonText } from '../../jobs/known-reasons.js';

/** A product as the messages name it. */
export interface NamedProduct {
  readonly id: string;
  readonly status: string;
  readonly errorMessage?: string | undefined;
  readonly jobId?: string | undefined;
}

/** `outcome.ended_badly`: the validation of the tax rules ended as Error (§3). */
export function productEndedBadly(product: NamedProduct): FiscalError {
  const { id, status, errorMessage, jobId } = product;
  return new FiscalError(
    'outcome.ended_badly',
    {
      what: { en: `product ${id}`, pt: `o produto ${id}` },
      status,
      reason: errorMessage ?? { en: 'no reason was given', pt: 'nenhum motivo foi informado' },
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

/** `outcome.still_pending`: the time of the user is up; the service goes on. */
export function productStillPending(product: NamedProduct, seconds: number): FiscalError {
  const { id, status, jobId, errorMessage } = product;
  const reason = errorMessage === undefined ? undefined : reasonText(errorMessage);
  return new FiscalError(
    'outcome.still_pending',
    { what: { en: `product ${id}`, pt: `o produto ${id}` }, status, seconds },
    {
      operation: 'product.get',
      sent: 'yes',
      ...(jobId === undefined ? {} : { jobId }),
      // Only the job knows which content is waited for.
      ...(reason === undefined || jobId === undefined
        ? { resume: waitLine(id) }
        : { resume: `fiscal job resume ${jobId} --wait`, hint: textOf(reason) }),
    },
  );
}

function textOf(reason: Text | string): Text {
  return typeof reason === 'string' ? { en: reason, pt: reason } : reason;
}

/** The command that follows a product to the end of its validation. */
export function waitLine(id: string): string {
  return fiscalLine({ command: 'product wait', positionals: [id] });
}

/** The command that changes a product; the file with the change is still to be named. */
export function updateLine(id: string): string {
  return fiscalLine({ command: 'product update', positionals: [id] });
}

/** 409 of a create: the refusal names no product, and the service lists none. */
export const conflictingProduct: Text = {
  en: 'the service has a product that this one conflicts with, most likely of the same SKU; nothing was created, and the service lists no products: see what this machine knows (fiscal product list); one that was made elsewhere becomes known first (fiscal product get <id>; many: fiscal store adopt <file>), and is then made as your file says: fiscal product apply <file>',
  pt: 'o serviço tem um produto que conflita com este, provavelmente com o mesmo SKU; nada foi criado, e o serviço não lista produtos: veja o que esta máquina conhece (fiscal product list); um produto criado em outro lugar precisa antes ser conhecido (fiscal product get <id>; vários: fiscal store adopt <arquivo>), e depois fica como no seu arquivo: fiscal product apply <arquivo>',
};

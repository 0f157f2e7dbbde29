import type { Text } from '../../contract/text.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { isVoided } from '../../jobs/kinds/invoice-answer.js';
import { codedReason, type Reason } from '../../errors/reasons.js';
import type { ItemRow } from '../../store/store.js';
import { taxHint } from '../../services/input/tax-hint.js';
import { getLine, type InvoiceTarget, invoiceText, lineOf } from './invoice.js';
import { hintOfTaxFields, seeTaxCodes } from './written-invoice.js';

/** The state of a rejected invoice, as the service returns it. */
export interface Rejection {
  readonly status: string;
  readonly errorCode?: string | undefined;
  readonly reason?: Reason | undefined;
  readonly jobId?: string | undefined;
  /** How often this machine sent it. */
  readonly attempts?: number;
}

type Named = Pick<InvoiceTarget, 'model' | 'id'>;

/** `outcome.ended_badly` (13): IssueFailed, IssueDenied or Error; for an invoice that was found, also Cancelled or Disabled. */
export function issueEndedBadly(target: Named, end: Rejection): FiscalError {
  const fields = end.reason?.is === 'said' ? taxWordsIn(end.reason.words) : [];
  const correct = fields.length === 0 ? correctIt : taxHint(fields, seeTaxCodes);
  const hint = isVoided(end.status) ? anotherOne : correct;
  return endedBadly(invoiceText(target.model, target.id), end, hint);
}

/** Throws if the invoice that was found is no longer valid: this issue has not succeeded. */
export function requireValid(target: Named, item: ItemRow, status: string): void {
  if (!isVoided(status)) return;
  const { jobId, attempts } = item;
  throw issueEndedBadly(target, { status, reason: { is: 'voided' }, jobId, attempts });
}

/** The same for a cancellation or a correction. */
export function changeEndedBadly(what: Text, end: Rejection): FiscalError {
  return endedBadly(what, end, undefined);
}

function endedBadly(what: Text, end: Rejection, hint: Text | undefined): FiscalError {
  const { status, errorCode, reason: why, jobId, attempts } = end;
  const reason = codedReason(errorCode, why);
  return new FiscalError(
    'outcome.ended_badly',
    { what, status, reason },
    {
      sent: attempts === 0 ? 'no' : 'yes',
      ...(jobId === undefined ? {} : { jobId }),
      ...(hint === undefined ? {} : { hint }),
    },
  );
}

export interface StillPending {
  readonly status: string;
  readonly seconds: number;
  readonly jobId?: string | undefined;
}

/** `outcome.still_pending` (8): the timeout is over; the service continues. */
export function invoiceStillPending(target: Named, { status, seconds, jobId }: StillPending): FiscalError {
  const { model, id } = target;
  return new FiscalError(
    'outcome.still_pending',
    { what: invoiceText(model, id), status, seconds },
    { sent: 'yes', ...(jobId === undefined ? {} : { jobId }), resume: getLine(model, id, { wait: true }) },
  );
}

/** Adds where to find valid values if an error names a tax field. */
export function withTaxHint(error: FiscalError): FiscalError {
  const { details = [], hint } = error.facts;
  if (hint !== undefined) return error;
  const found = hintOfTaxFields(details);
  return found === undefined ? error : error.with({ hint: found });
}

function taxWordsIn(message: string): readonly string[] {
  return message.match(/\b(?:tax|tribut\w*|imposto|icms|ipi|pis|cofins|iss|cfop|ncm|cest|cst)\b/gi) ?? [];
}

const correctIt: Text = {
  en: 'nothing was issued; correct the data and issue it again (to send the same data again: --again, or a new --external-id if you gave one)',
  pt: 'nada foi emitido; corrija os dados e emita de novo (para reenviar os mesmos dados: --again, ou um novo --external-id se você informou um)',
};

const anotherOne: Text = {
  en: 'it was not issued again; to issue the order again: --again, or a new --external-id if you gave one',
  pt: 'ela não foi emitida de novo; para emitir o pedido de novo: --again, ou um novo --external-id se você informou um',
};

/** 409 of an issue: the answer names no invoice. General invoices are in no list. */
export function conflictHint(model: InvoiceTarget['model']): Text {
  const [en, pt] =
    model === 'general'
      ? [
          'these invoices are in no list: see what this machine sent (fiscal job list; fiscal history --operation invoice.create), and read one by its id: fiscal invoice get <id> --model general',
          'estas notas não constam em lista: veja o que esta máquina enviou (fiscal job list; fiscal history --operation invoice.create) e leia uma nota pelo id: fiscal invoice get <id> --model general',
        ]
      : [`look for it: ${lineOf('list', model)}`, `procure-a: ${lineOf('list', model)}`];
  return {
    en: `this invoice conflicts with one in the service, which does not say which; ${en}`,
    pt: `o serviço tem uma nota que conflita com esta, e não diz qual; ${pt}`,
  };
}

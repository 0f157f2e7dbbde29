import { fiscalLine } from '../../domain/command-words.js';
import type { Outcome } from '../../domain/outcome.js';
import { fieldOf } from '../../domain/record.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { textField } from '../../jobs/kinds/answer-fields.js';
import type { InvoiceModel, MerchandiseModel } from '../../jobs/kinds/invoice-items.js';
import type { Context } from '../../services/context.js';
import { hintWhenAbsent, previewOne } from '../../services/calls/one-call.js';
import { type BytesOutcome, type ExpectedDocument, readBytes } from '../../services/calls/read-bytes.js';
import { companyOf } from '../../services/scope/companies.js';
import { fetchInvoice } from './get.js';
import { invoiceText, type InvoiceTarget } from './invoice.js';
import { sentenceOf } from '../../domain/sentence.js';

export interface InvoiceBytesRequest {
  readonly model: InvoiceModel;
  readonly id: string;
  readonly form: 'xml' | 'pdf';
  /** Have the service make the PDF of an NF-e or NFC-e anew. */
  readonly force: boolean;
  readonly out: string | undefined;
  /** How long to wait after a 202. */
  readonly timeoutMs: number;
}

/**
 * Downloads the XML or PDF of an issued invoice, byte for byte. An XML names its invoice by the access key only, so the invoice is
 * read first. Errors: those of `readBytes`.
 */
export async function readInvoiceBytes(
  context: Context,
  { model, id, form, force, out, timeoutMs }: InvoiceBytesRequest,
): Promise<BytesOutcome> {
  const companyId = await companyOf(context);
  const name = form.toUpperCase();
  const { dryRun } = await context.settings();
  const expected =
    form === 'pdf' || dryRun ? {} : { expected: await expectedOf(context, { model, companyId, id }) };
  const common = { what: { en: name, pt: name }, key: id, out, timeoutMs, ...expected };
  if (model === 'nfse') {
    const input = { path: { companyId, id } };
    return await readBytes(context, { operation: `nfse.${form}`, input, ...common });
  }
  const input = { path: { companyId, invoiceId: id }, ...(force ? { query: { force: true } } : {}) };
  return await readBytes(context, { operation: `${model}.${form}`, input, ...common });
}

export type LetterRequest = Omit<InvoiceBytesRequest, 'model' | 'force'>;

const correctionCode = '110110';

/**
 * Downloads the XML or PDF of the last correction letter of an NF-e. Errors: `service.not_found` for an invoice without one;
 * those of `readBytes`.
 */
export async function readLetterBytes(
  context: Context,
  { id, form, out, timeoutMs }: LetterRequest,
): Promise<BytesOutcome> {
  const companyId = await companyOf(context);
  const { dryRun } = await context.settings();
  const of = async (): Promise<ExpectedDocument> => {
    const { accessKey } = await expectedOf(context, { model: 'nfe', companyId, id });
    return { family: 'nfe', part: 'event', accessKey, eventCode: correctionCode };
  };
  const expected = form === 'pdf' || dryRun ? {} : { expected: await of() };
  const what = { en: `correction letter (${form})`, pt: `carta de correção (${form})` };
  const input = { path: { companyId, invoiceId: id } };
  const line = fiscalLine({ command: 'invoice nfe events', positionals: [id], company: companyId });
  const hint = {
    en: `only an NF-e with an accepted correction letter has one; see its events: ${line}`,
    pt: `só uma NF-e com carta de correção aceita tem uma; veja os eventos: ${line}`,
  };
  return await hintWhenAbsent(
    async () => await Promise.resolve(hint),
    () =>
      readBytes(context, {
        operation: `nfe.letter.${form}`,
        input,
        what,
        key: id,
        out,
        timeoutMs,
        ...expected,
      }),
  );
}

/**
 * Downloads the XML that proves the cancellation of an NFS-e. Errors: `service.not_found`, which is usual: only the national
 * environment makes one; those of `readBytes`.
 */
export async function readCancellationXml(
  context: Context,
  { id, out, timeoutMs }: Pick<InvoiceBytesRequest, 'id' | 'out' | 'timeoutMs'>,
): Promise<BytesOutcome> {
  const companyId = await companyOf(context);
  const { dryRun } = await context.settings();
  const of = async (): Promise<ExpectedDocument> => ({
    ...(await expectedOf(context, { model: 'nfse', companyId, id })),
    part: 'event',
  });
  const expected = dryRun ? {} : { expected: await of() };
  const what = { en: 'XML of the cancellation', pt: 'XML do cancelamento' };
  const input = { path: { companyId, id } };
  return await hintWhenAbsent(
    async () => await Promise.resolve(mayHaveNone),
    () =>
      readBytes(context, {
        operation: 'nfse.cancellation.xml',
        input,
        what,
        key: id,
        out,
        timeoutMs,
        ...expected,
      }),
  );
}

const mayHaveNone = {
  en: 'that there is none is usual: an NFS-e that is not cancelled has no such XML, nor has one of a city outside the national environment',
  pt: 'não haver um é comum: não tem esse XML a NFS-e que não foi cancelada, nem a de município fora do ambiente nacional',
};

/**
 * Downloads the XML of the authority's rejection of an NF-e or NFC-e. Its layout is not published: any XML passes. Errors:
 * `service.not_found` for an invoice that was not refused; those of `readBytes`.
 */
export async function readRejectionXml(
  context: Context,
  {
    model,
    id,
    out,
    timeoutMs,
  }: Omit<InvoiceBytesRequest, 'form' | 'force'> & { readonly model: MerchandiseModel },
): Promise<BytesOutcome> {
  const companyId = await companyOf(context);
  const line = fiscalLine({ command: `invoice ${model} get`, positionals: [id], company: companyId });
  const hint = {
    en: `only an invoice that the authority refused has one; see its status: ${line}`,
    pt: `só uma nota recusada pela autoridade tem um; veja a situação: ${line}`,
  };
  return await hintWhenAbsent(
    async () => await Promise.resolve(hint),
    () =>
      readBytes(context, {
        operation: `${model}.rejection.xml`,
        input: { path: { companyId, invoiceId: id } },
        what: { en: 'XML of the rejection', pt: 'XML da rejeição' },
        key: id,
        out,
        timeoutMs,
        expected: { family: 'nfe', part: 'document', anyLayout: true },
      }),
  );
}

async function expectedOf(
  context: Context,
  target: InvoiceTarget & { readonly model: InvoiceModel },
): Promise<ExpectedDocument> {
  const { body } = await fetchInvoice(context, target);
  const accessKey = textField(body['authorization'], 'accessKey') ?? textField(body, 'accessKey');
  const isService = target.model === 'nfse';
  const family = isService ? 'nfse' : 'nfe';
  return { family, part: 'document', accessKey, ...(isService ? { anyLayout: true } : {}) };
}

/**
 * Sends an NFS-e to its taker by e-mail. Every call sends one more e-mail, so a call of unknown outcome is not repeated; it has no
 * legal effect, so it is not a job. Errors: `outcome.ended_badly` for an answer that says so, those of the client.
 */
export async function emailInvoice(context: Context, id: string): Promise<Outcome> {
  const input = { path: { companyId: await companyOf(context), id } };
  if ((await context.settings()).dryRun) return { data: await previewOne(context, 'nfse.email', input) };
  const client = await context.client();
  const answer = await client.call('nfse.email', input, { signal: context.interruption });
  const { status, body } = answer;
  const message = answer.said ?? textField(body, 'message')?.slice(0, MAX_MESSAGE);
  if (fieldOf(body, 'sent') === false) {
    const { en, pt } = invoiceText('nfse', id);
    const what = { en: `the e-mail of ${en}`, pt: `o e-mail de ${pt}` };
    const reason = message ?? { en: 'the service gives no reason', pt: 'o serviço não informa o motivo' };
    throw new FiscalError('outcome.ended_badly', { what, status: 'sent: false', reason }, { sent: 'yes' });
  }
  const said = message === undefined ? {} : { message };
  const { en, pt } = invoiceText('nfse', id);
  const accepted = {
    en: `e-mail of ${en} accepted, not sent yet`,
    pt: `e-mail de ${pt} aceito, ainda não enviado`,
  };
  return {
    data: { id, accepted: status, ...said },
    sentence: sentenceOf('open', accepted),
    notices: [goesOut],
  };
}

const MAX_MESSAGE = 300;

const goesOut = {
  en: 'accepted; the service sends the e-mail in the background',
  pt: 'aceito; o serviço envia o e-mail em segundo plano',
};

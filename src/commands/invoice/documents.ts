import type { Given } from '../../cli/command.js';
import type { Text } from '../../contract/text.js';
import type { Outcome } from '../../domain/outcome.js';
import { fieldOf } from '../../domain/record.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { textField } from '../../jobs/kinds/answer-fields.js';
import type { InvoiceModel } from '../../jobs/kinds/invoice-items.js';
import type { Context } from '../../services/context.js';
import { hintWhenAbsent } from '../../errors/hint-when-absent.js';
import { previewOne } from '../../services/calls/one-call.js';
import { type BytesOutcome, type ExpectedDocument, readBytes } from '../../services/calls/read-bytes.js';
import { fetchInvoice } from './get.js';
import { invoiceText, lineOf } from './invoice.js';
import { type FoundInvoice, invoiceOf } from './model.js';
import { documents, goods } from './options.js';
import type { email, pdf, xml } from './read-commands.js';
import { sentenceOf } from '../../domain/sentence.js';

/** What the service has the bytes of, and of which models. */
const parts = {
  invoice: documents,
  letter: ['nfe'],
  rejection: goods,
  cancellation: ['nfse'],
} as const satisfies Readonly<Record<string, readonly InvoiceModel[]>>;

type Part = keyof typeof parts;

export async function invoiceXml(context: Context, given: Given<typeof xml>): Promise<BytesOutcome> {
  return await readInvoiceBytes(context, { ...given, form: 'xml', force: false });
}

export async function invoicePdf(context: Context, given: Given<typeof pdf>): Promise<BytesOutcome> {
  return await readInvoiceBytes(context, { ...given, form: 'pdf' });
}

interface BytesRequest extends Omit<Given<typeof xml>, 'of'> {
  readonly of: Part;
  readonly form: 'xml' | 'pdf';
  /** Have the service make the PDF of an NF-e or NFC-e anew. */
  readonly force: boolean;
}

/**
 * Downloads the XML or PDF of an issued invoice, of its last correction letter, its rejection or its cancellation, byte for byte.
 * An XML names its invoice by the access key only, so the invoice is read first; the layout of a rejection is not published, and any
 * XML passes. Errors: those of `invoiceOf` and `readBytes`; `service.not_found` for what the invoice does not have.
 */
async function readInvoiceBytes(
  context: Context,
  { of, form, force, out, timeout, ...named }: BytesRequest,
): Promise<BytesOutcome> {
  const command = of === 'invoice' ? `invoice ${form}` : `invoice ${form} --of ${of}`;
  const target = await invoiceOf(context, { ...named, command, models: parts[of] });
  const { dryRun } = await context.settings();
  const expected = form === 'pdf' || dryRun ? undefined : await expectedOf(context, target, of);
  const read = async (): Promise<BytesOutcome> =>
    await readPart(context, target, {
      ...{ of, form, force, what: whatOf(of, form), key: target.id, out, timeout },
      ...(expected === undefined ? {} : { expected }),
    });
  const hint = hintOf(target, of);
  return hint === undefined ? await read() : await hintWhenAbsent(hint, read);
}

type Target = FoundInvoice<InvoiceModel>;

type Common = Omit<Parameters<typeof readBytes>[1], 'operation' | 'input'>;

async function readPart(
  context: Context,
  { model, companyId, id }: Target,
  { of, form, force, ...common }: Common & Pick<BytesRequest, 'of' | 'form' | 'force'>,
): Promise<BytesOutcome> {
  if (model === 'nfse') {
    const input = { path: { companyId, id } };
    return of === 'invoice'
      ? await readBytes(context, { operation: `nfse.${form}`, input, ...common })
      : await readBytes(context, { operation: 'nfse.cancellation.xml', input, ...common });
  }
  const input = { path: { companyId, invoiceId: id }, ...(force ? { query: { force: true } } : {}) };
  if (of === 'letter') return await readBytes(context, { operation: `nfe.letter.${form}`, input, ...common });
  if (of === 'rejection') return await readBytes(context, { operation: `${model}.rejection.xml`, input, ...common });
  return await readBytes(context, { operation: `${model}.${form}`, input, ...common });
}

function whatOf(of: Part, form: 'xml' | 'pdf'): Text {
  switch (of) {
    case 'invoice':
      return { en: form.toUpperCase(), pt: form.toUpperCase() };
    case 'letter':
      return { en: `correction letter (${form})`, pt: `carta de correção (${form})` };
    case 'rejection':
      return { en: 'XML of the rejection', pt: 'XML da rejeição' };
    case 'cancellation':
      return { en: 'XML of the cancellation', pt: 'XML do cancelamento' };
  }
}

/** Why there may be none. */
function hintOf({ model, companyId: company, id }: Target, of: Part): Text | undefined {
  const lineTo = (verb: string): string => lineOf(verb, model, { id, company });
  switch (of) {
    case 'invoice':
      return undefined;
    case 'letter':
      return {
        en: `only an NF-e with an accepted correction letter has one; see its events: ${lineTo('events')}`,
        pt: `só uma NF-e com carta de correção aceita tem uma; veja os eventos: ${lineTo('events')}`,
      };
    case 'rejection':
      return {
        en: `only an invoice that the authority refused has one; see its status: ${lineTo('get')}`,
        pt: `só uma nota recusada pela autoridade tem um; veja a situação: ${lineTo('get')}`,
      };
    case 'cancellation':
      return {
        en: 'that there is none is usual: an NFS-e that is not cancelled has no such XML, nor has one of a city outside the national environment',
        pt: 'não haver um é comum: não tem esse XML a NFS-e que não foi cancelada, nem a de município fora do ambiente nacional',
      };
  }
}

const correctionCode = '110110';

async function expectedOf(context: Context, target: Target, of: Part): Promise<ExpectedDocument> {
  if (of === 'rejection') return { family: 'nfe', part: 'document', anyLayout: true };
  const { body } = await fetchInvoice(context, target);
  const accessKey = textField(body['authorization'], 'accessKey') ?? textField(body, 'accessKey');
  if (of === 'letter') return { family: 'nfe', part: 'event', accessKey, eventCode: correctionCode };
  const part = of === 'invoice' ? 'document' : 'event';
  return target.model === 'nfse'
    ? { family: 'nfse', part, accessKey, anyLayout: true }
    : { family: 'nfe', part, accessKey };
}

/**
 * Sends an NFS-e to its taker by e-mail. Every call sends one more e-mail, so a call of unknown outcome is not repeated; it has no
 * legal effect, so it is not a job. Errors: those of `invoiceOf`, `outcome.ended_badly` for an answer that says so, those of the client.
 */
export async function emailInvoice(context: Context, given: Given<typeof email>): Promise<Outcome> {
  const { companyId, id } = await invoiceOf(context, {
    ...{ command: 'invoice email', models: ['nfse'], model: undefined, id: given.id },
  });
  const input = { path: { companyId, id } };
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
  const accepted = { en: `e-mail of ${en} accepted, not sent yet`, pt: `e-mail de ${pt} aceito, ainda não enviado` };
  return { data: { id, accepted: status, ...said }, sentence: sentenceOf('open', accepted), notices: [goesOut] };
}

const MAX_MESSAGE = 300;

const goesOut = {
  en: 'accepted; the service sends the e-mail in the background',
  pt: 'aceito; o serviço envia o e-mail em segundo plano',
};

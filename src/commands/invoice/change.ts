import { createHash } from 'node:crypto';
import type { Text } from '../../contract/text.js';
import { justificationProblem } from '../../domain/justification.js';
import type { Outcome } from '../../domain/outcome.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { KindFacts } from '../../jobs/kind.js';
import {
  cancelFacts,
  type CancelItem,
  merchandiseCancelCall,
  serviceCancelCall,
} from '../../jobs/kinds/invoice-cancel.js';
import { correctionCall, type CorrectionItem, nfeCorrect } from '../../jobs/kinds/invoice-change.js';
import type { InvoiceModel } from '../../jobs/kinds/invoice-items.js';
import type { Context } from '../../services/context.js';
import { type DryRun, previewOne } from '../../services/calls/one-call.js';
import { companyOf } from '../../services/scope/companies.js';
import { companyNamed } from '../../services/scope/text.js';
import type { FollowOptions } from '../../services/batch/follow.js';
import { requireArrived, runSingle, type SingleResult } from '../../services/batch/single-job.js';
import { changeEndedBadly } from './outcome.js';
import { getLine, invoiceText, modelNames } from './invoice.js';
import { sentenceOf } from '../../domain/sentence.js';

export interface CancelRequest extends FollowOptions {
  readonly model: InvoiceModel;
  readonly id: string;
  /** Required for NF-e and NFC-e. */
  readonly reason: string | undefined;
}

/**
 * Cancels an issued invoice, with consent: a cancellation cannot be undone. A cancellation whose outcome is unknown is
 * looked up in the invoice before it is asked for again. Errors: `usage.*`, `outcome.*`, `service.conflict`, those of the client.
 */
export async function cancelInvoice(context: Context, request: CancelRequest): Promise<Outcome> {
  const { model, id } = request;
  const isOptional = model === 'nfse' && request.reason === undefined;
  const reason = isOptional ? undefined : readReason(request.reason);
  const companyId = await companyOf(context);
  const settings = await context.settings();
  const item: CancelItem = { model, companyId, invoiceId: id, ...(reason === undefined ? {} : { reason }) };
  if (settings.dryRun) return { data: await preview(context, item) };
  const company = await companyNamed(context, companyId);
  await context.consent({ what: cancelling(item, company, settings.storeNamespace) });
  const facts = cancelFacts(model);
  const key = `${companyId} ${id}`;
  const startedAt = context.clock.now();
  const single = await runSingle(
    context,
    {
      kind: facts,
      profile: settings.storeNamespace,
      inputDigest: `cancel ${key}${await freshSuffix(context, facts, `cancel ${key}`)}`,
      scope: { companyId },
      items: [{ ordinal: 1, label: `${modelNames[model].en} ${id}`, dedupeKey: key, input: item }],
    },
    request,
  );
  const named = invoiceText(model, id);
  const what = { en: `the cancellation of ${named.en}`, pt: `o cancelamento de ${named.pt}` };
  const isEarlier = (single.item.settledAt ?? startedAt) < startedAt;
  const done = { en: `${named.en} cancelled`, pt: `${named.pt} cancelada` };
  const outcome = concludeChange({ single, what, done, model, id, wait: request.wait });
  if (!isEarlier) return outcome;
  const earlier = { en: `${named.en} was already cancelled`, pt: `${named.pt} já estava cancelada` };
  return { ...outcome, sentence: sentenceOf('good', earlier), notices: [nothingSent] };
}

const nothingSent: Text = {
  en: 'it was already cancelled; nothing was sent',
  pt: 'já tinha sido cancelada; nada foi enviado',
};

async function preview(context: Context, item: CancelItem): Promise<DryRun> {
  return item.model === 'nfse'
    ? await previewOne(context, 'nfse.cancel', serviceCancelCall(item))
    : await previewOne(context, `${item.model}.cancel`, merchandiseCancelCall(item));
}

function cancelling({ model, invoiceId }: CancelItem, company: string, storeNamespace: string): Text {
  const { en, pt } = invoiceText(model, invoiceId);
  return {
    en: `cancelling ${en} of company ${company} (profile ${storeNamespace})`,
    pt: `cancelar ${pt} da empresa ${company} (perfil ${storeNamespace})`,
  };
}

export interface CorrectRequest extends FollowOptions {
  readonly id: string;
  readonly text: string | undefined;
}

/**
 * Sends a correction letter of an NF-e, the last of which counts (at most 20). The events of the invoice show what an
 * interrupted send left. Errors: `usage.missing`, `input.invalid`, `outcome.*`, `service.conflict`, those of the client.
 */
export async function correctInvoice(context: Context, request: CorrectRequest): Promise<Outcome> {
  const { id, wait } = request;
  const reason = readLetter(request.text);
  const companyId = await companyOf(context);
  const settings = await context.settings();
  const item: CorrectionItem = { companyId, invoiceId: id, reason };
  if (settings.dryRun) return { data: await previewOne(context, 'nfe.correct', correctionCall(item)) };
  const named = invoiceText('nfe', id);
  const company = await companyNamed(context, companyId);
  await context.consent({
    what: {
      en: `sending a correction letter of ${named.en} to the tax authority for company ${company} (profile ${settings.storeNamespace})`,
      pt: `enviar uma carta de correção de ${named.pt} à autoridade fiscal pela empresa ${company} (perfil ${settings.storeNamespace})`,
    },
  });
  const key = `${companyId} ${id} ${createHash('sha256').update(reason).digest('hex')}`;
  const single = await runSingle(
    context,
    {
      kind: nfeCorrect,
      profile: settings.storeNamespace,
      inputDigest: `correct ${key}${await freshSuffix(context, nfeCorrect, `correct ${key}`)}`,
      scope: { companyId },
      items: [{ ordinal: 1, label: `NF-e ${id}`, dedupeKey: key, input: item }],
    },
    request,
  );
  const what = { en: `the correction letter of ${named.en}`, pt: `a carta de correção de ${named.pt}` };
  const done = {
    en: `correction letter of ${named.en} accepted by the tax authority`,
    pt: `carta de correção de ${named.pt} aceita pela autoridade fiscal`,
  };
  return concludeChange({ single, what, done, model: 'nfe', id, wait });
}

interface ChangeResult {
  readonly single: SingleResult;
  /** `the cancellation of NF-e 6f1c…`. */
  readonly what: Text;
  /** `NF-e 6f1c… cancelled`. */
  readonly done: Text;
  readonly model: InvoiceModel;
  readonly id: string;
  readonly wait: boolean;
}

/**
 * The result of a cancellation or a correction. Errors: `outcome.unknown`, `outcome.ended_badly`, `outcome.still_pending`,
 * `service.conflict`, `job.key_held`, and what stopped the run.
 */
export function concludeChange({ single, what, done, model, id, wait }: ChangeResult): Outcome {
  const { item, result, said } = single;
  const { jobId, remoteStatus: status = item.state } = item;
  if (item.state === 'skipped') throw conflict(single, model, id);
  if (item.state === 'rejected') throw changeEndedBadly(what, { ...item, status, jobId });
  requireArrived(single);
  const message = said === undefined ? {} : { message: said };
  const data = { type: 'invoice', id, status, state: item.state, jobId, ...message };
  if (item.state !== 'pending') return { data, sentence: sentenceOf('good', done) };
  const resume = getLine(model, id, { wait: false });
  if (!wait) return { data, sentence: sentenceOf('open', underWay(done)), notices: [goesOn(resume)] };
  if (result.error !== undefined) throw result.error.with({ jobId, resume });
  const seconds = Math.round(result.elapsedMs / 1000);
  throw new FiscalError('outcome.still_pending', { what, status, seconds }, { sent: 'yes', jobId, resume });
}

function underWay({ en, pt }: Text): Text {
  return { en: `accepted, not done yet: ${en}`, pt: `recebido, ainda não concluído: ${pt}` };
}

/** 409: the state of the invoice allows no change, and no change of ours is pending. */
function conflict({ item }: SingleResult, model: InvoiceModel, id: string): FiscalError {
  const { jobId, duplicateOf, label, errorMessage } = item;
  if (duplicateOf !== undefined)
    return new FiscalError('job.key_held', { label, id: duplicateOf }, { jobId });
  const hint = {
    en: `see its state: ${getLine(model, id, { wait: false })}`,
    pt: `veja a situação: ${getLine(model, id, { wait: false })}`,
  };
  const message = errorMessage?.replace(/^conflict \(HTTP 409\): /, '') ?? label;
  return new FiscalError('service.conflict', { message }, { jobId, httpStatus: 409, sent: 'yes', hint });
}

/** A 409 is final for its item; the same command later is a new request. */
export async function freshSuffix<Input>(
  context: Context,
  { submit }: KindFacts<Input>,
  inputDigest: string,
): Promise<string> {
  const store = await context.store();
  const { storeNamespace } = await context.settings();
  const job = await store.jobs.find({ operation: submit, profile: storeNamespace, inputDigest });
  const [item] = job === undefined ? [] : await store.items.list(job.id, { limit: 1 });
  return item?.state === 'skipped' ? ` again ${context.random.uuid()}` : '';
}

function goesOn(command: string): Text {
  return {
    en: `accepted; the service continues in the background: ${command}`,
    pt: `aceito; o serviço continua em segundo plano: ${command}`,
  };
}

/** The reason of a cancellation or a disablement, 15 to 255 characters of the layout. Errors: `usage.missing`, `input.invalid`. */
export function readReason(reason: string | undefined): string {
  if (reason === undefined) throw new FiscalError('usage.missing', { names: '--reason' }, { sent: 'no' });
  return checked(reason, justificationProblem(reason));
}

/** The text of a correction letter, 15 to 1,000 characters. Errors: `usage.missing`, `input.invalid`. */
export function readLetter(text: string | undefined): string {
  if (text === undefined) throw new FiscalError('usage.missing', { names: '--text' }, { sent: 'no' });
  const isFit = text.length >= 15 && text.length <= 1_000 && text.trim() === text;
  return checked(text, isFit ? undefined : lengthOf(text.length));
}

function checked(text: string, message: Text | undefined): string {
  if (message === undefined) return text;
  const what = { en: 'the reason', pt: 'o motivo' };
  throw new FiscalError('input.invalid', { what }, { details: [{ field: 'reason', message }], sent: 'no' });
}

function lengthOf(found: number): Text {
  return {
    en: `needs 15 to 1000 characters, without spaces at the ends, and has ${found}`,
    pt: `precisa de 15 a 1000 caracteres, sem espaços nas pontas, e tem ${found}`,
  };
}

import { createHash } from 'node:crypto';
import type { Text } from '../../contract/text.js';
import { justificationProblem } from '../../domain/justification.js';
import type { Outcome } from '../../domain/outcome.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { KindFacts } from '../../jobs/kind.js';
import {
  cancelFacts,
  type CancelItem,
  correctionCall,
  type CorrectionItem,
  merchandiseCancelCall,
  nfeCorrect,
  serviceCancelCall,
} from '../../jobs/kinds/invoice-change.js';
import type { InvoiceModel } from '../../jobs/kinds/invoice-items.js';
import type { Context } from '../../services/context.js';
import { type DryRun, previewOne } from '../../services/calls/one-call.js';
import { companyNamed } from '../../services/scope/text.js';
import type { FollowOptions } from '../../services/batch/follow.js';
import {
  conflictWords,
  requireArrived,
  saidIn,
  runSingle,
  type SingleResult,
} from '../../services/batch/single-job.js';
import { changeEndedBadly } from './outcome.js';
import { getLine, invoiceText } from './invoice.js';
import type { ItemRow } from '../../store/store.js';
import type { Given } from '../../cli/command.js';
import type { cancel, correct } from './change-commands.js';
import { invoiceOf } from './model.js';
import { documents } from './options.js';
import { sentenceOf } from '../../domain/sentence.js';

/**
 * Cancels an issued invoice, with consent: a cancellation cannot be undone. A cancellation whose outcome is unknown is
 * looked up in the invoice before it is asked for again. Errors: those of `invoiceOf`, `usage.*`, `outcome.*`, `service.conflict`, those of the client.
 */
export async function cancelInvoice(context: Context, given: Given<typeof cancel>): Promise<Outcome> {
  const { reason: typed } = given;
  const named = typed === undefined ? undefined : readReason(typed);
  const { model, companyId, id } = await invoiceOf(context, {
    ...{ command: 'invoice cancel', models: documents, model: given.model, id: given.id },
  });
  const reason = model === 'nfse' ? named : readReason(typed);
  const item: CancelItem = { model, companyId, invoiceId: id, ...(reason === undefined ? {} : { reason }) };
  if ((await context.settings()).dryRun) return { data: await preview(context, item) };
  const { en, pt } = invoiceText(model, id);
  const startedAt = context.clock.now();
  const single = await changeWithConsent(
    context,
    {
      ...{ kind: cancelFacts(model), verb: 'cancel', companyId, key: id, input: item, label: en },
      asks: { en: `cancelling ${en}`, pt: `cancelar ${pt}` },
    },
    given,
  );
  const what = { en: `the cancellation of ${en}`, pt: `o cancelamento de ${pt}` };
  const isEarlier = (single.item.settledAt ?? startedAt) < startedAt;
  const done = { en: `${en} cancelled`, pt: `${pt} cancelada` };
  const outcome = concludeChange({ single, what, done, model, id, wait: given.wait });
  if (!isEarlier) return outcome;
  const earlier = { en: `${en} was already cancelled`, pt: `${pt} já estava cancelada` };
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

interface Change<Input> {
  readonly kind: KindFacts<Input>;
  readonly verb: string;
  readonly companyId: string;
  /** What may be changed once, within the company. */
  readonly key: string;
  readonly label: string;
  readonly input: Input;
  /** `cancelling NF-e 6f1c…`. */
  readonly asks: Text;
}

/** Asks for consent, and makes one change as a job of one item. A 409 is final for its item; the same command later is a new request. */
export async function changeWithConsent<Input>(
  context: Context,
  { kind, verb, companyId, key, label, input, asks }: Change<Input>,
  follow: Omit<FollowOptions, 'retryBillable'>,
): Promise<SingleResult> {
  const { storeNamespace: profile } = await context.settings();
  const company = await companyNamed(context, companyId);
  await context.consent({
    what: {
      en: `${asks.en} of company ${company} (profile ${profile})`,
      pt: `${asks.pt} da empresa ${company} (perfil ${profile})`,
    },
  });
  const dedupeKey = `${companyId} ${key}`;
  const digest = `${verb} ${dedupeKey}`;
  const { jobs, items } = await context.store();
  const job = await jobs.find({ operation: kind.submit, profile, inputDigest: digest });
  const [last] = job === undefined ? [] : await items.list(job.id, { limit: 1 });
  const again = last?.state === 'skipped' ? ` again ${context.random.uuid()}` : '';
  const item = { ordinal: 1, label, dedupeKey, input };
  const request = { kind, profile, inputDigest: digest + again, scope: { companyId }, items: [item] };
  return await runSingle(context, request, { ...follow, retryBillable: false });
}

/**
 * Sends a correction letter of an NF-e, the last of which counts (at most 20). The events of the invoice show what an
 * interrupted send left. Errors: `usage.missing`, `input.invalid`, `outcome.*`, `service.conflict`, those of the client.
 */
export async function correctInvoice(context: Context, given: Given<typeof correct>): Promise<Outcome> {
  const { wait } = given;
  const reason = readLetter(given.text);
  const { companyId, id } = await invoiceOf(context, {
    ...{ command: 'invoice correct', models: ['nfe'], model: undefined, id: given.id },
  });
  const input: CorrectionItem = { companyId, invoiceId: id, reason };
  if ((await context.settings()).dryRun)
    return { data: await previewOne(context, 'nfe.correct', correctionCall(input)) };
  const named = invoiceText('nfe', id);
  const key = `${id} ${createHash('sha256').update(reason).digest('hex')}`;
  const single = await changeWithConsent(
    context,
    {
      ...{ kind: nfeCorrect, verb: 'correct', companyId, key, input, label: named.en },
      asks: {
        en: `sending the tax authority a correction letter of ${named.en}`,
        pt: `enviar à autoridade fiscal uma carta de correção de ${named.pt}`,
      },
    },
    given,
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
  const { item, result } = single;
  const said = saidIn(single.events);
  const { jobId, remoteStatus: status = item.state } = item;
  if (item.state === 'skipped') throw conflict(item, seeState(getLine(model, id, { wait: false })));
  if (item.state === 'rejected') throw changeEndedBadly(what, { ...item, status, jobId });
  requireArrived(single);
  const message = said === undefined ? {} : { message: said };
  const data = { type: 'invoice', id, status, state: item.state, jobId, ...message };
  if (item.state !== 'pending') return { data, sentence: sentenceOf('good', done) };
  const resume = getLine(model, id, { wait: false });
  if (!wait)
    return {
      data,
      sentence: sentenceOf('open', {
        en: `accepted, not done yet: ${done.en}`,
        pt: `recebido, ainda não concluído: ${done.pt}`,
      }),
      notices: [goesOn(resume)],
    };
  if (result.error !== undefined) throw result.error.with({ jobId, resume });
  const seconds = Math.round(result.elapsedMs / 1000);
  throw new FiscalError('outcome.still_pending', { what, status, seconds }, { sent: 'yes', jobId, resume });
}

/** 409: the state of the invoice, or of the numbers, allows no change, and no change of ours is pending. */
export function conflict(item: ItemRow, hint: Text | undefined): FiscalError {
  const { jobId, duplicateOf, label } = item;
  if (duplicateOf !== undefined) return new FiscalError('job.key_held', { label, id: duplicateOf }, { jobId });
  const message = conflictWords(item) ?? label;
  const facts = { jobId, httpStatus: 409, sent: 'yes' } as const;
  return new FiscalError('service.conflict', { message }, { ...facts, ...(hint && { hint }) });
}

function seeState(line: string): Text {
  return { en: `see its state: ${line}`, pt: `veja a situação: ${line}` };
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
function readLetter(text: string | undefined): string {
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

import type { DisablementInput } from '../../contract/invoice.js';
import type { Text } from '../../contract/text.js';
import { stateNames } from '../../domain/address.js';
import type { Outcome } from '../../domain/outcome.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import {
  disableCall,
  disableFacts,
  disableInvoiceCall,
  type DisableItem,
  type InvoiceDisableItem,
  nfeDisableInvoice,
} from '../../jobs/kinds/invoice-change.js';
import type { FollowOptions } from '../../services/batch/follow.js';
import type { MerchandiseModel } from '../../jobs/kinds/invoice-items.js';
import type { ItemRow } from '../../store/store.js';
import type { Context } from '../../services/context.js';
import { previewOne } from '../../services/calls/one-call.js';
import { companyOf } from '../../services/scope/companies.js';
import { companyNamed } from '../../services/scope/text.js';
import { runSingle, type SingleResult, unknownOutcome } from '../../services/batch/single-job.js';
import { changeEndedBadly } from './outcome.js';
import { concludeChange, freshSuffix, readReason } from './change.js';
import { invoiceText, modelNames } from './invoice.js';
import { sentenceOf } from '../../domain/sentence.js';

export interface DisableRequest {
  readonly model: MerchandiseModel;
  readonly environment: 'Production' | 'Test';
  readonly serie: number;
  readonly state: string;
  readonly from: number;
  readonly to: number;
  readonly reason: string | undefined;
}

const MAX_NUMBER = 999_999_999;
const MAX_NUMBERS = 10_000;

/**
 * Disables numbers of a serie that were skipped, with consent: they can never be issued. Answered at once; after an
 * interruption it is asked for again, and a 409 then says that the numbers are disabled or issued already.
 * Errors: `usage.*`, `input.invalid`, `outcome.*`, `service.conflict`, those of the client.
 */
export async function disableNumbers(context: Context, request: DisableRequest): Promise<Outcome> {
  const { model } = request;
  const disablement = readDisablement(request);
  const companyId = await companyOf(context);
  const settings = await context.settings();
  const item: DisableItem = { model, companyId, disablement };
  if (settings.dryRun) return { data: await previewOne(context, `${model}.disable`, disableCall(item)) };
  const what = rangeText(model, disablement);
  const company = await companyNamed(context, companyId);
  await context.consent({
    what: {
      en: `disabling ${what.en} of company ${company} (profile ${settings.storeNamespace})`,
      pt: `inutilizar ${what.pt} da empresa ${company} (perfil ${settings.storeNamespace})`,
    },
  });
  const facts = disableFacts(model);
  const { environment, serie, beginNumber, lastNumber } = disablement;
  const key = `${companyId} ${environment} ${serie} ${beginNumber}-${lastNumber}`;
  const single = await runSingle(
    context,
    {
      kind: facts,
      profile: settings.storeNamespace,
      inputDigest: `disable ${key}${await freshSuffix(context, facts, `disable ${key}`)}`,
      scope: { companyId },
      items: [{ ordinal: 1, label: `${serie}/${beginNumber}-${lastNumber}`, dedupeKey: key, input: item }],
    },
    { wait: false, timeoutMs: 0, intervalMs: 0, retryBillable: false },
  );
  return conclude(single, what, disablement);
}

export interface DisableInvoiceRequest extends FollowOptions {
  readonly id: string;
  readonly reason: string | undefined;
}

/**
 * Disables the number of one failed NF-e, with consent. An unknown outcome is looked up in the invoice, whose status
 * becomes `Disabled`. Errors: `usage.*`, `input.invalid`, `outcome.*`, `service.conflict`, those of the client.
 */
export async function disableInvoice(context: Context, request: DisableInvoiceRequest): Promise<Outcome> {
  const { id, wait } = request;
  const reason = readReason(request.reason);
  const companyId = await companyOf(context);
  const { dryRun, storeNamespace } = await context.settings();
  const item: InvoiceDisableItem = { companyId, invoiceId: id, reason };
  if (dryRun) return { data: await previewOne(context, 'nfe.disableInvoice', disableInvoiceCall(item)) };
  const named = invoiceText('nfe', id);
  const what = { en: `the disablement of ${named.en}`, pt: `a inutilização de ${named.pt}` };
  const company = await companyNamed(context, companyId);
  await context.consent({
    what: {
      en: `disabling the number of ${named.en} of company ${company} (profile ${storeNamespace})`,
      pt: `inutilizar o número de ${named.pt} da empresa ${company} (perfil ${storeNamespace})`,
    },
  });
  const key = `${companyId} ${id}`;
  const single = await runSingle(
    context,
    {
      kind: nfeDisableInvoice,
      profile: storeNamespace,
      inputDigest: `disable ${key}${await freshSuffix(context, nfeDisableInvoice, `disable ${key}`)}`,
      scope: { companyId },
      items: [{ ordinal: 1, label: `NF-e ${id}`, dedupeKey: key, input: item }],
    },
    request,
  );
  const done = { en: `the number of ${named.en} is disabled`, pt: `número de ${named.pt} inutilizado` };
  return concludeChange({ single, what, done, model: 'nfe', id, wait });
}

function conclude({ item, result }: SingleResult, what: Text, disablement: DisablementInput): Outcome {
  const { jobId, remoteStatus: status = 'Disabled', resourceId: protocol } = item;
  if (item.state === 'uncertain') throw unknownOutcome(item);
  if (item.state === 'skipped') throw conflict(item);
  if (item.state === 'rejected') throw changeEndedBadly(what, { ...item, status, jobId });
  if (item.state !== 'succeeded') throw failure(item, result.error);
  return {
    data: {
      type: 'disablement',
      ...disablement,
      status,
      ...(protocol === undefined ? {} : { protocol }),
      jobId,
    },
    sentence: sentenceOf('good', { en: `disabled: ${what.en}`, pt: `inutilizados: ${what.pt}` }),
  };
}

function failure(
  { errorMessage, label, jobId, state }: ItemRow,
  error: FiscalError | undefined,
): FiscalError {
  if (error !== undefined) return error.with({ jobId });
  const reason = errorMessage ?? { en: 'no reason was kept', pt: 'nenhum motivo foi registrado' };
  return new FiscalError('outcome.ended_badly', { what: label, status: state, reason }, { jobId });
}

function conflict({ jobId, duplicateOf, label, errorMessage, attempts }: ItemRow): FiscalError {
  if (duplicateOf !== undefined)
    return new FiscalError('job.key_held', { label, id: duplicateOf }, { jobId });
  const message = errorMessage?.replace(/^conflict \(HTTP 409\): /, '') ?? label;
  const hint: Text = {
    en: 'an interrupted run of this command may have disabled them',
    pt: 'um envio interrompido deste mesmo comando pode tê-los inutilizado',
  };
  const facts = { jobId, httpStatus: 409, sent: 'yes' } as const;
  return new FiscalError('service.conflict', { message }, attempts > 1 ? { ...facts, hint } : facts);
}

function readDisablement(request: DisableRequest): DisablementInput {
  const { environment, serie, from, to } = request;
  const state = request.state.toUpperCase();
  const problems: { readonly field: string; readonly message: Text }[] = [];
  if (!stateNames.includes(state) || state === 'EX') {
    problems.push({
      field: 'state',
      message: { en: 'is no state, such as SP', pt: 'não é uma UF, como SP' },
    });
  }
  if (serie > 969) problems.push({ field: 'serie', message: atMost(969) });
  if (from > MAX_NUMBER) problems.push({ field: 'from', message: atMost(MAX_NUMBER) });
  if (to > MAX_NUMBER) problems.push({ field: 'to', message: atMost(MAX_NUMBER) });
  if (to < from)
    problems.push({ field: 'to', message: { en: 'is before --from', pt: 'é menor que --from' } });
  else if (to - from >= MAX_NUMBERS) problems.push({ field: 'to', message: tooMany });
  if (problems.length > 0) {
    const what = { en: 'the range', pt: 'a faixa' };
    throw new FiscalError('input.invalid', { what }, { details: problems, sent: 'no' });
  }
  return { environment, serie, state, beginNumber: from, lastNumber: to, reason: readReason(request.reason) };
}

function rangeText(
  model: MerchandiseModel,
  { serie, beginNumber, lastNumber, environment }: DisablementInput,
): Text {
  const name = modelNames[model];
  return {
    en: `the numbers ${beginNumber} to ${lastNumber} of serie ${serie} (${name.en}, ${environment})`,
    pt: `os números ${beginNumber} a ${lastNumber} da série ${serie} (${name.pt}, ${environment})`,
  };
}

function atMost(limit: number): Text {
  return { en: `may be at most ${limit}`, pt: `pode ser no máximo ${limit}` };
}

const tooMany: Text = {
  en: `at most ${MAX_NUMBERS} numbers can be disabled at once`,
  pt: `no máximo ${MAX_NUMBERS} números podem ser inutilizados de uma vez`,
};

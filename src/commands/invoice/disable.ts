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
import type { Given } from '../../cli/command.js';
import type { MerchandiseModel } from '../../jobs/kinds/invoice-items.js';
import type { Context } from '../../services/context.js';
import { previewOne } from '../../services/calls/one-call.js';
import { companyOf } from '../../services/scope/companies.js';
import { requireArrived, type SingleResult } from '../../services/batch/single-job.js';
import { changeEndedBadly } from './outcome.js';
import type { disable } from './change-commands.js';
import { changeWithConsent, concludeChange, conflict, readReason } from './change.js';
import { invoiceText, modelNames } from './invoice.js';
import { invoiceOf, modelMissing } from './model.js';
import { goods } from './options.js';
import { sentenceOf } from '../../domain/sentence.js';

type DisableGiven = Given<typeof disable>;

const MAX_NUMBER = 999_999_999;
const MAX_NUMBERS = 10_000;

/** Disables the number of one invoice, or numbers that were skipped. Errors: those of the two. */
export async function disableInvoice(context: Context, given: DisableGiven): Promise<Outcome> {
  return given.id === undefined ? await disableNumbers(context, given) : await disableOne(context, given, given.id);
}

/**
 * Disables numbers of a serie that were skipped, with consent: they can never be issued. Answered at once; after an
 * interruption it is asked for again, and a 409 then says that the numbers are disabled or issued already.
 * Errors: `usage.*`, `input.invalid`, `outcome.*`, `service.conflict`, those of the client.
 */
async function disableNumbers(context: Context, given: DisableGiven): Promise<Outcome> {
  const { model } = given;
  const disablement = readDisablement(given);
  if (model === undefined) throw await modelMissing(context, goods);
  const companyId = await companyOf(context);
  const input: DisableItem = { model, companyId, disablement };
  if ((await context.settings()).dryRun)
    return { data: await previewOne(context, `${model}.disable`, disableCall(input)) };
  const what = rangeText(model, disablement);
  const { environment, serie, beginNumber, lastNumber } = disablement;
  const numbers = `${beginNumber}-${lastNumber}`;
  const single = await changeWithConsent(
    context,
    {
      ...{ kind: disableFacts(model), verb: 'disable', companyId, input },
      ...{ key: `${environment} ${serie} ${numbers}`, label: `${serie}/${numbers}` },
      asks: { en: `disabling ${what.en}`, pt: `inutilizar ${what.pt}` },
    },
    { wait: false, timeout: 0, interval: 0 },
  );
  return conclude(single, what, disablement);
}

/**
 * Disables the number of one failed NF-e, with consent. An unknown outcome is looked up in the invoice, whose status
 * becomes `Disabled`. Errors: those of `invoiceOf`, `usage.*`, `input.invalid`, `outcome.*`, `service.conflict`, those of the client.
 */
async function disableOne(context: Context, given: DisableGiven, named: string): Promise<Outcome> {
  const { wait } = given;
  const reason = readReason(given.reason);
  const { companyId, id } = await invoiceOf(context, {
    ...{ command: 'invoice disable <id>', models: ['nfe'], model: given.model, id: named },
  });
  const input: InvoiceDisableItem = { companyId, invoiceId: id, reason };
  if ((await context.settings()).dryRun)
    return { data: await previewOne(context, 'nfe.disableInvoice', disableInvoiceCall(input)) };
  const { en, pt } = invoiceText('nfe', id);
  const what = { en: `the disablement of ${en}`, pt: `a inutilização de ${pt}` };
  const single = await changeWithConsent(
    context,
    {
      ...{ kind: nfeDisableInvoice, verb: 'disable', companyId, key: id, input, label: en },
      asks: { en: `disabling the number of ${en}`, pt: `inutilizar o número de ${pt}` },
    },
    given,
  );
  const done = { en: `the number of ${en} is disabled`, pt: `número de ${pt} inutilizado` };
  return concludeChange({ single, what, done, model: 'nfe', id, wait });
}

function conclude(single: SingleResult, what: Text, disablement: DisablementInput): Outcome {
  const { item } = single;
  const { jobId, remoteStatus: status, resourceId: protocol } = item;
  if (item.state === 'skipped') throw conflict(item, item.attempts > 1 ? mayBeOurs : undefined);
  if (item.state === 'rejected') throw changeEndedBadly(what, { ...item, status: status ?? item.state, jobId });
  requireArrived(single);
  return {
    data: {
      type: 'disablement',
      ...disablement,
      ...(status === undefined ? {} : { status }),
      ...(protocol === undefined ? {} : { protocol }),
      jobId,
    },
    sentence: sentenceOf('good', { en: `disabled: ${what.en}`, pt: `inutilizados: ${what.pt}` }),
  };
}

const mayBeOurs: Text = {
  en: 'an interrupted run of this command may have disabled them',
  pt: 'um envio interrompido deste mesmo comando pode tê-los inutilizado',
};

function readDisablement(given: DisableGiven): DisablementInput {
  const { environment, serie, from } = given;
  if (serie === undefined || from === undefined || given.state === undefined) {
    const needed = Object.entries({ serie, from, state: given.state });
    const names = needed.flatMap(([name, value]) => (value === undefined ? [`--${name}`] : []));
    const orInvoice = names.length === needed.length ? '<id> / ' : '';
    throw new FiscalError('usage.missing', { names: orInvoice + names.join(', ') }, { sent: 'no' });
  }
  const { to = from } = given;
  const state = given.state.toUpperCase();
  const problems: { readonly field: string; readonly message: Text }[] = [];
  if (!stateNames.includes(state) || state === 'EX') {
    problems.push({ field: 'state', message: { en: 'is no state, such as SP', pt: 'não é uma UF, como SP' } });
  }
  if (serie > 969) problems.push({ field: 'serie', message: atMost(969) });
  if (from > MAX_NUMBER) problems.push({ field: 'from', message: atMost(MAX_NUMBER) });
  if (to > MAX_NUMBER) problems.push({ field: 'to', message: atMost(MAX_NUMBER) });
  if (to < from) problems.push({ field: 'to', message: { en: 'is before --from', pt: 'é menor que --from' } });
  else if (to - from >= MAX_NUMBERS) problems.push({ field: 'to', message: tooMany });
  if (problems.length > 0) {
    const what = { en: 'the range', pt: 'a faixa' };
    throw new FiscalError('input.invalid', { what }, { details: problems, sent: 'no' });
  }
  return { environment, serie, state, beginNumber: from, lastNumber: to, reason: readReason(given.reason) };
}

function rangeText(model: MerchandiseModel, { serie, beginNumber, lastNumber, environment }: DisablementInput): Text {
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

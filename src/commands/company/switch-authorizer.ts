import type { Given } from '../../cli/command.js';
import type { switchAuthorizer as definition } from './registration-commands.js';
import type { Text } from '../../contract/text.js';
import { justificationProblem } from '../../domain/justification.js';
import type { Outcome } from '../../domain/outcome.js';
import { isRecord } from '../../domain/record.js';
import { sentenceOf } from '../../domain/sentence.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { hintWhenAbsent } from '../../errors/hint-when-absent.js';
import { invalidValue } from '../../errors/invalid-value.js';
import { registrationsHint } from '../../jobs/resources/registration.js';
import { previewOne } from '../../services/calls/one-call.js';
import type { Context } from '../../services/context.js';
import { companyOf } from '../../services/scope/companies.js';
import { companyNamed } from '../../services/scope/text.js';

/**
 * Switches who authorises the invoices of a registration, after consent. No read shows the authorizer, so an unknown
 * outcome is resolved by the same command again: what it asks for is a state, not a step. Errors: `usage.*`, `outcome.unknown`.
 */
export async function switchAuthorizer(context: Context, given: Given<typeof definition>): Promise<Outcome> {
  const { stateTaxId, to } = given;
  if (to === undefined) throw new FiscalError('usage.missing', { names: '--to' }, { sent: 'no' });
  const reason = readReason(to, given.reason);
  const companyId = await companyOf(context);
  const path = { companyId, stateTaxId };
  const input = { path, body: { authorizer: to, ...(reason === undefined ? {} : { reason }) } };
  const { dryRun, storeNamespace } = await context.settings();
  if (dryRun) return { data: await previewOne(context, 'stateTax.switchAuthorizer', input) };
  const company = await companyNamed(context, companyId);
  await context.consent({ what: switching({ stateTaxId, company, to, storeNamespace }) });
  const client = await context.client();
  try {
    const { body } = await hintWhenAbsent(registrationsHint(companyId), () =>
      client.call('stateTax.switchAuthorizer', input, { signal: context.interruption }),
    );
    const answer: unknown = body;
    const data = { companyId, stateTaxId, toAuthorizer: to, ...(isRecord(answer) ? answer : {}) };
    return { data, sentence: sentenceOf('good', switched(stateTaxId, to)) };
  } catch (error) {
    throw error instanceof FiscalError && error.facts.sent === 'unknown' ? unknownSwitch(error) : error;
  }
}

/** EPEC needs a reason, which the authority prints on the DANFE. */
function readReason(to: 'Normal' | 'EPEC', reason: string | undefined): string | undefined {
  if (reason === undefined && to === 'Normal') return undefined;
  if (reason === undefined) throw new FiscalError('usage.missing', { names: '--reason' }, { sent: 'no' });
  const problem = justificationProblem(reason);
  if (problem !== undefined) throw invalidValue('--reason', reason, problem);
  return reason;
}

function unknownSwitch({ text, facts }: FiscalError): FiscalError {
  const hint = {
    en: 'run the same command again: it names the authorizer that is to be in force, so a repeat changes nothing more',
    pt: 'execute o mesmo comando de novo: ele indica o autorizador que deve valer, e repetir não muda mais nada',
  };
  return new FiscalError('outcome.unknown', { reason: text }, { ...facts, retryable: false, hint });
}

interface Switching {
  readonly stateTaxId: string;
  readonly company: string;
  readonly to: string;
  readonly storeNamespace: string;
}

function switching({ stateTaxId, company, to, storeNamespace }: Switching): Text {
  return {
    en: `switching the state registration ${stateTaxId} of company ${company} to ${to} (profile ${storeNamespace}): every NF-e below it is authorised there from now on`,
    pt: `passar a inscrição estadual ${stateTaxId} da empresa ${company} para ${to} (perfil ${storeNamespace}): toda NF-e dela passa a ser autorizada por ali`,
  };
}

function switched(stateTaxId: string, to: string): Text {
  return {
    en: `the service took the switch of the state registration ${stateTaxId} to ${to}`,
    pt: `o serviço aceitou a troca da inscrição estadual ${stateTaxId} para ${to}`,
  };
}

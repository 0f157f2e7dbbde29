import type { StateTaxInput } from '../../contract/tax-registration.js';
import type { Text } from '../../contract/text.js';
import { justificationProblem } from '../../domain/justification.js';
import type { Outcome } from '../../domain/outcome.js';
import { fieldOf, isRecord } from '../../domain/record.js';
import { checkStateTax, stateTaxFields } from '../../domain/tax-registration-check.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { invalidValue } from '../../errors/invalid-value.js';
import type { Io } from '../../io/io.js';
import { stateTaxCreate } from '../../jobs/kinds/tax-registration.js';
import type { JsonObject } from '../../domain/field-changes.js';
import { previewOne } from '../../services/calls/one-call.js';
import type { Context } from '../../services/context.js';
import { readSecretLine } from '../../services/input/secret.js';
import { companyOf } from '../../services/scope/companies.js';
import { companyNamed } from '../../services/scope/text.js';
import { type RegistrationReads, withListHint } from './registration-read.js';
import {
  createRegistration,
  creationFamily,
  type RegistrationForm,
  updateRegistration,
  type WrittenRegistration,
} from './registration-write.js';
import { sentenceOf } from '../../domain/sentence.js';

export const stateTaxReads: RegistrationReads = {
  ...{ noun: 'state-tax', envelope: 'stateTax' },
  get: (make, { companyId, id }) => make('stateTax.get', { path: { companyId, stateTaxId: id } }),
};

const stateTaxForm: RegistrationForm = {
  ...stateTaxReads,
  name: { en: 'the state registration', pt: 'a inscrição estadual' },
  fields: stateTaxFields,
  secretsOption: '--csc-id <id>',
  check: checkStateTax,
  create: (make, companyId, registration) =>
    make('stateTax.create', { path: { companyId }, body: { stateTax: bodyOf(registration) } }),
  update: (make, { companyId, id }, registration) =>
    make('stateTax.update', {
      path: { companyId, stateTaxId: id },
      body: { stateTax: bodyOf(registration) },
    }),
  lossOfSecrets: lossOfCsc,
};

/** The checks have shown that these are its fields. */
function bodyOf(fields: JsonObject): StateTaxInput {
  const { code, taxNumber, type, ...others } = fields;
  return { ...others, code: String(code), taxNumber: String(taxNumber), type: String(type) };
}

/** An update replaces the whole; what the service does not show cannot be sent back. */
function lossOfCsc(standing: JsonObject, merged: JsonObject): Text | undefined {
  const credential = merged['securityCredential'];
  const isShown = fieldOf(credential, 'code') !== undefined;
  if (isShown || !isRecord(standing['securityCredential']) || !isRecord(credential)) return undefined;
  return {
    en: 'the service does not show the code of the CSC: if the update drops it, set it again (--csc-id, --csc-file)',
    pt: 'o serviço não mostra o código do CSC: se a alteração o apagar, grave-o de novo (--csc-id, --csc-file)',
  };
}

/** Creates a state registration. Errors: those of `createRegistration`. */
export async function createStateTax(context: Context, written: WrittenRegistration): Promise<Outcome> {
  return await createRegistration(context, stateTaxForm, {
    ...written,
    creation(companyId, { securityCredential, ...registration }) {
      const stateTax = bodyOf(registration);
      return {
        ...{ kind: stateTaxCreate, registration, input: { companyId, stateTax } },
        label: `${stateTax.code} ${stateTax.taxNumber} ${stateTax.type}`,
        secrets: securityCredential === undefined ? {} : { securityCredential },
      };
    },
  });
}

/** Changes a state registration. Errors: those of `updateRegistration`. */
export async function updateStateTax(
  context: Context,
  id: string,
  written: WrittenRegistration,
): Promise<Outcome> {
  return await updateRegistration(context, stateTaxForm, { ...written, id });
}

export interface SwitchRequest {
  readonly stateTaxId: string;
  /** As the service names it: `Normal` or `EPEC`. */
  readonly to: 'Normal' | 'EPEC' | undefined;
  readonly reason: string | undefined;
}

/**
 * Switches who authorises the invoices of a registration, after consent. No read shows the authorizer, so an unknown
 * outcome is resolved by the same command again: what it asks for is a state, not a step. Errors: `usage.*`, `outcome.unknown`.
 */
export async function switchAuthorizer(context: Context, request: SwitchRequest): Promise<Outcome> {
  const { stateTaxId, to } = request;
  if (to === undefined) throw new FiscalError('usage.missing', { names: '--to' }, { sent: 'no' });
  const reason = readReason(to, request.reason);
  const companyId = await companyOf(context);
  const path = { companyId, stateTaxId };
  const input = { path, body: { authorizer: to, ...(reason === undefined ? {} : { reason }) } };
  const { dryRun, storeNamespace } = await context.settings();
  if (dryRun) return { data: await previewOne(context, 'stateTax.switchAuthorizer', input) };
  const company = await companyNamed(context, companyId);
  await context.consent({ what: switching({ stateTaxId, company, to, storeNamespace }) });
  const client = await context.client();
  try {
    const { body } = await withListHint(stateTaxReads, { companyId, id: stateTaxId }, () =>
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

/** Reads the CSC from a file, stdin (`-`) or a prompt, never from an argument. Errors: `usage.missing`, `input.*`. */
export async function gatherCsc(
  context: Context,
  io: Io,
  { id, file }: { readonly id: number | undefined; readonly file: string | undefined },
): Promise<Required<StateTaxInput>['securityCredential'] | undefined> {
  if (id === undefined) return undefined;
  if (file !== undefined) {
    const code = (await readSecretLine(context, file))?.trim();
    if (code !== undefined && code !== '') return { id, code };
    const message = {
      en: `no CSC in the first line of ${file}`,
      pt: `não há CSC na primeira linha de ${file}`,
    };
    throw new FiscalError('usage.invalid', { message }, { sent: 'no' });
  }
  if (io.mayAsk) return { id, code: await io.prompts.secret('CSC') };
  const hint = {
    en: 'without a terminal, the CSC is read from a file or from stdin: --csc-file -',
    pt: 'sem terminal o CSC vem de um arquivo ou do stdin: --csc-file -',
  };
  throw new FiscalError('usage.missing', { names: '--csc-file' }, { sent: 'no', hint });
}

/** For `job resume` of an interrupted creation. */
export const stateTaxFamily = creationFamily(stateTaxForm, {
  en: 'creating state registrations',
  pt: 'criando inscrições estaduais',
});

function switched(stateTaxId: string, to: string): Text {
  return {
    en: `the service took the switch of the state registration ${stateTaxId} to ${to}`,
    pt: `o serviço aceitou a troca da inscrição estadual ${stateTaxId} para ${to}`,
  };
}

import { cursorRows } from '../../client/list-rows.js';
import type { StateTaxInput } from '../../contract/tax-registration.js';
import type { Text } from '../../contract/text.js';
import { fiscalLine } from '../../domain/command-words.js';
import { counted, nouns } from '../../domain/counted.js';
import { justificationProblem } from '../../domain/justification.js';
import type { Outcome } from '../../domain/outcome.js';
import { fieldOf, isRecord } from '../../domain/record.js';
import { checkStateTax, stateTaxFields } from '../../domain/tax-registration-check.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { invalidValue } from '../../errors/invalid-value.js';
import type { Io } from '../../io/io.js';
import { stateTaxCreate } from '../../jobs/kinds/tax-registration.js';
import type { BatchFamily } from '../../services/batch/run-batch.js';
import { merge, type JsonObject } from '../../services/calls/merge-fields.js';
import { hintWhenAbsent, previewOne } from '../../services/calls/one-call.js';
import type { Context } from '../../services/context.js';
import { readSecretLine } from '../../services/input/secret.js';
import { companyOf } from '../../services/scope/companies.js';
import { companyNamed } from '../../services/scope/text.js';
import {
  assertValid,
  createRegistration,
  masked,
  readRegistrationFile,
  type RegistrationForm,
  replaceRegistration,
  sendable,
  shownRows,
} from './registration.js';

const form: RegistrationForm = {
  envelope: 'stateTax',
  name: { en: 'the state registration', pt: 'a inscrição estadual' },
  fields: stateTaxFields,
  secrets: ['securityCredential.code'],
  check: checkStateTax,
};

const PAGE = 50;

/** The state registrations of a company, each once, without the code of the CSC. */
export async function listStateTaxes(context: Context): Promise<Outcome> {
  const path = { companyId: await companyOf(context) };
  const input = { path, query: { limit: PAGE } };
  if ((await context.settings()).dryRun) return { data: await previewOne(context, 'stateTax.list', input) };
  const client = await context.client();
  const rows = cursorRows(client, 'stateTax.list', input, { signal: context.interruption });
  return { data: shownRows(context, form, { companyId: path.companyId, rows }) };
}

/** One state registration, without the code of its CSC. */
export async function getStateTax(context: Context, stateTaxId: string): Promise<Outcome> {
  const path = { companyId: await companyOf(context), stateTaxId };
  if ((await context.settings()).dryRun) return { data: await previewOne(context, 'stateTax.get', { path }) };
  return { data: masked(form, await readStateTax(context, path)) };
}

interface StateTaxPath {
  readonly companyId: string;
  readonly stateTaxId: string;
}

async function readStateTax(context: Context, path: StateTaxPath): Promise<JsonObject> {
  const client = await context.client();
  const { body } = await withListHint(path, () =>
    client.call('stateTax.get', { path }, { signal: context.interruption }),
  );
  const stateTax = fieldOf(body, 'stateTax');
  return isRecord(stateTax) ? stateTax : {};
}

async function withListHint<Result>(
  { companyId }: Pick<StateTaxPath, 'companyId'>,
  call: () => Promise<Result>,
): Promise<Result> {
  const line = fiscalLine({ command: 'company state-tax list', company: companyId });
  const hint = { en: `those of the company: ${line}`, pt: `as da empresa: ${line}` };
  return await hintWhenAbsent(async () => await Promise.resolve(hint), call);
}

/** The input of a state registration: a file, fields that override it, or both. */
export interface WrittenStateTax {
  readonly file: string | undefined;
  readonly state: string | undefined;
  readonly taxNumber: string | undefined;
  readonly type: string | undefined;
  readonly environment: string | undefined;
  readonly serie: number | undefined;
  readonly number: number | undefined;
  readonly csc: { readonly id: number; readonly code: string } | undefined;
}

async function readWritten(context: Context, written: WrittenStateTax): Promise<JsonObject> {
  const { file, state, taxNumber, type, environment, serie, number, csc } = written;
  const flags = {
    ...{ code: state?.toUpperCase(), taxNumber, type, environmentType: environment },
    ...{ serie, number, securityCredential: csc },
  };
  return await readRegistrationFile(context, form, { file, flags });
}

/**
 * Creates a state registration. A CSC is set afterwards by an update, so that it is stored nowhere on this machine.
 * Errors: `input.*`, those of `createRegistration`.
 */
export async function createStateTax(context: Context, request: WrittenStateTax): Promise<Outcome> {
  const written = await readWritten(context, request);
  assertValid(form, written, { written, file: request.file });
  const companyId = await companyOf(context);
  const { securityCredential, ...plain } = written;
  const stateTax = bodyOf(plain);
  return await createRegistration(context, {
    ...{ form, kind: stateTaxCreate, companyId, input: { companyId, stateTax } },
    label: `${stateTax.code} ${stateTax.taxNumber} ${stateTax.type}`,
    secrets: securityCredential === undefined ? {} : { securityCredential },
    preview: () => previewOne(context, 'stateTax.create', { path: { companyId }, body: { stateTax } }),
    read: (stateTaxId) => readStateTax(context, { companyId, stateTaxId }),
    async replace(stateTaxId, registration) {
      const input = { path: { companyId, stateTaxId }, body: { stateTax: bodyOf(registration) } };
      await (await context.client()).call('stateTax.update', input, { signal: context.interruption });
    },
    command: (verb, id) => commandFor(verb, { companyId, stateTaxId: id }),
  });
}

function commandFor(verb: 'get' | 'update', { companyId: company, stateTaxId }: StateTaxPath): string {
  const line = fiscalLine({ command: `company state-tax ${verb}`, positionals: [stateTaxId], company });
  return verb === 'get' ? line : `${line} --csc-id <id>`;
}

/** The checks have shown that these are its fields. */
function bodyOf(fields: JsonObject): StateTaxInput {
  const { code, taxNumber, type, ...others } = fields;
  return { ...others, code: String(code), taxNumber: String(taxNumber), type: String(type) };
}

/**
 * Reads the registration, merges the input into it (null removes a field), shows the difference, asks, and sends the
 * whole. Errors: `input.*`, `company.registration_changed`, `outcome.unknown`.
 */
export async function updateStateTax(
  context: Context,
  stateTaxId: string,
  request: WrittenStateTax,
): Promise<Outcome> {
  const written = await readWritten(context, request);
  const path = { companyId: await companyOf(context), stateTaxId };
  const standing = await readStateTax(context, path);
  const merged = merge(sendable(form, standing), written);
  assertValid(form, merged, { written, file: request.file });
  await warnOfHiddenCsc(context, standing, merged);
  const input = { path, body: { stateTax: bodyOf(merged) } };
  const { storeNamespace } = await context.settings();
  const company = await companyNamed(context, path.companyId);
  return await replaceRegistration(context, {
    ...{ form, standing, merged },
    what: (count) => changing({ stateTaxId, company, count, storeNamespace }),
    showCommand: commandFor('get', path),
    preview: () => previewOne(context, 'stateTax.update', input),
    read: () => readStateTax(context, path),
    async send() {
      const client = await context.client();
      const { body } = await client.call('stateTax.update', input, { signal: context.interruption });
      return fieldOf(body, 'stateTax');
    },
  });
}

/** An update replaces the whole; what the service does not show cannot be sent back. */
async function warnOfHiddenCsc(context: Context, standing: JsonObject, merged: JsonObject): Promise<void> {
  const credential = (registration: JsonObject) => registration['securityCredential'];
  const isHidden = isRecord(credential(standing)) && fieldOf(credential(merged), 'code') === undefined;
  if (!isHidden || !isRecord(credential(merged))) return;
  await context.notice({
    en: 'the service does not show the code of the CSC: if the update drops it, set it again (--csc-id, --csc-file)',
    pt: 'o serviço não mostra o código do CSC: se a alteração o apagar, grave-o de novo (--csc-id, --csc-file)',
  });
}

interface Changing {
  readonly stateTaxId: string;
  readonly company: string;
  readonly count: number;
  readonly storeNamespace: string;
}

function changing({ stateTaxId, company, count, storeNamespace }: Changing): Text {
  const fields = counted(count, nouns.field);
  return {
    en: `changing ${fields.en} of the state registration ${stateTaxId} of company ${company} (profile ${storeNamespace})`,
    pt: `alterar ${fields.pt} da inscrição estadual ${stateTaxId} da empresa ${company} (perfil ${storeNamespace})`,
  };
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
    const { body } = await withListHint(path, () =>
      client.call('stateTax.switchAuthorizer', input, { signal: context.interruption }),
    );
    const answer: unknown = body;
    return { data: { companyId, stateTaxId, toAuthorizer: to, ...(isRecord(answer) ? answer : {}) } };
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

function switching(facts: Omit<Changing, 'count'> & { readonly to: string }): Text {
  const { stateTaxId, company, to, storeNamespace } = facts;
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
): Promise<WrittenStateTax['csc']> {
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

/** The batch family of state registrations, for `job resume` of an interrupted create. */
export const stateTaxFamily: BatchFamily = {
  label: { en: 'creating state registrations', pt: 'criando inscrições estaduais' },
  idField: 'stateTaxId',
  fields: ({ resourceId }) => (resourceId === undefined ? {} : { stateTaxId: resourceId }),
};

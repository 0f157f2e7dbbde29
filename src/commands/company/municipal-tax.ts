import { cursorRows } from '../../client/list-rows.js';
import type { MunicipalTaxInput } from '../../contract/tax-registration.js';
import { fiscalLine } from '../../domain/command-words.js';
import { counted, nouns } from '../../domain/counted.js';
import { parseKeepingNumbers } from '../../domain/json-numbers.js';
import type { Outcome } from '../../domain/outcome.js';
import { fieldOf, isRecord } from '../../domain/record.js';
import { checkMunicipalTax, municipalTaxFields } from '../../domain/tax-registration-check.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { Io } from '../../io/io.js';
import { municipalTaxCreate } from '../../jobs/kinds/tax-registration.js';
import type { BatchFamily } from '../../services/batch/run-batch.js';
import { merge, type JsonObject } from '../../services/calls/merge-fields.js';
import { hintWhenAbsent, previewOne } from '../../services/calls/one-call.js';
import type { Context } from '../../services/context.js';
import { readJsonOrYaml } from '../../services/input/records.js';
import { openSource } from '../../services/input/source.js';
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

/** What opens the system of the city hall. */
const credentialNames = ['loginName', 'loginPassword', 'authIssueValue'] as const;

const form: RegistrationForm = {
  envelope: 'municipalTax',
  name: { en: 'the municipal registration', pt: 'a inscrição municipal' },
  fields: municipalTaxFields,
  secrets: credentialNames,
  check: checkMunicipalTax,
};

const PAGE = 50;

/** The municipal registrations of a company, each once, without the credentials of the city hall. */
export async function listMunicipalTaxes(context: Context): Promise<Outcome> {
  const path = { companyId: await companyOf(context) };
  const input = { path, query: { limit: PAGE } };
  if ((await context.settings()).dryRun)
    return { data: await previewOne(context, 'municipalTax.list', input) };
  const client = await context.client();
  const rows = cursorRows(client, 'municipalTax.list', input, { signal: context.interruption });
  return { data: shownRows(context, form, { companyId: path.companyId, rows }) };
}

/** One municipal registration, without the credentials of the city hall. */
export async function getMunicipalTax(context: Context, municipalTaxId: string): Promise<Outcome> {
  const path = { companyId: await companyOf(context), municipalTaxId };
  if ((await context.settings()).dryRun)
    return { data: await previewOne(context, 'municipalTax.get', { path }) };
  return { data: masked(form, await readMunicipalTax(context, path)) };
}

interface MunicipalTaxPath {
  readonly companyId: string;
  readonly municipalTaxId: string;
}

async function readMunicipalTax(context: Context, path: MunicipalTaxPath): Promise<JsonObject> {
  const client = await context.client();
  const line = fiscalLine({ command: 'company municipal-tax list', company: path.companyId });
  const hint = { en: `those of the company: ${line}`, pt: `as da empresa: ${line}` };
  const { body } = await hintWhenAbsent(
    async () => await Promise.resolve(hint),
    () => client.call('municipalTax.get', { path }, { signal: context.interruption }),
  );
  const municipalTax = fieldOf(body, 'municipalTax');
  return isRecord(municipalTax) ? municipalTax : {};
}

/** The input of a municipal registration: a file, fields that override it, or both. */
export interface WrittenMunicipalTax {
  readonly file: string | undefined;
  /** IBGE code. */
  readonly city: string | undefined;
  readonly taxNumber: string | undefined;
  readonly environment: string | undefined;
  readonly rpsSerie: string | undefined;
  readonly rpsNumber: number | undefined;
  readonly credentials: JsonObject;
}

async function readWritten(context: Context, written: WrittenMunicipalTax): Promise<JsonObject> {
  const { file, city, taxNumber, environment, rpsSerie, rpsNumber, credentials } = written;
  const flags = {
    ...{ city: city === undefined ? undefined : { code: city }, taxNumber, environment },
    ...{ rpsSerialNumber: rpsSerie, rpsNumber, ...credentials },
  };
  return await readRegistrationFile(context, form, { file, flags });
}

/**
 * Creates a municipal registration. The credentials are set afterwards by an update, so that they are stored nowhere on
 * this machine. Errors: `input.*`, those of `createRegistration`.
 */
export async function createMunicipalTax(context: Context, request: WrittenMunicipalTax): Promise<Outcome> {
  const written = await readWritten(context, request);
  assertValid(form, written, { written, file: request.file });
  const companyId = await companyOf(context);
  const { loginName, loginPassword, authIssueValue, ...municipalTax } = written;
  const secrets = { loginName, loginPassword, authIssueValue };
  const city = String(fieldOf(municipalTax['city'], 'code'));
  return await createRegistration(context, {
    ...{ form, kind: municipalTaxCreate, companyId, input: { companyId, municipalTax } },
    label: `${city} ${String(municipalTax['taxNumber'])}`,
    secrets: Object.fromEntries(Object.entries(secrets).filter(([, value]) => value !== undefined)),
    preview: () =>
      previewOne(context, 'municipalTax.create', { path: { companyId }, body: { municipalTax } }),
    read: (municipalTaxId) => readMunicipalTax(context, { companyId, municipalTaxId }),
    async replace(municipalTaxId, registration) {
      const input = { path: { companyId, municipalTaxId }, body: { municipalTax: registration } };
      await (await context.client()).call('municipalTax.update', input, { signal: context.interruption });
    },
    command: (verb, id) => commandFor(verb, { companyId, municipalTaxId: id }),
  });
}

function commandFor(
  verb: 'get' | 'update',
  { companyId: company, municipalTaxId }: MunicipalTaxPath,
): string {
  const words = { command: `company municipal-tax ${verb}`, positionals: [municipalTaxId], company };
  return verb === 'get' ? fiscalLine(words) : `${fiscalLine(words)} --ask-credentials`;
}

/**
 * Reads the registration, merges the input into it (null removes a field), shows the difference, asks, and sends the
 * whole. Errors: `input.*`, those of `replaceRegistration`.
 */
export async function updateMunicipalTax(
  context: Context,
  municipalTaxId: string,
  request: WrittenMunicipalTax,
): Promise<Outcome> {
  const written = await readWritten(context, request);
  const path = { companyId: await companyOf(context), municipalTaxId };
  const standing = await readMunicipalTax(context, path);
  const merged: MunicipalTaxInput = merge(sendable(form, standing), written);
  assertValid(form, { ...merged }, { written, file: request.file });
  await warnOfHidden(context, standing, { ...merged });
  const input = { path, body: { municipalTax: merged } };
  const { storeNamespace } = await context.settings();
  const company = await companyNamed(context, path.companyId);
  return await replaceRegistration(context, {
    ...{ form, standing, merged: { ...merged }, showCommand: commandFor('get', path) },
    what(count) {
      const fields = counted(count, nouns.field);
      return {
        en: `changing ${fields.en} of the municipal registration ${municipalTaxId} of company ${company} (profile ${storeNamespace})`,
        pt: `alterar ${fields.pt} da inscrição municipal ${municipalTaxId} da empresa ${company} (perfil ${storeNamespace})`,
      };
    },
    preview: () => previewOne(context, 'municipalTax.update', input),
    read: () => readMunicipalTax(context, path),
    async send() {
      const client = await context.client();
      const { body } = await client.call('municipalTax.update', input, { signal: context.interruption });
      return fieldOf(body, 'municipalTax');
    },
  });
}

/** An update replaces the whole; what the service hides cannot be sent back. */
async function warnOfHidden(context: Context, standing: JsonObject, merged: JsonObject): Promise<void> {
  const isHidden = credentialNames.some((name) => isText(standing[name]) && !isText(merged[name]));
  if (!isHidden) return;
  await context.notice({
    en: 'the service does not show the credentials of the city hall: if the update drops them, set them again (--ask-credentials, --credentials-file)',
    pt: 'o serviço não mostra as credenciais da prefeitura: se a alteração as apagar, grave-as de novo (--ask-credentials, --credentials-file)',
  });
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

export interface CredentialSource {
  readonly file: string | undefined;
  readonly ask: boolean;
}

/**
 * The credentials of the city hall, from a file, stdin (`-`) or a prompt, never from an argument. Errors: `usage.missing`,
 * `usage.invalid`, `input.*`.
 */
export async function gatherCredentials(
  context: Context,
  io: Io,
  { file, ask }: CredentialSource,
): Promise<JsonObject> {
  if (file !== undefined) return await readCredentials(context, file);
  if (!ask) return {};
  if (io.mayAsk) {
    const isPt = io.language === 'pt';
    const loginName = await io.prompts.secret(isPt ? 'Usuário na prefeitura' : 'User at the city hall');
    const loginPassword = await io.prompts.secret(isPt ? 'Senha na prefeitura' : 'Password at the city hall');
    return { loginName, loginPassword };
  }
  const hint = {
    en: 'without a terminal, the credentials are read from a file or from stdin: --credentials-file -',
    pt: 'sem terminal as credenciais vêm de um arquivo ou do stdin: --credentials-file -',
  };
  throw new FiscalError('usage.missing', { names: '--credentials-file' }, { sent: 'no', hint });
}

async function readCredentials(context: Context, file: string): Promise<JsonObject> {
  const source = await openSource(context, file, { again: false });
  const value = await readJsonOrYaml(source, parseKeepingNumbers);
  const given = Object.entries(isRecord(value) ? value : {});
  const isFit = ([name, text]: readonly [string, unknown]) =>
    credentialNames.some((each) => each === name) && isText(text);
  if (given.length > 0 && given.every(isFit)) return Object.fromEntries(given);
  const names = credentialNames.join(', ');
  const message = {
    en: `${file} must hold some of these as text, and nothing else: ${names}`,
    pt: `${file} deve conter alguns destes como texto, e nada mais: ${names}`,
  };
  throw new FiscalError('usage.invalid', { message }, { sent: 'no' });
}

/** The batch family of municipal registrations, for `job resume` of an interrupted create. */
export const municipalTaxFamily: BatchFamily = {
  label: { en: 'creating municipal registrations', pt: 'criando inscrições municipais' },
  idField: 'municipalTaxId',
  fields: ({ resourceId }) => (resourceId === undefined ? {} : { municipalTaxId: resourceId }),
};

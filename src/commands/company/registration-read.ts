import type { CallInput } from '../../client/client.js';
import { cursorRows } from '../../client/list-rows.js';
import type { OperationId } from '../../contract/operations.js';
import { fiscalLine } from '../../domain/command-words.js';
import type { Outcome } from '../../domain/outcome.js';
import { fieldOf, isRecord } from '../../domain/record.js';
import type { JsonObject } from '../../domain/field-changes.js';
import { hintWhenAbsent, previewOne } from '../../services/calls/one-call.js';
import type { Context } from '../../services/context.js';
import { companyOf } from '../../services/scope/companies.js';
import { masked } from './registration-secrets.js';

/** How the state or the municipal registrations of a company are read. */
export interface RegistrationReads {
  /** The words of its commands after `company`. */
  readonly noun: 'state-tax' | 'municipal-tax';
  /** The field that wraps one of them in requests, answers and files. */
  readonly envelope: 'stateTax' | 'municipalTax';
  get(make: Make, place: Place): Promise<unknown>;
}

/** Makes a call and returns its body, or shows the request (`--dry-run`). */
export type Make = <Id extends OperationId>(operation: Id, input: CallInput<Id>) => Promise<unknown>;

export function calls(context: Context): Make {
  return async (operation, input) => {
    const client = await context.client();
    return (await client.call(operation, input, { signal: context.interruption })).body;
  };
}

export function previews(context: Context): Make {
  return async (operation, input) => await previewOne(context, operation, input);
}

export interface Place {
  readonly companyId: string;
  /** Of the registration. */
  readonly id: string;
}

const PAGE = 50;

/** The registrations of a company, each once, without their secrets. */
export async function listRegistrations(context: Context, reads: RegistrationReads): Promise<Outcome> {
  const companyId = await companyOf(context);
  const operation = `${reads.envelope}.list` as const;
  const input = { path: { companyId }, query: { limit: PAGE } };
  if ((await context.settings()).dryRun) return { data: await previewOne(context, operation, input) };
  const rows = cursorRows(await context.client(), operation, input, { signal: context.interruption });
  return { data: shownRows(context, companyId, rows) };
}

/** Masked, with the name and CNPJ of their company beside its id. */
async function* shownRows(
  context: Context,
  companyId: string,
  rows: AsyncIterable<unknown>,
): AsyncGenerator<JsonObject> {
  const label = await (await context.scope()).labels();
  for await (const row of rows) yield { ...masked(row), ...label(companyId) };
}

/** One registration, without its secrets. */
export async function getRegistration(
  context: Context,
  reads: RegistrationReads,
  id: string,
): Promise<Outcome> {
  const place = { companyId: await companyOf(context), id };
  if ((await context.settings()).dryRun) return { data: await reads.get(previews(context), place) };
  return { data: masked(await readRegistration(context, reads, place)) };
}

export async function readRegistration(
  context: Context,
  reads: RegistrationReads,
  place: Place,
): Promise<JsonObject> {
  const body = await withListHint(reads, place, () => reads.get(calls(context), place));
  const registration = fieldOf(body, reads.envelope);
  return isRecord(registration) ? registration : {};
}

/** Names the command that lists the registrations of the company where one is not found. */
export async function withListHint<Result>(
  { noun }: RegistrationReads,
  { companyId }: Place,
  call: () => Promise<Result>,
): Promise<Result> {
  const line = fiscalLine({ command: `company ${noun} list`, company: companyId });
  const hint = { en: `those of the company: ${line}`, pt: `as da empresa: ${line}` };
  return await hintWhenAbsent(async () => await Promise.resolve(hint), call);
}

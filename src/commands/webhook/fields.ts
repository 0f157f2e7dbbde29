import type { OptionValues } from '../../cli/command.js';
import type { contentOptions } from './commands.js';
import { maskUser } from '../../domain/masked-user.js';
import { parseForeignJson } from '../../domain/json-numbers.js';
import type { Text } from '../../contract/text.js';
import type { WebhookInput } from '../../contract/webhook.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { invalidValue } from '../../errors/invalid-value.js';
import { isWebhookAddress } from '../../jobs/resources/webhook.js';
import type { Context } from '../../services/context.js';
import { readLines } from '../../services/input/lines.js';
import { readDocument } from '../../services/input/records.js';
import { openSource } from '../../services/input/source.js';

/** The fields that a user sets on create or changes on update. The secret is handled separately. */
export type WebhookChanges = Partial<Omit<WebhookInput, 'secret'>>;

/** The options of create and update that set a field. */
interface WebhookFlags extends OptionValues<Omit<typeof contentOptions, 'secretFile' | 'secretOut'>> {
  readonly uri: string | undefined;
  readonly allEvents?: boolean;
}

/** The service writes its statuses with a capital letter. */
const statuses = { active: 'Active', inactive: 'Inactive' } as const;

const mostFilters = 100;

/**
 * The fields of file and flags (flags take precedence), checked before any request. Errors: `usage.invalid_value`,
 * `usage.invalid`, `input.*`.
 */
export async function givenFields(context: Context, flags: WebhookFlags): Promise<WebhookChanges> {
  const { file, uri, events, allEvents = false, headersFile, status, insecureSsl } = flags;
  if (allEvents && events.length > 0) throw bothEvents();
  const written = file === undefined ? {} : await readWebhookFile(context, file);
  const filters = events.length > 0 || allEvents ? { filters: events } : {};
  const fields: WebhookChanges = {
    ...written,
    ...(uri === undefined ? {} : { uri }),
    ...filters,
    ...(headersFile === undefined ? {} : { headers: await readHeaders(context, headersFile) }),
    ...(status === undefined ? {} : { status: statuses[status] }),
    ...(insecureSsl === undefined ? {} : { insecureSsl: insecureSsl === 'true' }),
  };
  assertFields(fields);
  return fields;
}

function assertFields({ uri, filters, headers }: WebhookChanges): void {
  if (uri !== undefined && !isWebhookAddress(uri)) throw invalidValue('uri', maskUser(uri), anAddress);
  if (filters !== undefined && filters.length > mostFilters) throw invalidValue('--events', filters.length, fewEvents);
  const odd = filters?.find((name) => !/^[\w.*:-]{1,100}$/.test(name));
  if (odd !== undefined) throw invalidValue('--events', odd, anEvent);
  if (headers !== undefined) assertHeaders(headers);
}

function bothEvents(): FiscalError {
  const message = {
    en: '--events and --all-events cannot be given together',
    pt: '--events e --all-events não podem ser usadas juntas',
  };
  return new FiscalError('usage.invalid', { message }, { sent: 'no' });
}

const anAddress: Text = {
  en: 'an https address without user or password is expected; http only for this machine',
  pt: 'espera-se um endereço https sem usuário nem senha; http só para esta máquina',
};

const fewEvents: Text = {
  en: `at most ${mostFilters} events are expected`,
  pt: `esperam-se no máximo ${mostFilters} eventos`,
};

const anEvent: Text = {
  en: 'the name of an event is expected, with * for any part of it (fiscal webhook events --types)',
  pt: 'espera-se o nome de um evento, com * no lugar de qualquer parte (fiscal webhook events --types)',
};

/** Fields that the service sets: the output of `webhook get` contains them. */
const ownFields = new Set(['id', 'createdOn', 'modifiedOn']);

/**
 * A webhook as JSON, bare or wrapped in `webHook`. A secret in it is refused: it has a file of its own.
 * Errors: `input.*`, `usage.invalid`.
 */
async function readWebhookFile(context: Context, path: string): Promise<WebhookChanges> {
  const source = await openSource(context, path, { again: false });
  const data = await readDocument(source, parseForeignJson).finally(() => source.close());
  const content = asFields(data);
  const fields = content?.has('webHook') === true ? asFields(content.get('webHook')) : content;
  if (fields === undefined) throw notThis(path, { en: 'an object is expected', pt: 'espera-se um objeto' });
  if (fields.has('secret')) throw secretInside(path);
  const strange = [...fields.keys()].find((name) => !ownFields.has(name) && !Object.hasOwn(readers, name));
  if (strange !== undefined) throw notThis(path, unknownField(strange));
  return Object.fromEntries(
    Object.entries(readers).flatMap(([name, isRight]): [string, unknown][] => {
      const value = fields.get(name);
      if (value === undefined || value === null) return [];
      if (!isRight(value)) throw notThis(path, wrongForm(name));
      return [[name, value]];
    }),
  );
}

type Fields = ReadonlyMap<string, unknown>;

const readers: Readonly<Record<keyof WebhookChanges, (value: unknown) => boolean>> = {
  uri: isText,
  // Published as words and as numbers.
  contentType: (value) => value === 'json' || isZeroOrOne(value),
  status: (value) => isText(value) || isZeroOrOne(value),
  filters: (value) => Array.isArray(value) && value.every(isText),
  headers: (value) => [...(asFields(value)?.values() ?? [0])].every(isText),
  insecureSsl: (value) => typeof value === 'boolean',
  properties: (value) => asFields(value) !== undefined,
};

function isZeroOrOne(value: unknown): boolean {
  return value === 0 || value === 1;
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function asFields(value: unknown): Fields | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return new Map<string, unknown>(Object.entries(value));
}

function notThis(path: string, reason: Text): FiscalError {
  return new FiscalError('input.syntax', { path, format: 'JSON', reason }, { sent: 'no' });
}

function unknownField(name: string): Text {
  const known = Object.keys(readers).join(', ');
  return {
    en: `a webhook has no field ${name.slice(0, 60)}; it has ${known}`,
    pt: `um webhook não tem o campo ${name.slice(0, 60)}; tem ${known}`,
  };
}

function wrongForm(name: string): Text {
  return { en: `${name} has the wrong form`, pt: `${name} tem a forma errada` };
}

function secretInside(path: string): FiscalError {
  const message = {
    en: `${path} contains a secret; give it in a separate file with --secret-file`,
    pt: `${path} contém um segredo; informe-o em um arquivo próprio com --secret-file`,
  };
  return new FiscalError('usage.invalid', { message }, { sent: 'no' });
}

type HeaderValues = Readonly<Record<string, string>>;

const mostHeaders = 20;

/**
 * `Name: value` lines. They come from a file, because a value is often a credential of the receiver. The errors name the
 * line, never its text. Errors: `input.*`, `usage.invalid`.
 */
async function readHeaders(context: Context, path: string): Promise<HeaderValues> {
  const source = await openSource(context, path, { again: false });
  const headers = new Map<string, string>();
  for await (const { line, text } of readLines(source.bytes(), { name: path, limitMib: 1 })) {
    if (text.trim() === '' || text.startsWith('#')) continue;
    const [, name, value] = /^([^:\s]+)\s*:(.*)$/.exec(text.trimEnd()) ?? [];
    if (name === undefined || value === undefined) throw noHeader(path, line);
    headers.set(name, value.trim());
    if (headers.size > mostHeaders) throw invalid(tooMany);
  }
  return Object.fromEntries(headers);
}

/** RFC 9110: a token, and the characters of a value. The headers of the delivery itself are reserved. */
function assertHeaders(headers: HeaderValues): void {
  const entries = Object.entries(headers);
  if (entries.length > mostHeaders) throw invalid(tooMany);
  for (const [name, value] of entries) {
    const isHeader = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/.test(name) && /^[\t\x20-\x7e]{0,1000}$/.test(value);
    if (!isHeader) throw invalid(notSendable(name.slice(0, 100)));
    if (/^(x-hub-.*|x-hook-.*|webhook-.*|host|content-.*|connection|transfer-encoding)$/i.test(name)) {
      throw invalid(reserved(name));
    }
  }
}

function invalid(message: Text): FiscalError {
  return new FiscalError('usage.invalid', { message }, { sent: 'no' });
}

function noHeader(path: string, line: number): FiscalError {
  return invalid({
    en: `line ${line} of ${path} is not "Name: value"`,
    pt: `a linha ${line} de ${path} não é "Nome: valor"`,
  });
}

function notSendable(name: string): Text {
  return {
    en: `the header ${name} contains characters that are not allowed`,
    pt: `o cabeçalho ${name} tem caracteres que um cabeçalho não pode conter`,
  };
}

function reserved(name: string): Text {
  return {
    en: `the header ${name} is set by the service itself`,
    pt: `o cabeçalho ${name} é definido pelo próprio serviço`,
  };
}

const tooMany: Text = {
  en: `at most ${mostHeaders} headers are expected`,
  pt: `esperam-se no máximo ${mostHeaders} cabeçalhos`,
};

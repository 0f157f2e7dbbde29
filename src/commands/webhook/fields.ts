import { isLoopback } from '../../client/address.js';
import type { Text } from '../../contract/text.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { invalidValue } from '../../errors/invalid-value.js';
import type { Context } from '../../services/context.js';
import type { WebhookChanges } from './changes.js';
import { assertHeaders, readHeaders } from './read-headers.js';
import { readWebhookFile } from './read-file.js';

/** The words of the user about a webhook. Absent: not told. */
export interface WebhookFlags {
  readonly file: string | undefined;
  readonly uri: string | undefined;
  readonly events: readonly string[];
  readonly allEvents: boolean;
  readonly headersFile: string | undefined;
  readonly status: 'Active' | 'Inactive' | undefined;
  readonly insecureSsl: 'true' | 'false' | undefined;
}

const longestUri = 2_048;
const mostFilters = 100;

/**
 * What file and flags say, flags first, checked before anything is asked of the service. Errors: `usage.invalid_value`,
 * `usage.invalid`, `input.*`.
 */
export async function givenFields(context: Context, flags: WebhookFlags): Promise<WebhookChanges> {
  const { file, uri, events, allEvents, headersFile, status, insecureSsl } = flags;
  if (allEvents && events.length > 0) throw bothEvents();
  const written = file === undefined ? {} : await readWebhookFile(context, file);
  const filters = events.length > 0 || allEvents ? { filters: events } : {};
  const fields: WebhookChanges = {
    ...written,
    ...(uri === undefined ? {} : { uri }),
    ...filters,
    ...(headersFile === undefined ? {} : { headers: await readHeaders(context, headersFile) }),
    ...(status === undefined ? {} : { status }),
    ...(insecureSsl === undefined ? {} : { insecureSsl: insecureSsl === 'true' }),
  };
  assertFields(fields);
  return fields;
}

function assertFields({ uri, filters, headers }: WebhookChanges): void {
  if (uri !== undefined && !isAddress(uri))
    throw invalidValue('uri', uri.replace(/\/\/[^/@]*@/, '//***@'), anAddress);
  if (filters !== undefined && filters.length > mostFilters)
    throw invalidValue('--events', filters.length, fewEvents);
  const odd = filters?.find((name) => !/^[\w.*:-]{1,100}$/.test(name));
  if (odd !== undefined) throw invalidValue('--events', odd, anEvent);
  if (headers !== undefined) assertHeaders(headers);
}

/** https, or http on this machine; no user and no password, which everybody with the list would read. */
function isAddress(text: string): boolean {
  if (text.length > longestUri || !URL.canParse(text)) return false;
  const url = new URL(text);
  const isSafe = url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url));
  return isSafe && url.username === '' && url.password === '';
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
  en: 'the name of an event is expected, * standing for any part of it (fiscal webhook event-types)',
  pt: 'espera-se o nome de um evento, com * no lugar de qualquer parte (fiscal webhook event-types)',
};

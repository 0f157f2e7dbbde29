import type { Given } from '../../cli/command.js';
import type { RawRequest } from '../../client/client.js';
import type { HostName, HttpMethod } from '../../contract/operation.js';
import type { Outcome } from '../../domain/outcome.js';
import { ExitCode } from '../../errors/exit-code.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { invalidValue } from '../../errors/invalid-value.js';
import type { Context } from '../../services/context.js';
import { readUpTo } from '../../services/input/secret.js';
import type { api } from './commands.js';
import { parseExactJson, parseForeignJson } from '../../domain/json-numbers.js';

/** The hosts of §5 that take the data key. */
const QUERY_HOSTS: ReadonlySet<HostName> = new Set(['query', 'legalEntity', 'naturalPerson', 'address']);

/** Any call of the service with the profile's keys, retries and redaction. The body is parsed for a machine format or a query. */
export async function callApi(context: Context, given: Given<typeof api>): Promise<Outcome> {
  const { host, path, dataFile } = given;
  const method = readMethod(given.method);
  const body = dataFile === undefined ? undefined : await readBody(context, dataFile);
  assertUsable(method, path, body);
  const key = given.key ?? (QUERY_HOSTS.has(host) ? 'data' : 'invoice');
  const raw: RawRequest = { method, path, host, key, ...(body === undefined ? {} : { body }) };
  const { dryRun, output, fields, query } = await context.settings();
  const client = await context.client();
  if (dryRun) return { data: await client.previewRaw(raw) };
  const isParsed = output !== undefined || fields !== undefined || query !== undefined;
  try {
    const answer = await client.raw(raw, { billed: isBilledBody(body) });
    return { data: readAnswer(answer.body, isParsed) };
  } catch (error) {
    throw error instanceof FiscalError ? withUnknownOutcome(error, method) : error;
  }
}

function readMethod(text: string): HttpMethod {
  const method = (['GET', 'POST', 'PUT', 'DELETE'] as const).find((known) => known === text.toUpperCase());
  if (method !== undefined) return method;
  const expected = { en: 'one of GET, POST, PUT, DELETE is expected', pt: 'espera-se um de GET, POST, PUT, DELETE' };
  throw invalidValue('METHOD', text, expected);
}

function assertUsable(method: HttpMethod, path: string, body: string | undefined): void {
  if (body !== undefined && method === 'GET') {
    throw new FiscalError('usage.invalid', {
      message: { en: 'a GET has no body: leave out --data-file', pt: 'um GET não tem corpo: retire --data-file' },
    });
  }
  if (path.startsWith('/') && !path.startsWith('//') && !/[\s\\#]/.test(path)) return;
  if (/^https?:\/\//i.test(path) && URL.canParse(path)) return;
  const expected = {
    en: 'a path such as /v2/companies, or an address on a host of the profile, is expected',
    pt: 'espera-se um caminho como /v2/companies, ou um endereço em um host do perfil',
  };
  throw invalidValue('PATH', path, expected);
}

/** Tax rules in the body make create and update of a product billed (§1); other calls have no such field. */
function isBilledBody(body: string | undefined): boolean {
  if (body === undefined) return false;
  const data: unknown = parseForeignJson(body);
  if (typeof data !== 'object' || data === null) return false;
  return Object.entries(data).some(([name, value]) => name.toLowerCase() === 'customtax' && !isEmpty(value));
}

function isEmpty(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return Object.keys(value).length === 0;
}

/** A body in UTF-8 is text; any other is returned in base64. */
function readAnswer(bytes: Uint8Array, parse: boolean): unknown {
  if (bytes.length === 0) return undefined;
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return { base64: Buffer.from(bytes).toString('base64') };
  }
  if (!parse) return text;
  try {
    return parseExactJson(text);
  } catch {
    return text;
  }
}

/** A write of unknown outcome must not exit with "try again" (5). */
function withUnknownOutcome(error: FiscalError, method: HttpMethod): FiscalError {
  const isDoubtful = error.facts.sent === 'unknown' && method !== 'GET';
  if (!isDoubtful || error.exitCode !== ExitCode.temporary) return error;
  return new FiscalError(
    'outcome.unknown',
    { reason: error.text },
    {
      ...error.facts,
      hint: {
        en: 'check whether it was done before you send it again',
        pt: 'veja se foi feito antes de enviar de novo',
      },
    },
  );
}

/** Larger bodies are rejected: the service expects documents. */
const MAX_BYTES = 16 * 1024 * 1024;

/** Reads JSON text from a file, or from stdin for `-`. The text is validated and sent as written. */
async function readBody(context: Context, path: string): Promise<string> {
  const bytes = await readUpTo(context, path, MAX_BYTES);
  if (bytes === undefined) throw syntax(path, { en: 'it is larger than 16 MiB', pt: 'é maior que 16 MiB' });
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw syntax(path, { en: 'it is not UTF-8', pt: 'não é UTF-8' });
  }
  try {
    parseExactJson(text);
  } catch {
    throw syntax(path, { en: 'it cannot be parsed', pt: 'não pôde ser interpretado' });
  }
  return text;
}

function syntax(path: string, reason: { en: string; pt: string }): FiscalError {
  return new FiscalError('input.syntax', { path, format: 'JSON', reason }, { sent: 'no' });
}

import { createHash } from 'node:crypto';
import type { HostName, HttpMethod, KeyKind, Operation } from '../contract/operation.js';
import { type OperationId, operations } from '../contract/operations.js';
import { billedOnceFor, isAlwaysBilled } from '../domain/billing.js';
import { exactJson, parseForeignJson } from '../domain/json-numbers.js';
import { fieldOf } from '../domain/record.js';
import { FiscalError } from '../errors/fiscal-error.js';
import { invalidValue } from '../errors/invalid-value.js';
import { baseOf, checkedAddress, joinAddress } from './address.js';
import type { Asked, Owner } from './answer-subject.js';
import type { CallInput, ClientSettings, RawRequest } from './client.js';
import { secretsIn } from './redact.js';

/** A call without its key: everything that the catalogue and the input determine. */
export interface PreparedCall {
  readonly name: string;
  readonly method: HttpMethod;
  readonly url: URL;
  readonly key: KeyKind;
  readonly role: Operation['role'];
  readonly replay: Operation['replay'];
  readonly queryKey: boolean;
  /** JSON text. */
  readonly body?: string;
  /** Replaces the body where the operation takes a form. */
  readonly form?: EncodedForm;
  /** The values of the secret fields in the body. */
  readonly secrets: readonly string[];
  readonly idempotencyKey?: string;
  /** The company or tenant that the answer must be about. */
  readonly about?: Owner;
  /** The identifiers that the answer must not contradict. */
  readonly asked?: Asked;
  readonly isAlwaysBilled: boolean;
  /** What the service bills only once, such as an access key. */
  readonly billedOnceFor?: string | undefined;
  readonly companyId?: string | undefined;
}

const HOSTS: readonly HostName[] = ['product', 'query', 'service', 'legalEntity', 'naturalPerson', 'address'];

export async function prepareCall<Id extends OperationId>(
  settings: ClientSettings,
  id: Id,
  input: CallInput<Id>,
): Promise<PreparedCall> {
  const operation: Operation = operations[id];
  const template = settings.paths[id] ?? operation.path;
  const named = input.companyId === undefined ? {} : { companyId: input.companyId };
  const path = expandPath(template, { ...named, ...input.path });
  return {
    method: operation.method,
    url: joinAddress(baseOf(settings, operation.host), path, input.query),
    ...traitsOf(id, operation),
    ...(await bodyOf(id, input.body, settings)),
    secrets: secretsIn(input.body),
    billedOnceFor: billedOnceFor(operation.billed, input.body),
    companyId: companyIn(path),
    ...(input.idempotencyKey === undefined ? {} : { idempotencyKey: input.idempotencyKey }),
    about: ownerIn(input),
    asked: { path: input.path, body: input.body },
  };
}

/** The company and the tenant of the request: from its path, its body, or given separately when it has neither. */
function ownerIn(input: {
  readonly path: Readonly<Record<string, string>>;
  readonly body?: object | undefined;
  readonly companyId?: string;
}): Owner {
  const { path, body } = input;
  const companyId = path['companyId'] ?? textOf(fieldOf(body, 'companyId')) ?? input.companyId;
  const { tenantId } = path;
  return { ...(companyId === undefined ? {} : { companyId }), ...(tenantId === undefined ? {} : { tenantId }) };
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** Errors: `input.invalid` for a value that the operation cannot take. */
async function bodyOf(
  id: OperationId,
  given: object | undefined,
  { sends }: ClientSettings,
): Promise<Pick<PreparedCall, 'body' | 'form'>> {
  const operation: Operation = operations[id];
  if (given === undefined) return {};
  if (operation.form === true) return { form: encodeForm(given) };
  const { requestBody } = await import('../domain/request-body.js');
  const { body, problems } = requestBody(id, given, sends);
  if (problems.length === 0) return { body: exactJson(body) };
  throw new FiscalError('input.invalid', { what: operation.summary }, { details: problems, sent: 'no' });
}

/**
 * Prepares a call to any path. A path in the catalogue is treated and recorded as that operation; any other is `safe`
 * only for a GET.
 */
export function prepareRaw(settings: ClientSettings, request: RawRequest): PreparedCall {
  const url = rawUrl(settings, request);
  const id = matchOperation(request.method, pathOf(url, settings), settings);
  const body = jsonOf(request.body);
  const traits =
    id === undefined
      ? { name: 'api', role: null, queryKey: false, key: request.key, isAlwaysBilled: false }
      : { ...traitsOf(id, operations[id]), key: request.key };
  return {
    ...traits,
    method: request.method,
    url,
    replay: request.method === 'GET' ? 'safe' : 'unsafe',
    billedOnceFor: id === undefined ? undefined : billedOnceFor(operations[id].billed, body),
    companyId: companyIn(url.pathname),
    secrets: secretsIn(body),
    ...(request.body === undefined ? {} : { body: request.body }),
  };
}

/** The company in a path. */
function companyIn(path: string): string | undefined {
  const segment = /\/companies\/([^/?]+)/i.exec(path)?.[1];
  return segment === undefined ? undefined : decoded(segment);
}

/** Text with a broken escape stays as it is: the service refuses it. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function jsonOf(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : parseForeignJson(text);
  } catch {
    return undefined;
  }
}

/** Every address of the profile. */
export function knownHosts(settings: ClientSettings): readonly URL[] {
  return HOSTS.flatMap((host) => {
    const text = settings.hosts[host];
    return text === undefined ? [] : [checkedAddress(text)];
  });
}

function traitsOf(name: string, operation: Operation): Omit<PreparedCall, 'method' | 'url' | 'secrets'> {
  const { key, role, replay, queryKey } = operation;
  return { name, key, role, replay, queryKey, isAlwaysBilled: isAlwaysBilled(name, operation) };
}

function rawUrl(settings: ClientSettings, request: RawRequest): URL {
  if (request.path.startsWith('/')) return joinAddress(baseOf(settings, request.host), request.path);
  const url = checkedAddress(request.path);
  if (knownHosts(settings).some((host) => host.origin === url.origin)) return url;
  throw new FiscalError(
    'config.key_host_mismatch',
    { kind: request.key, host: url.host },
    {
      sent: 'no',
      hint: {
        en: 'only the hosts of the profile are called; see: fiscal config list',
        pt: 'só os endereços do perfil são chamados; veja: fiscal config list',
      },
    },
  );
}

/** The operation whose path template matches, including the profile's own paths. */
export function matchOperation(
  method: HttpMethod,
  pathname: string,
  settings: Pick<ClientSettings, 'paths'>,
): OperationId | undefined {
  const templates = operationIds().map((id) => ({ id, template: settings.paths[id] ?? operations[id].path }));
  return templates
    .filter(({ id, template }) => operations[id].method === method && templatePattern(template).test(pathname))
    .toSorted((one, other) => parameterCount(one.template) - parameterCount(other.template))[0]?.id;
}

/** The path as a service reads it: behind the prefix of its address, without dots, needless escapes and slashes. */
function pathOf({ origin, pathname }: URL, settings: ClientSettings): string {
  const prefix = knownHosts(settings)
    .filter((host) => host.origin === origin)
    .map((host) => host.pathname.replace(/(?<!\/)\/+$/, ''))
    .filter((start) => pathname.startsWith(`${start}/`))
    .reduce((longest, start) => (start.length > longest.length ? start : longest), '');
  const parts = pathname.slice(prefix.length).split('/').filter(Boolean);
  return `/${parts.map((part) => decoded(part).replaceAll('/', '%2F')).join('/')}`;
}

function operationIds(): readonly OperationId[] {
  return Object.keys(operations).filter((id): id is OperationId => id in operations);
}

function templatePattern(template: string): RegExp {
  const escaped = template.replaceAll(/[.*+?^$()|[\]\\]/g, String.raw`\$&`);
  return new RegExp(`^${escaped.replaceAll(/\{\w+\}/g, '[^/]+')}$`, 'i');
}

/** Fewer parameters make a template more specific. */
function parameterCount(template: string): number {
  return template.split('{').length - 1;
}

/** Characters that `encodeURIComponent` leaves alone although RFC 3986 reserves them. */
const LEFT_ALONE = /[!'()*]/g;

/** Half of a surrogate pair, which has no encoding. */
const LONE_SURROGATE = /[\uD800-\uDFFF]/u;

/**
 * Fills a template such as `/{tenantId}/products`. Every value becomes exactly one path segment: slashes are encoded,
 * and `.` and `..` are refused, because URL parsers resolve them even when percent-encoded. Throws
 * `usage.invalid_value` with the name of the parameter.
 */
export function expandPath(template: string, values: Readonly<Record<string, string>>): string {
  return template.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => encodeSegment(name, values[name]));
}

function encodeSegment(name: string, value: string | undefined): string {
  if (value === undefined || value === '') throw missing(name);
  if (value === '.' || value === '..' || LONE_SURROGATE.test(value)) {
    throw invalidValue(name, value, '[A-Za-z0-9_-]');
  }
  return encodeURIComponent(value).replaceAll(LEFT_ALONE, percentEncode);
}

/** A missing company is always set with the shared flag. */
function missing(name: string): FiscalError {
  return new FiscalError('usage.missing', { names: name === 'companyId' ? '--company' : name }, { sent: 'no' });
}

function percentEncode(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}

/** A body of `multipart/form-data` (RFC 7578). */
export interface EncodedForm {
  readonly contentType: string;
  readonly bytes: Uint8Array;
  /** For display: file sizes only, and no text, since a form may contain passwords. */
  readonly shown: Readonly<Record<string, string>>;
}

/**
 * Encodes an object as a form: bytes become files, text becomes fields. The boundary is the digest of the content,
 * which cannot occur in it.
 */
export function encodeForm(body: object): EncodedForm {
  const parts = Object.entries(body).map(([name, value]: [string, unknown]) => partOf(name, value));
  const digest = createHash('sha256');
  for (const { content } of parts) digest.update(content);
  const boundary = `fiscal-${digest.digest('hex').slice(0, 40)}`;
  const pieces = parts.flatMap(({ head, content }) => [
    Buffer.from(`--${boundary}\r\n${head}\r\n\r\n`),
    content,
    Buffer.from('\r\n'),
  ]);
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    bytes: Buffer.concat([...pieces, Buffer.from(`--${boundary}--\r\n`)]),
    shown: Object.fromEntries(parts.map(({ name, shown }) => [name, shown])),
  };
}

interface Part {
  readonly name: string;
  readonly head: string;
  readonly content: Uint8Array;
  readonly shown: string;
}

/** The local file name is not sent. */
function partOf(name: string, value: unknown): Part {
  const disposition = `Content-Disposition: form-data; name="${name}"`;
  if (!(value instanceof Uint8Array)) {
    return { name, head: disposition, content: Buffer.from(String(value)), shown: '***' };
  }
  const head = `${disposition}; filename="${name}"\r\nContent-Type: application/octet-stream`;
  return { name, head, content: value, shown: `(${value.length} bytes)` };
}

import { operations, type OperationId } from '../contract/operations.js';
import type { HostName, HttpMethod, KeyKind, Operation } from '../contract/operation.js';
import { fieldOf } from '../domain/record.js';
import { billedOnceFor, isAlwaysBilled } from '../domain/billing.js';
import { FiscalError } from '../errors/fiscal-error.js';
import { baseOf, checkedAddress, joinAddress } from './address.js';
import type { Owner } from './answer-owner.js';
import { askedIn, type Asked } from './answer-subject.js';
import type { CallInput, RawRequest } from './client.js';
import { encodeForm, type EncodedForm } from './form.js';
import type { ClientSettings } from './options.js';
import { expandPath } from './path-template.js';

/** A call before it has a key: everything that the catalogue and the input decide. */
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
  /** Instead of a body, where the operation takes a form. */
  readonly form?: EncodedForm;
  readonly idempotencyKey?: string;
  /** Whom the answer must be about. */
  readonly about?: Owner;
  /** What the answer must be about. */
  readonly asked?: Asked;
  readonly isAlwaysBilled: boolean;
  /** What the service bills once, however often it is asked for. */
  readonly billedOnceFor?: string | undefined;
  readonly companyId?: string | undefined;
}

const HOSTS: readonly HostName[] = ['product', 'query', 'service', 'legalEntity', 'naturalPerson', 'address'];

export function prepareCall<Id extends OperationId>(
  settings: ClientSettings,
  id: Id,
  input: CallInput<Id>,
): PreparedCall {
  const operation: Operation = operations[id];
  const template = settings.paths[id] ?? operation.path;
  const named = input.companyId === undefined ? {} : { companyId: input.companyId };
  const path = expandPath(template, { ...named, ...input.path });
  return {
    method: operation.method,
    url: joinAddress(baseOf(settings, operation.host), path, input.query),
    ...traitsOf(id, operation),
    ...bodyOf(operation, input.body),
    billedOnceFor: billedOnceFor(operation.billed, input.body),
    companyId: companyIn(path),
    ...(input.idempotencyKey === undefined ? {} : { idempotencyKey: input.idempotencyKey }),
    about: ownerIn(input),
    asked: askedIn(input.path, input.body),
  };
}

/** The company and the tenant of the request: in its path, in its body, or named beside it where it carries neither. */
function ownerIn(input: {
  readonly path: Readonly<Record<string, string>>;
  readonly body?: object | undefined;
  readonly companyId?: string;
}): Owner {
  const { path, body } = input;
  const companyId = path['companyId'] ?? textOf(fieldOf(body, 'companyId')) ?? input.companyId;
  const { tenantId } = path;
  return {
    ...(companyId === undefined ? {} : { companyId }),
    ...(tenantId === undefined ? {} : { tenantId }),
  };
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function bodyOf(operation: Operation, body: object | undefined): Pick<PreparedCall, 'body' | 'form'> {
  if (body === undefined) return {};
  return operation.form === true ? { form: encodeForm(body) } : { body: JSON.stringify(body) };
}

/**
 * Any path. A call that the catalogue knows is treated and recorded as that operation; an unknown one is
 * `safe` only when it is a GET.
 */
export function prepareRaw(settings: ClientSettings, request: RawRequest): PreparedCall {
  const url = rawUrl(settings, request);
  const id = matchOperation(request.method, pathOf(request), settings);
  const traits =
    id === undefined
      ? { name: 'api', role: null, queryKey: false, key: request.key, isAlwaysBilled: false }
      : { ...traitsOf(id, operations[id]), key: request.key };
  return {
    ...traits,
    method: request.method,
    url,
    replay: request.method === 'GET' ? 'safe' : 'unsafe',
    billedOnceFor: id === undefined ? undefined : billedOnceFor(operations[id].billed, jsonOf(request.body)),
    companyId: companyIn(url.pathname),
    ...(request.body === undefined ? {} : { body: request.body }),
  };
}

/** The company that an address names. */
function companyIn(path: string): string | undefined {
  const segment = /\/companies\/([^/?]+)/.exec(path)?.[1];
  return segment === undefined ? undefined : decodeURIComponent(segment);
}

function jsonOf(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text);
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

function traitsOf(name: string, operation: Operation): Omit<PreparedCall, 'method' | 'url'> {
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

/** The operation whose template a path fits, overrides of the profile included. */
export function matchOperation(
  method: HttpMethod,
  pathname: string,
  settings: Pick<ClientSettings, 'paths'>,
): OperationId | undefined {
  const templates = operationIds().map((id) => ({ id, template: settings.paths[id] ?? operations[id].path }));
  return templates
    .filter(
      ({ id, template }) => operations[id].method === method && templatePattern(template).test(pathname),
    )
    .toSorted((one, other) => parameterCount(one.template) - parameterCount(other.template))[0]?.id;
}

/** The path without query; of an absolute address, its path. */
function pathOf(request: RawRequest): string {
  const path = request.path.startsWith('/') ? request.path : new URL(request.path).pathname;
  return path.split('?')[0] ?? path;
}

function operationIds(): readonly OperationId[] {
  return Object.keys(operations).filter((id): id is OperationId => id in operations);
}

function templatePattern(template: string): RegExp {
  const escaped = template.replaceAll(/[.*+?^$()|[\]\\]/g, String.raw`\$&`);
  return new RegExp(`^${escaped.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
}

/** The template with fewer parameters says more. */
function parameterCount(template: string): number {
  return template.split('{').length - 1;
}

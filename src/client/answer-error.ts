import type { Credential } from '../config/settings.js';
import type { Operation } from '../contract/operation.js';
import type { Text } from '../contract/text.js';
import { isOutOfService } from '../domain/call-end.js';
import { isRecord } from '../domain/record.js';
import { answerReasons } from '../errors/answer-reasons.js';
import { type ErrorFacts, FiscalError } from '../errors/fiscal-error.js';
import { redactText } from './redact.js';
import { isNumber, parseForeignJson, TooDeep } from '../domain/json-numbers.js';

/** An answer with an error status. */
export interface ErrorAnswer {
  readonly status: number;
  readonly decoded: DecodedError;
  readonly operation: string;
  readonly role: Operation['role'];
  readonly credential: Credential;
  readonly facts: ErrorFacts;
}

/** Maps an error answer to the error that the user sees (§7). */
export function errorOfAnswer(answer: ErrorAnswer): FiscalError {
  const { status, credential } = answer;
  const facts = factsOf(answer);
  if (status === 401) {
    const values = { kind: credential.kind, source: credential.source };
    return new FiscalError('auth.refused', values, { ...facts, hint: refusedHint(credential) });
  }
  const message = facts.said ?? '–';
  if (status === 403) {
    return new FiscalError('service.forbidden', { message }, { ...facts, hint: forbiddenHint(answer) });
  }
  if (status === 429) return new FiscalError('service.busy', { message }, facts);
  if (status >= 300 && status < 400) {
    const values = { operation: answer.operation, status, reason: answerReasons.redirect };
    return new FiscalError('service.unreadable', values, facts);
  }
  const isUnpublished = answer.operation === 'nfe.inbound.update' && (status === 404 || status === 405);
  const hint = isUnpublished ? { hint: enableInstead } : {};
  return new FiscalError(codeFor(status), { status, message }, { ...facts, ...hint });
}

/** The update of the capture of NF-e is our choice; the published write is the enablement with all settings. */
const enableInstead: Text = {
  en: 'this service may not know the update; the published way to change the settings is to enable the capture again with them: fiscal inbound capture enable --type nfe',
  pt: 'este serviço pode não ter a alteração; o modo publicado de mudar a configuração é ativar a captura de novo com ela: fiscal inbound capture enable --type nfe',
};

function codeFor(status: number) {
  if (status === 404) return 'service.not_found';
  if (status === 409) return 'service.conflict';
  return isOutOfService(status) ? 'service.unavailable' : 'service.refused';
}

function factsOf({ decoded, facts, operation, credential, status }: ErrorAnswer): ErrorFacts {
  const said = sentenceOf(decoded);
  return {
    ...facts,
    httpStatus: status,
    operation,
    ...(said === undefined ? {} : { said }),
    ...(decoded.details.length === 0 ? {} : { details: decoded.details }),
    ...(status === 401 || status === 403 ? { keyKind: credential.kind, keySource: credential.source } : {}),
  };
}

/** The service's message, with its code in front when that adds information. */
function sentenceOf(decoded: DecodedError): string | undefined {
  const { code, message } = decoded;
  if (code === undefined || code === message) return message;
  return message === undefined ? code : `${code}: ${message}`;
}

function refusedHint(credential: Credential): Text {
  const other = credential.kind === 'invoice' ? 'data' : 'invoice';
  return {
    en: `the key may be wrong, expired, or the ${other} key in its place; see: fiscal auth status`,
    pt: `a chave pode estar errada, vencida, ou ser a chave ${other} no lugar dela; veja: fiscal auth status`,
  };
}

/** §5 promises 401 for a wrong key, but some deployments answer 403. */
function forbiddenHint({ role, credential }: ErrorAnswer): Text {
  const { kind, source } = credential;
  const needs = role === null ? '' : `${role}`;
  return {
    en: `${needs === '' ? 'the key lacks the permission' : `the key needs the role ${needs}`}; some deployments also answer 403 to a wrong key (${kind} key from ${source})`,
    pt: `${needs === '' ? 'falta permissão à chave' : `a chave precisa do papel ${needs}`}; algumas instalações também respondem 403 a uma chave errada (chave ${kind} de ${source})`,
  };
}

/** The content of an error answer of any shape. Texts are shortened and free of keys and CPFs. */
export interface DecodedError {
  readonly code?: string;
  readonly message?: string;
  readonly details: readonly { readonly field: string; readonly message: string }[];
  readonly requestId?: string;
}

const MAX_TEXT = 1_000;
const MAX_DETAILS = 100;
/** Error answers are read up to this size; the message is at the start. */
const MAX_READ = 256 * 1024;

/** Reads the document's error shape (§7) and those of other deployments (operations.md, "Errors"). */
export function decodeError(bytes: Uint8Array, secrets: readonly string[]): DecodedError {
  const text = new TextDecoder().decode(bytes.subarray(0, MAX_READ)).trim();
  if (text === '') return { details: [] };
  const found = fromJson(text) ?? fromText(text);
  return clean(found, secrets);
}

function fromJson(text: string): DecodedError | undefined {
  let data: unknown;
  try {
    data = parseForeignJson(text);
  } catch (error) {
    return error instanceof TooDeep ? { details: [] } : undefined;
  }
  if (typeof data === 'string') return { message: data, details: [] };
  if (Array.isArray(data)) return fromList(data);
  return isRecord(data) ? fromRecord(data) : { details: [] };
}

function fromRecord(data: Readonly<Record<string, unknown>>): DecodedError {
  const inner = data['error'];
  if (isRecord(inner)) return { ...flat(inner), ...idOf(inner['requestId'] ?? data['requestId']) };
  if (typeof inner === 'string') {
    return { ...flat(data), code: inner, ...messageOf(data['error_description'] ?? data['message'] ?? inner) };
  }
  if (Array.isArray(data['errors'])) return { ...flat(data), ...fromList(data['errors']) };
  if ('title' in data || 'detail' in data) return fromProblem(data);
  return { ...flat(data), ...(isRecord(data['errors']) ? { details: byField(data['errors']) } : {}) };
}

/** `{code, message, details}`, or the names that these have in an event of the authority. */
function flat(data: Readonly<Record<string, unknown>>): DecodedError {
  return {
    ...codeOf(data['code'] ?? data['errorCode'] ?? data['cStat']),
    ...messageOf(data['message'] ?? data['errorMessage'] ?? data['xMotivo']),
    details: Array.isArray(data['details']) ? data['details'].flatMap(detailOf) : [],
    ...idOf(data['requestId']),
  };
}

/** `{errors: [{code?, message}]}`: the first is the message, the others become details. */
function fromList(list: readonly unknown[]): DecodedError {
  const entries = list.map((entry) => (isRecord(entry) ? entry : { message: entry }));
  const [first, ...rest] = entries;
  return {
    ...codeOf(first?.['code']),
    ...messageOf(first?.['message']),
    details: [...(first !== undefined && 'field' in first ? [first] : []), ...rest].flatMap(detailOf),
  };
}

/** Problem details: `type, title, status, detail?, errors?, traceId?`. */
function fromProblem(data: Readonly<Record<string, unknown>>): DecodedError {
  const title = textOf(data['title']);
  const detail = textOf(data['detail']);
  const message = [title, detail].filter((part) => part !== undefined).join(': ');
  return {
    ...(message === '' ? {} : { message }),
    details: isRecord(data['errors']) ? byField(data['errors']) : [],
    ...idOf(data['traceId'] ?? data['requestId']),
  };
}

/** `{field: ['message', …]}`. */
function byField(errors: Readonly<Record<string, unknown>>): DecodedError['details'] {
  return Object.entries(errors).flatMap(([field, messages]) =>
    (Array.isArray(messages) ? messages : [messages]).flatMap((entry) => detailOf({ field, message: entry })),
  );
}

function fromText(text: string): DecodedError {
  if (!text.startsWith('<')) return { message: text, details: [] };
  const title = /<title[^<>]*>([^<]{1,300})<\/title>/i.exec(text)?.[1]?.trim();
  return title === undefined || title === '' ? { details: [] } : { message: title, details: [] };
}

function detailOf(entry: unknown): DecodedError['details'] {
  if (typeof entry === 'string') return [{ field: '', message: entry }];
  if (!isRecord(entry)) return [];
  const message = textOf(entry['message']);
  return message === undefined ? [] : [{ field: textOf(entry['field']) ?? '', message }];
}

function clean(found: DecodedError, secrets: readonly string[]): DecodedError {
  // Masked before it is cut: half a key at the cut would not be recognised.
  const safe = (text: string): string => shorten(redactText(text, secrets));
  return {
    ...(found.code === undefined ? {} : { code: safe(found.code) }),
    ...(found.message === undefined ? {} : { message: safe(found.message) }),
    details: found.details
      .slice(0, MAX_DETAILS)
      .map((detail) => ({ field: safe(detail.field), message: safe(detail.message) })),
    ...(found.requestId === undefined ? {} : { requestId: safe(found.requestId) }),
  };
}

function shorten(text: string): string {
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;
}

function codeOf(value: unknown): { code?: string } {
  const code = textOf(value);
  return code === undefined ? {} : { code };
}

function messageOf(value: unknown): { message?: string } {
  const message = textOf(value);
  return message === undefined ? {} : { message };
}

function idOf(value: unknown): { requestId?: string } {
  const requestId = textOf(value);
  return requestId === undefined ? {} : { requestId };
}

function textOf(value: unknown): string | undefined {
  if (isNumber(value)) return String(value);
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

import {
  type AnswerShape,
  answerShapes,
  bareArray,
  type ListOperationId,
  type NeededFields,
} from '../contract/answers.js';
import { operations, type OperationId } from '../contract/operations.js';
import type { Text } from '../contract/text.js';
import { exactJson, isNumber, parseExactJson, TooDeep } from '../domain/json-numbers.js';
import { fieldOf, isRecord } from '../domain/record.js';
import { terminalLine } from '../domain/terminal-text.js';
import { answerReasons } from '../errors/answer-reasons.js';
import { type ErrorFacts, FiscalError } from '../errors/fiscal-error.js';
import { filled } from '../errors/text-template.js';
import { joinAddress } from './address.js';
import { type ReadyCall, requestIdOf } from './attempt.js';
import type { Answer, ClientSettings } from './client.js';
import type { WireAnswer } from './exchange.js';
import { knownHosts } from './prepared.js';
import { redactData, redactText } from './redact.js';

/** The operations that answer with the address of another place than below their own. */
const readBy: Readonly<Record<string, OperationId>> = {
  'nfe.manifestation.submit': 'nfe.manifestation.get',
  'nfse.manifestation.submit': 'nfse.manifestation.get',
};

interface Request {
  readonly operation: string;
  readonly url: URL;
  readonly path: Readonly<Record<string, string>>;
  /** The base addresses of the profile. */
  readonly hosts: readonly URL[];
  /** The paths that the profile replaces. */
  readonly paths: Readonly<Record<string, string>>;
}

/**
 * The id in a `Location`: the last segment of an address directly below that of the request, or where the operation's
 * resource is read, at a host of the profile. The version in the path may differ. Any other address names nothing.
 */
export function createdId(location: string | undefined, request: Request): string | undefined {
  if (location === undefined) return undefined;
  const { url: asked, hosts } = request;
  const url = new URL(location);
  if (![asked, ...hosts].some(({ hostname }) => hostname === url.hostname)) return undefined;
  const [, folder = '', id] = /^(.*)\/([\w-]{1,100})\/?$/.exec(url.pathname) ?? [];
  return foldersOf(request).some((known) => withoutVersion(known) === withoutVersion(folder)) ? id : undefined;
}

/** With the base path of the host, and without it. */
function foldersOf({ operation, url, path, hosts, paths }: Request): readonly string[] {
  const read = readBy[operation];
  const template = read === undefined ? undefined : (paths[read] ?? operations[read].path);
  const folder = template
    ?.replace(/\/[^/]*$/, '')
    .replaceAll(/\{(\w+)\}/g, (_all, name: string) => encodeURIComponent(path[name] ?? ''));
  const places = folder === undefined ? [] : [folder, ...hosts.map((host) => joinAddress(host, folder).pathname)];
  const bases = hosts.map(({ pathname }) => pathname.replace(/(?<!\/)\/+$/, ''));
  const own = bases.flatMap((base) => (url.pathname.startsWith(`${base}/`) ? [url.pathname.slice(base.length)] : []));
  return [url.pathname, ...own, ...places];
}

function withoutVersion(path: string): string {
  return path
    .replace(/(?<!\/)\/+$/, '')
    .replace(/\/v\d+(?=\/)/, '')
    .toLowerCase();
}

/** A call that succeeded. */
interface AnsweredCall extends Pick<Answer<unknown>, 'attempts' | 'billedUnknown' | 'said'> {
  readonly answer: WireAnswer;
  readonly billed?: Answer<unknown>['billed'] | undefined;
}

/** The parts of an answer other than its body. */
export function readEnvelope(
  { answer, attempts, billed, billedUnknown = 0, said }: AnsweredCall,
  ready: ReadyCall,
  settings: ClientSettings,
): Omit<Answer<unknown>, 'body'> {
  const hosts = knownHosts(settings);
  const location = readLocation(answer.headers.location, ready.wire.url, hosts);
  const { name: operation, asked: { path = {} } = {} } = ready.call;
  const { url } = ready.wire;
  const id = createdId(location, { operation, url, path, hosts, paths: settings.paths });
  const requestId = requestIdOf(answer, ready.secrets);
  const servedAt = Date.parse(answer.headers.date ?? '');
  return {
    status: answer.status,
    attempts,
    ...(billed === undefined ? {} : { billed }),
    ...(billedUnknown === 0 ? {} : { billedUnknown }),
    ...(location === undefined ? {} : { location }),
    ...(id === undefined ? {} : { createdId: id }),
    ...(requestId === undefined ? {} : { requestId }),
    ...(said === undefined ? {} : { said: shortText(said, ready.secrets) }),
    ...(Number.isNaN(servedAt) ? {} : { servedAt }),
  };
}

/** The body of a success, or why it does not match the operation. `undefined`: a body that is expected to be empty. */
export type ReadBody =
  | {
      readonly body: unknown;
      /** The text of an answer that is a JSON string, as it came. */
      readonly said?: string;
    }
  | {
      readonly reason: Text;
      /** True when the body is not JSON: a proxy's page, or a cut body. A later try may return the real answer. */
      readonly isGarbled: boolean;
    };

/** What else decides how a list is read. */
export interface ListReading {
  /** The request continued a list. */
  readonly isLaterPage: boolean;
  /** Where the profile says that the list is (`shapes.<operation>`); replaces the published places. */
  readonly listAt?: string;
}

/**
 * Checks the body of a success against the operation's shape. Strict about the shape, lenient about fields: unknown
 * fields and values pass.
 */
export function readBody(
  { bytes, status }: Pick<WireAnswer, 'bytes' | 'status'>,
  shape: AnswerShape,
  reading: ListReading = { isLaterPage: false },
): ReadBody {
  if (bytes.length === 0) return readNothing(status, shape);
  let body: unknown;
  try {
    body = parseExactJson(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    // A 202 says that the service accepted the request, whatever its body (§4); the id is in the `Location`, or is looked up.
    if (shape.is === 'accepted' && status === 202) return { body: undefined };
    if (error instanceof TooDeep) return { reason: tooDeep, isGarbled: false };
    return { reason: error instanceof SyntaxError ? noJson : noUtf8, isGarbled: true };
  }
  if (shape.is === 'list') {
    const { listAt } = reading;
    if (listAt !== undefined && !isListAt(body, shape, listAt)) return { reason: noListAt(listAt), isGarbled: false };
    body = listAt === undefined ? inOwnEnvelope(body, shape, reading.isLaterPage) : fromPlace(body, shape, listAt);
  }
  if (shape.is === 'object') body = inItsWrapper(body, shape);
  const reason = misfit(body, shape);
  if (reason !== undefined) return { reason, isGarbled: false };
  if (isText(body)) return { body: undefined, said: body };
  // For `accepted`, the status is enough: a body that is not an object adds nothing.
  return { body: shape.is === 'accepted' && !isRecord(body) ? undefined : body };
}

function isText(body: unknown): body is string {
  return typeof body === 'string' && body.trim() !== '';
}

/** The rows of a list whose shape was checked. */
export function rowsOf(operation: ListOperationId, body: unknown): readonly unknown[] {
  return listIn(body, answerShapes[operation].in) ?? [];
}

/** The count of a list, by any of its published names. */
export function totalIn(body: unknown): number | undefined {
  const [count] = ['totalResults', 'totalCount', '@odata.count'].flatMap((name) => fieldOf(body, name) ?? []);
  return countOf(count);
}

/** A number of rows or pages. A service may write 64-bit numbers as text. */
export function countOf(value: unknown): number | undefined {
  const isDigits = typeof value === 'string' && /^\d+$/.test(value);
  const count = isDigits || isNumber(value) ? Number(value) : NaN;
  return Number.isSafeInteger(count) && count >= 0 ? count : undefined;
}

/** The link of a list to its next page, by any of its published names. */
export function nextLinkIn(body: unknown): unknown {
  return fieldOf(body, '@odata.nextLink') ?? fieldOf(body, 'nextLink');
}

/** `service.unreadable`, with the start of the body, free of secrets and terminal control sequences. */
export function unreadable(
  answer: WireAnswer,
  ready: ReadyCall,
  { reason, facts }: { readonly reason: Text; readonly facts: ErrorFacts },
): FiscalError {
  const { name } = ready.call;
  const requestId = requestIdOf(answer, ready.secrets);
  const beginning = beginningOf(answer.bytes, ready.secrets);
  const whole = beginning === '' ? reason : filled(answerReasons.begins, { reason, beginning });
  return new FiscalError(
    'service.unreadable',
    { operation: name, status: answer.status, reason: whole },
    {
      operation: name,
      httpStatus: answer.status,
      sent: 'yes',
      ...facts,
      ...(requestId === undefined ? {} : { requestId }),
    },
  );
}

function readNothing(status: number, shape: AnswerShape): ReadBody {
  if (shape.is === 'accepted') return { body: undefined };
  const isMeant = status === 204 || status === 202;
  if (isMeant && shape.is === 'object' && shape.or === 'no-body') return { body: undefined };
  return { reason: empty, isGarbled: status !== 204 };
}

/** Why a JSON value does not match the expected shape. */
function misfit(body: unknown, shape: AnswerShape): Text | undefined {
  switch (shape.is) {
    case 'bytes':
      return undefined;
    case 'accepted':
      return holdsErrors(body) ? errorsInside : undefined;
    case 'list':
      return misfitOfList(body, shape);
    case 'object': {
      if (shape.or === 'text' && isText(body)) return undefined;
      const thing = shape.in === undefined ? body : fieldOf(body, shape.in);
      if (isRecord(thing)) return holdsErrors(body) ? errorsInside : lacking(thing, shape.has);
      return shape.in === undefined ? noObject : without(shape.in);
    }
  }
}

function misfitOfList(body: unknown, shape: ListShape): Text | undefined {
  // Errors beside rows: the list may be incomplete.
  if (holdsErrors(body)) return errorsInside;
  const rows = listIn(body, shape.in);
  if (rows === undefined) return noList(shape.in);
  const { rows: needed } = shape;
  if (needed === undefined) return undefined;
  for (const [index, row] of rows.entries()) {
    const reason = isRecord(row) ? lacking(row, needed) : noObject;
    if (reason !== undefined) return inRow(index + 1, reason);
  }
  return undefined;
}

function lacking(thing: Readonly<Record<string, unknown>>, needed: NeededFields): Text | undefined {
  if (Object.keys(thing).length === 0) return emptyObject;
  const missing = needed.find((entry) => {
    const names = typeof entry === 'string' ? [entry] : entry;
    return !names.some((name) => isGiven(fieldOf(thing, name)));
  });
  if (missing === undefined) return undefined;
  return without(...(typeof missing === 'string' ? [missing] : missing));
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '';
}

type ListShape = AnswerShape & { readonly is: 'list' };

/** The envelopes that any list may have besides its own. */
const commonEnvelopes = ['value', 'items'] as const;

/**
 * A list that came as a bare array of objects, or in a common envelope, as if it had come in its own; anything else unchanged. Two
 * lists leave open which one was asked for, so such an answer stays unreadable.
 */
function inOwnEnvelope(body: unknown, shape: ListShape, isLaterPage: boolean): unknown {
  const { in: names, bare, orOne } = shape;
  const [own = ''] = names;
  if (Array.isArray(body)) {
    // Nothing in an empty array shows that it is the list, so it only ends one, unless it is published so.
    const isList = body.every(isRecord) && (body.length > 0 || bare === true || isLaterPage);
    return isList ? { [own]: body } : body;
  }
  if (listIn(body, names) !== undefined || !isRecord(body)) return body;
  const one = orOne === undefined ? undefined : fieldOf(body, orOne);
  if (Array.isArray(one) || isRecord(one)) return { [own]: [one].flat() };
  const [found, ...others] = commonEnvelopes.filter((name) => listIn(body, [name]) !== undefined);
  const isNull = [...names, ...commonEnvelopes].some((name) => fieldOf(body, name) === null);
  if (found === undefined && isNull && nullIsEmpty(body, shape)) return { ...body, [own]: [] };
  if (found === undefined || others.length > 0) return body;
  const { [found]: rows, ...rest } = body;
  return { ...rest, [own]: rows };
}

/** A resource that came bare as if it had come in its wrapper, where both are published; anything else unchanged. */
function inItsWrapper(body: unknown, shape: AnswerShape & { readonly is: 'object' }): unknown {
  const { in: wrapper, has, orBare } = shape;
  const isBare = wrapper !== undefined && orBare === true && isRecord(body) && fieldOf(body, wrapper) === undefined;
  return isBare && lacking(body, has) === undefined ? { [wrapper]: body } : body;
}

/** Null in place of rows is a list without rows, but where an empty list proves something only beside a count of 0. */
function nullIsEmpty(body: unknown, { proves }: ListShape): boolean {
  return proves !== true || totalIn(body) === 0;
}

/** True when the list is where the profile says. */
function isListAt(body: unknown, shape: ListShape, listAt: string): boolean {
  if (listAt === bareArray) return Array.isArray(body);
  const found = fieldOf(body, listAt);
  return Array.isArray(found) || (found === null && nullIsEmpty(body, shape));
}

/** The list at the place that the profile names, as if it had come in a published field. */
function fromPlace(body: unknown, { in: names }: ListShape, listAt: string): unknown {
  const [own = ''] = names;
  if (!isRecord(body)) return { [own]: body };
  const isPublished = names.includes(listAt);
  const others = Object.entries(body).filter(([name]) => name !== listAt && !names.includes(name));
  return { ...Object.fromEntries(others), [isPublished ? listAt : own]: fieldOf(body, listAt) ?? [] };
}

function listIn(body: unknown, names: readonly string[]): readonly unknown[] | undefined {
  for (const name of names) {
    const value = fieldOf(body, name);
    if (Array.isArray(value)) return value;
  }
  return undefined;
}

/** True for a success whose body contains errors, as some gateways send. */
function holdsErrors(body: unknown): boolean {
  const errors = fieldOf(body, 'errors') ?? fieldOf(body, 'error');
  if (Array.isArray(errors)) return errors.length > 0;
  return isRecord(errors) ? Object.keys(errors).length > 0 : typeof errors === 'string' && errors !== '';
}

const SHOWN = 200;
/** Long enough to mask every secret that could appear in the excerpt. */
const MAX_READ = 64 * 1024;

function beginningOf(bytes: Uint8Array, secrets: readonly string[]): string {
  return shortText(new TextDecoder().decode(bytes.subarray(0, MAX_READ)), secrets);
}

function shortText(text: string, secrets: readonly string[]): string {
  // Masked before it is cut: half a key at the cut would not be recognised.
  const safe = terminalLine(masked(text.trim(), secrets).replaceAll(/\s+/g, ' '));
  return safe.length > SHOWN ? `${safe.slice(0, SHOWN)}…` : safe;
}

function masked(text: string, secrets: readonly string[]): string {
  try {
    return exactJson(redactData(parseExactJson(text), secrets));
  } catch {
    return redactText(text, secrets);
  }
}

const { notJson: noJson, tooDeep, notUtf8: noUtf8, empty, noObject, emptyObject, errorsInside } = answerReasons;

function noList(names: readonly string[]): Text {
  return filled(answerReasons.noList, { names: names.join(', ') });
}

function noListAt(listAt: string): Text {
  return listAt === bareArray ? answerReasons.notBareArray : filled(answerReasons.noListAt, { place: listAt });
}

function without(...[one = '', ...others]: readonly string[]): Text {
  return others.length === 0
    ? filled(answerReasons.lacks, { name: one })
    : filled(answerReasons.lacksAll, { one, others: others.join(', ') });
}

function inRow(number: number, reason: Text): Text {
  return filled(answerReasons.inRow, { number, reason });
}

/**
 * The `Location` header as an absolute address. Some deployments behind a gateway return http:// for an address served
 * only over https; on a host known to use https it is read as https.
 */
export function readLocation(
  header: string | undefined,
  requestUrl: URL,
  knownHosts: readonly URL[],
): string | undefined {
  if (header === undefined || !URL.canParse(header, requestUrl.href)) return undefined;
  const url = new URL(header, requestUrl);
  if (url.protocol !== 'http:') return url.href;
  const isKnown = knownHosts.some((host) => host.protocol === 'https:' && host.hostname === url.hostname);
  if (!isKnown) return url.href;
  // A port meant for plain http (80 or none) is wrong under https.
  return `https://${url.hostname}${url.port === '' ? '' : `:${url.port}`}${url.pathname}${url.search}${url.hash}`;
}

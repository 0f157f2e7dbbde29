import type { Text } from '../../contract/text.js';
import { fieldOf } from '../../domain/record.js';
import { type ErrorFacts, FiscalError } from '../../errors/fiscal-error.js';

/** The HTTP status of an answer that the client gives as an error. */
function statusOf(error: unknown): number | undefined {
  const status = fieldOf(fieldOf(error, '$metadata'), 'httpStatusCode');
  return typeof status === 'number' ? status : undefined;
}

/** The code of the object store, such as `NoSuchKey`, or of the system, such as `ECONNREFUSED`. */
function codeOf(error: unknown): string {
  const code = fieldOf(error, 'code');
  if (typeof code === 'string') return code;
  return error instanceof Error ? error.name : '';
}

export function isMissing(error: unknown): boolean {
  return statusOf(error) === 404 && codeOf(error) !== 'NoSuchBucket';
}

/** The condition of a write does not hold, or another one is at work on the same object. */
export function isConflict(error: unknown): boolean {
  const status = statusOf(error);
  return status === 412 || (status === 409 && codeOf(error) === 'ConditionalRequestConflict');
}

/** The object that a write or copy names is another one than was seen, or gone. */
export function isUnmet(error: unknown): boolean {
  return isConflict(error) || isMissing(error);
}

/** The server does not know what it was asked for. */
export function isNotImplemented(error: unknown): boolean {
  return statusOf(error) === 501 || codeOf(error) === 'NotImplemented';
}

/** The server refuses the time of the request. A refusal without a body has no code: then the client has found its clock to be off. */
export function isOfOtherTime(error: unknown): boolean {
  const isOff = fieldOf(fieldOf(error, '$metadata'), 'clockSkewCorrected') === true;
  return otherTime.test(codeOf(error)) || (statusOf(error) === 403 && isOff);
}

/** Whether the same request may succeed later. */
export function isTemporary(error: unknown): boolean {
  const status = statusOf(error);
  if (status === 429 || status === 503 || (status !== undefined && status >= 500 && status !== 501 && status !== 507))
    return true;
  const code = codeOf(error);
  return transient.test(code) || (status === undefined && network.test(code));
}

const otherTime = /^(?:RequestTimeTooSkewed|RequestExpired|RequestInTheFuture)$/;
const transient = /^(?:RequestTimeout|RequestTimeoutException|SlowDown|InternalError|TimeoutError|OperationAborted)$/;
const network = /^(?:E[A-Z]+|TimeoutError|UND_ERR_\w+)$/;

/** The error of a request as one sentence. Texts of the server are not shown: only its code, if it is a word. */
export function bucketFault(location: string, error: unknown): unknown {
  if (error instanceof FiscalError || !(error instanceof Error)) return error;
  const [status, code] = [statusOf(error), codeOf(error)];
  const word = /^\w{1,60}$/.test(code) ? code : 'error';
  const shown = status === undefined ? word : `${word}, HTTP ${status}`;
  const because = { path: location, reason: shown };
  const facts = { cause: error, sent: 'no', ...(status !== undefined && { httpStatus: status }) } as const;
  if (code === 'CredentialsProviderError' || code === 'TokenProviderError')
    return new FiscalError('archive.login_refused', { path: location, reason: noCredentials }, facts);
  if (refused.has(code) || status === 401) return new FiscalError('archive.login_refused', because, facts);
  if (code === 'NoSuchBucket') return new FiscalError('archive.no_bucket', { path: location }, facts);
  const reason = faultHere(error);
  if (reason !== undefined) return new FiscalError('archive.unusable', { path: location, reason }, facts);
  if (status === 403) return new FiscalError('archive.forbidden', because, facts);
  if (status === 507 || full.has(code)) return new FiscalError('store.full', { path: location }, facts);
  const onTheWay = faultOnTheWay(location, error, facts);
  if (onTheWay !== undefined) return onTheWay;
  if (isTemporary(error)) return new FiscalError('archive.unreachable', because, { ...facts, retryable: true });
  const unreadable = unreadableAnswer(error);
  if (unreadable !== undefined)
    return new FiscalError('archive.bad_answer', { path: location, reason: unreadable }, facts);
  if (status === undefined && !code.startsWith('ERR_')) return error;
  return new FiscalError('archive.unusable', because, facts);
}

const untrusted = /^(?:ERR_TLS_|ERR_SSL_|UNABLE_TO_|DEPTH_ZERO|HOSTNAME_MISMATCH|.*CERT)/;

/** A proxy that refuses or does not answer, which its agent says only in a text, or a certificate that is not trusted. */
function faultOnTheWay(path: string, error: Error, facts: ErrorFacts): FiscalError | undefined {
  const [, status, timeout] = /^(?:Bad response: (\d{3})|Proxy (timeout))$/.exec(error.message) ?? [];
  if (status !== undefined || timeout !== undefined) {
    const reason = `proxy: ${status === undefined ? 'timeout' : `HTTP ${status}`}`;
    return new FiscalError('archive.unreachable', { path, reason }, facts);
  }
  const code = codeOf(error);
  if (!untrusted.test(code)) return undefined;
  return new FiscalError('archive.unusable', { path, reason: code }, { ...facts, hint: untrustedHint });
}

/** What is wrong on this machine: its clock, or the region, which the client looks at before it asks the server. */
function faultHere(error: Error): Text | undefined {
  if (otherTime.test(codeOf(error))) return skewed;
  if (otherRegion.has(codeOf(error))) return wrongRegion;
  const { message } = error;
  if (message === 'Region is missing') return noRegion;
  return message.startsWith('Region not accepted') ? badRegion : undefined;
}

function unreadableAnswer(error: Error): Text | undefined {
  if (codeOf(error).startsWith('HPE_')) return notHttp;
  return (statusOf(error) ?? 300) < 300 ? notXml : undefined;
}

const refused: ReadonlySet<string> = new Set([
  ...(['InvalidAccessKeyId', 'SignatureDoesNotMatch', 'ExpiredToken', 'InvalidToken'] as const),
  ...(['TokenRefreshRequired', 'ExpiredTokenException'] as const),
]);

const otherRegion: ReadonlySet<string> = new Set([
  ...(['PermanentRedirect', 'AuthorizationHeaderMalformed', 'IllegalLocationConstraintException'] as const),
]);

const full: ReadonlySet<string> = new Set([
  'QuotaExceeded',
  'XMinioStorageFull',
  'InsufficientStorage',
  'EntityTooLarge',
]);

const untrustedHint: Text = {
  en: 'if the object store has a certificate authority of its own, name its file with --ca-cert',
  pt: 'se o servidor de objetos tem autoridade certificadora própria, indique o arquivo dela com --ca-cert',
};

const noCredentials: Text = {
  en: 'no credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE',
  pt: 'sem credenciais: defina AWS_ACCESS_KEY_ID e AWS_SECRET_ACCESS_KEY, ou AWS_PROFILE',
};

const skewed: Text = {
  en: 'the clock of this machine differs too much from that of the server: set the clock, and run the command again',
  pt: 'o relógio desta máquina difere demais do relógio do servidor: acerte o relógio e repita o comando',
};

const badRegion: Text = { en: 'AWS_REGION is not the name of a region', pt: 'AWS_REGION não é o nome de uma região' };

const wrongRegion: Text = {
  en: 'the bucket is in another region: set AWS_REGION to that of the bucket',
  pt: 'o bucket fica em outra região: defina AWS_REGION com a região do bucket',
};

const notXml: Text = { en: 'an answer has XML that cannot be read', pt: 'uma resposta tem XML que não pode ser lido' };

const notHttp: Text = { en: 'the server does not speak HTTP', pt: 'o servidor não fala HTTP' };

const noRegion: Text = { en: 'no region: set AWS_REGION', pt: 'sem região: defina AWS_REGION' };

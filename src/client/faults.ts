import type { Text } from '../contract/text.js';
import { type ErrorFacts, FiscalError, type Sent } from '../errors/fiscal-error.js';

export type FaultKind =
  | 'unreachable'
  | 'connect-timeout'
  | 'read-timeout'
  | 'cut'
  | 'tls'
  | 'too-large'
  | 'bad-encoding'
  | 'redirect'
  /** Bytes that are no document: text, or the page of a proxy. */
  | 'no-document'
  /** JSON other than a document or the address of one. */
  | 'other-shape'
  /** The sink could not store the bytes. */
  | 'unkept'
  | 'aborted';

/** A request that failed without an answer. Contains no header and no body, unlike the errors of HTTP libraries. */
export class TransportFault extends Error {
  override readonly name = 'TransportFault';

  readonly sent: Sent;
  readonly reason: string;
  /** Known once the head of an answer has arrived. */
  readonly status: number | undefined;

  constructor(
    readonly kind: FaultKind,
    facts: { readonly sent: Sent; readonly reason: string; readonly status?: number | undefined },
  ) {
    super(facts.reason);
    this.sent = facts.sent;
    this.reason = facts.reason;
    this.status = facts.status;
  }

  /** True when the same request may succeed a moment later. */
  get isTransient(): boolean {
    return TRANSIENT.has(this.kind);
  }
}

const TRANSIENT: ReadonlySet<FaultKind> = new Set([
  'unreachable',
  'connect-timeout',
  'read-timeout',
  'cut',
  // A compressed body that breaks off, or the page of a proxy.
  'bad-encoding',
  'no-document',
]);

const TLS_CODE = /^(CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|ERR_TLS_|ERR_SSL_|EPROTO$|HOSTNAME_MISMATCH)/;

/** Classifies an error of the HTTP library. `isConnected`: the request may have left this machine. */
export function sortFault(error: unknown, isConnected: boolean, status?: number): TransportFault {
  const code = codeOf(error);
  if (!isConnected) {
    if (TLS_CODE.test(code)) return new TransportFault('tls', { sent: 'no', reason: code });
    return new TransportFault('unreachable', { sent: 'no', reason: unreachableReason(error, code) });
  }
  if (code.startsWith('Z_') || code.startsWith('ERR__ERROR_FORMAT')) {
    return new TransportFault('bad-encoding', { sent: 'yes', reason: code, status });
  }
  return new TransportFault('cut', { sent: 'unknown', reason: code, status });
}

function codeOf(error: unknown): string {
  if (typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string') {
    return error.code;
  }
  return 'ERR_UNKNOWN';
}

/** The proxy agent reports a refusal only as text: `Bad response: 407`. */
function unreachableReason(error: unknown, code: string): string {
  const message = error instanceof Error ? error.message : '';
  const proxyStatus = /^Bad response: (\d{3})$/.exec(message)?.[1];
  if (proxyStatus !== undefined) return `proxy: HTTP ${proxyStatus}`;
  return message === 'Proxy timeout' ? 'proxy: timeout' : code;
}

/** Maps a failure without an answer to the error that the user sees. */
export function errorOfFault(
  fault: TransportFault,
  request: { readonly host: string; readonly operation: string },
  limits: { readonly connectTimeoutMs: number; readonly readTimeoutMs: number },
): FiscalError {
  const { host, operation } = request;
  const status = fault.status;
  const facts: ErrorFacts = { operation, sent: fault.sent, ...(status === undefined ? {} : { httpStatus: status }) };
  switch (fault.kind) {
    case 'unreachable':
      return new FiscalError('network.unreachable', { host, reason: fault.reason }, facts);
    case 'connect-timeout':
      return new FiscalError('network.timeout', { host, seconds: limits.connectTimeoutMs / 1000 }, facts);
    case 'read-timeout':
      return new FiscalError('network.timeout', { host, seconds: limits.readTimeoutMs / 1000 }, facts);
    case 'tls':
      return new FiscalError('network.untrusted', { host, reason: fault.reason }, { ...facts, hint: tlsHint });
    case 'cut':
    case 'aborted':
      return new FiscalError('network.cut', { host }, facts);
    case 'too-large':
    case 'bad-encoding':
    case 'redirect':
    case 'no-document':
    case 'other-shape':
    case 'unkept':
      return new FiscalError('service.unreadable', { operation, status: status ?? '–', reason: fault.reason }, facts);
  }
}

const tlsHint: Text = {
  en: 'if your network has a certificate authority of its own, name its file with --ca-cert',
  pt: 'se a sua rede tem autoridade certificadora própria, indique o arquivo dela com --ca-cert',
};

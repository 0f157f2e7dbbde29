import type { Text } from '../contract/text.js';
import { FiscalError, type ErrorFacts } from '../errors/fiscal-error.js';
import type { TransportFault } from './faults.js';
import type { ClientSettings } from './options.js';

/** Turns a failure without an answer into the error that the user sees. */
export function errorOfFault(
  fault: TransportFault,
  request: { readonly host: string; readonly operation: string },
  settings: ClientSettings,
): FiscalError {
  const { host, operation } = request;
  const status = fault.status;
  const facts: ErrorFacts = {
    operation,
    sent: fault.sent,
    ...(status === undefined ? {} : { httpStatus: status }),
  };
  switch (fault.kind) {
    case 'unreachable':
      return new FiscalError('network.unreachable', { host, reason: fault.reason }, facts);
    case 'connect-timeout':
      return new FiscalError('network.timeout', { host, seconds: settings.connectTimeoutMs / 1000 }, facts);
    case 'read-timeout':
      return new FiscalError('network.timeout', { host, seconds: settings.readTimeoutMs / 1000 }, facts);
    case 'tls':
      return new FiscalError(
        'network.untrusted',
        { host, reason: fault.reason },
        { ...facts, hint: tlsHint },
      );
    case 'cut':
    case 'aborted':
      return new FiscalError('network.cut', { host }, facts);
    case 'too-large':
    case 'bad-encoding':
    case 'redirect':
    case 'no-document':
    case 'other-shape':
    case 'unkept':
      return new FiscalError(
        'service.unreadable',
        { operation, status: status ?? '–', reason: fault.reason },
        facts,
      );
  }
}

const tlsHint: Text = {
  en: 'if your network has a certificate authority of its own, name its file with --ca-cert',
  pt: 'se a sua rede tem autoridade certificadora própria, indique o arquivo dela com --ca-cert',
};

import type { Operation } from '../contract/operation.js';
import type { Text } from '../contract/text.js';
import type { ErrorCode } from '../errors/catalogue.js';
import { FiscalError, type ErrorFacts } from '../errors/fiscal-error.js';
import type { DecodedError } from './decode-error.js';
import type { Credential } from '../config/settings.js';

/** A refusal or failure that came as an answer. */
export interface ErrorAnswer {
  readonly status: number;
  readonly decoded: DecodedError;
  readonly operation: string;
  readonly role: Operation['role'];
  readonly credential: Credential;
  readonly facts: ErrorFacts;
}

/** Turns an answer that is no success into the error that the user sees (§7). */
export function errorOfAnswer(answer: ErrorAnswer): FiscalError {
  const { status, decoded, credential } = answer;
  const facts = factsOf(answer);
  if (status === 401) {
    const values = { kind: credential.kind, source: credential.source };
    return new FiscalError('auth.refused', values, { ...facts, hint: refusedHint(credential) });
  }
  const message = sentenceOf(decoded) ?? '–';
  if (status === 403) {
    return new FiscalError('service.forbidden', { message }, { ...facts, hint: forbiddenHint(answer) });
  }
  if (status === 429) return new FiscalError('service.busy', { message }, facts);
  if (status >= 300 && status < 400) {
    const reason = { en: 'an unexpected redirect', pt: 'um redirecionamento inesperado' };
    return new FiscalError('service.unreadable', { operation: answer.operation, status, reason }, facts);
  }
  return new FiscalError(codeFor(status), { status, message }, facts);
}

function codeFor(status: number): ErrorCode {
  if (status === 404) return 'service.not_found';
  if (status === 409) return 'service.conflict';
  return status >= 500 || status === 408 ? 'service.unavailable' : 'service.refused';
}

function factsOf({ decoded, facts, operation, credential, status }: ErrorAnswer): ErrorFacts {
  return {
    ...facts,
    httpStatus: status,
    operation,
    ...(decoded.details.length === 0 ? {} : { details: decoded.details }),
    ...(status === 401 || status === 403 ? { keyKind: credential.kind, keySource: credential.source } : {}),
  };
}

/** The service's own words, with its code in front when that says more than the words. */
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

/** §5 promises 401 for a wrong key; some deployments answer 403. */
function forbiddenHint({ role, credential }: ErrorAnswer): Text {
  const { kind, source } = credential;
  const needs = role === null ? '' : `${role}`;
  return {
    en: `${needs === '' ? 'the key lacks the permission' : `the key needs the role ${needs}`}; some deployments also answer 403 to a wrong key (${kind} key from ${source})`,
    pt: `${needs === '' ? 'falta permissão à chave' : `a chave precisa do papel ${needs}`}; algumas instalações também respondem 403 a uma chave errada (chave ${kind} de ${source})`,
  };
}

import pg from 'pg';
import type { Text } from '../../contract/text.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { copyRefusal, toCopyMark } from '../copy-mark.js';
import { DamagedRow } from '../row.js';

/** The state of the error for whoever writes to a copied store. */
export const FENCED = 'ZF001';

/** The server ended the transaction, and nothing of it took effect: a deadlock, or two writers of one row. */
export function canRepeat(error: unknown): boolean {
  return error instanceof pg.DatabaseError && (error.code === '40P01' || error.code === '40001');
}

/** The way to the server is gone, or the server itself, perhaps for a moment. */
export function isLost(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return lostCodes.test(error.code ?? '');
  return error instanceof Error && isConnectionFault(error) && wayFailure(error, '').code === 'store.unreachable';
}

/** Also sessions that stood still in a transaction, which the server ends. */
const lostCodes = /^(08|25P0[34]|53300|55000|57P)/;

/** More than an answer of the store can be. */
export class OversizedAnswer extends Error {}

/** A question that every PostgreSQL answers with one row. */
export class NoRow extends Error {}

/** The row of such a question. Throws `NoRow` without one, and for one that lacks what was asked for. */
export function requireRow<Row extends object>(row: Row | undefined, ...columns: readonly (keyof Row)[]): Row {
  if (row === undefined || columns.some((column) => row[column] === undefined)) throw new NoRow();
  return row;
}

const noRow: Text = {
  en: 'it gives no row where every PostgreSQL gives one, so that it is not the database of the store: check the address in FISCAL_STORE_URL and what answers there',
  pt: 'ele não dá nenhuma linha onde todo PostgreSQL dá uma, e por isso não é o banco do estado: confira o endereço em FISCAL_STORE_URL e o que responde ali',
};

const oversized: Text = { en: 'an answer is larger than 512 MiB', pt: 'uma resposta é maior que 512 MiB' };

/** Maps an error of the server or of the way to it to one of the store; returns any other error unchanged. */
export function postgresFailure(error: unknown, path: string): Error {
  if (error instanceof OversizedAnswer) return new FiscalError('store.unusable', { path, reason: oversized });
  if (error instanceof NoRow) return new FiscalError('store.unusable', { path, reason: noRow });
  if (error instanceof DamagedRow)
    return new FiscalError('store.damaged', { path, reason: error.text }, { hint: afterDamage, cause: error });
  if (error instanceof pg.DatabaseError) {
    const failure = serverFailure(error, path);
    return failure === error && !ofStatement.test(error.code ?? '') ? unusable(error, path) : failure;
  }
  if (!(error instanceof Error)) return new Error(String(error));
  // One that says what is wrong with the store says it once.
  if (error instanceof FiscalError) return error;
  return isConnectionFault(error) ? wayFailure(error, path) : error;
}

/** What a statement or its values are wrong about: a defect of this program, in a store that this program made. */
const ofStatement = /^(?:2[1-7]|42|44)/;

function unusable({ code = '', message }: pg.DatabaseError, path: string): FiscalError {
  return new FiscalError('store.unusable', { path, reason: `${message} (${code})` });
}

/** The same while a store is opened: what does not know the statements that every PostgreSQL knows is no store. */
export function openFailure(error: unknown, path: string): Error {
  const failure = postgresFailure(error, path);
  return failure instanceof pg.DatabaseError ? unusable(failure, path) : failure;
}

/** The same for an error of making a connection, whatever the driver calls it. */
export function connectFailure(error: unknown, path: string): Error {
  if (error instanceof OversizedAnswer || error instanceof FiscalError) return postgresFailure(error, path);
  if (error instanceof pg.DatabaseError) {
    const failure = serverFailure(error, path);
    return failure === error ? unreachable(path, error.message) : failure;
  }
  return wayFailure(error instanceof Error ? error : new Error(String(error)), path);
}

const afterDamage: Text = {
  en: 'to see every damaged row: fiscal store check; check with the service what was sent before you send again',
  pt: 'para ver cada linha danificada: fiscal store check; confira com o serviço o que já foi enviado antes de enviar de novo',
};

/** Without the cause: an error of the driver may show the login. By the class or the whole of the code: https://www.postgresql.org/docs/current/errcodes-appendix.html */
function serverFailure(error: pg.DatabaseError, path: string): Error {
  const { code, message } = error;
  // The driver's name for bytes that are none of its protocol.
  if (code === undefined) return unreachable(path, notPostgres);
  if (code === FENCED) return fenced(message, path);
  if (/^(28...|3D000)$/.test(code)) return new FiscalError('store.login_refused', { path, reason: message });
  if (code === '42501') return new FiscalError('store.forbidden', { path, reason: message });
  if (code === '25006') return new FiscalError('store.standby', { path, reason: message });
  if (/^(55P03|57014)$/.test(code)) return new FiscalError('store.busy', { path }, { retryable: true });
  if (/^53[12]00$/.test(code)) return new FiscalError('store.full', { path, reason: message });
  if (/^(42P01|3F000|42703)$/.test(code)) return new FiscalError('store.replaced', { path }, { retryable: true });
  if (code === '08P01' && message.includes('startup parameter')) return poolerRefuses(path, message);
  if (lostCodes.test(code) || code.startsWith('53')) return unreachable(path, message);
  if (/^(XX00[12]|58)/.test(code)) return new FiscalError('store.damaged', { path, reason: message });
  return error;
}

/** The message is the note of the copy. */
function fenced(message: string, path: string): FiscalError {
  const mark = toCopyMark(message === '' ? null : message);
  return mark === undefined ? new FiscalError('store.busy', { path }, { retryable: true }) : copyRefusal(path, mark);
}

function poolerRefuses(path: string, reason: string): FiscalError {
  return new FiscalError(
    'store.unusable',
    { path, reason },
    {
      hint: {
        en: 'PgBouncer: ignore_startup_parameters = statement_timeout,lock_timeout,idle_in_transaction_session_timeout',
        pt: 'PgBouncer: ignore_startup_parameters = statement_timeout,lock_timeout,idle_in_transaction_session_timeout',
      },
    },
  );
}

function unreachable(path: string, reason: string | Text): FiscalError {
  return new FiscalError('store.unreachable', { path, reason }, { retryable: true });
}

/** The codes of Node for names, sockets and certificates, and the sentences of the driver, which gives no code. */
const certificate = /CERT|SELF_SIGNED|ERR_TLS|ERR_SSL|UNABLE_TO_(?:GET|VERIFY)|EPROTO/;
const unknownIssuer = /SELF_SIGNED|UNABLE_TO_(?:GET|VERIFY)/;
const rootHint: Text = {
  en: 'the certificates of an authority of your own: sslrootcert in the address, or PGSSLROOTCERT',
  pt: 'os certificados de uma autoridade própria: sslrootcert no endereço, ou PGSSLROOTCERT',
};
const network = /^E(?:[A-Z]+)$|^ERR_SOCKET/;
const ofDriver = /^Connection terminated|^timeout exceeded|^Client (?:has|was)|^Query read timeout|not queryable/;
const noTls = 'The server does not support SSL connections';
const noPassword = 'client password must be a string';
const noProtocol = 'There was an error establishing an SSL connection';
const otherLogin = 'Unknown authenticationOk message type';

const notPostgres: Text = {
  en: 'it does not answer as a PostgreSQL server does',
  pt: 'ele não responde como um servidor PostgreSQL',
};

function isConnectionFault(error: Error): boolean {
  const code = codeOf(error);
  return certificate.test(code) || network.test(code) || isOfDriver(error) || error instanceof AggregateError;
}

function isOfDriver({ message }: Error): boolean {
  return ofDriver.test(message) || message.includes(noTls) || message.includes(noPassword);
}

function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : '';
}

function wayFailure(error: Error, path: string): FiscalError {
  const { message } = error;
  if (message.includes(noTls))
    return new FiscalError('store.tls_refused', {
      path,
      reason: { en: 'the server offers no TLS', pt: 'o servidor não oferece TLS' },
    });
  if (message.includes(noPassword))
    return new FiscalError('store.login_refused', {
      path,
      reason: { en: 'the server asks for a password', pt: 'o servidor pede uma senha' },
    });
  if (message.startsWith(otherLogin))
    return new FiscalError('store.login_refused', {
      path,
      reason: {
        en: 'it asks for a kind of login that this program does not have, such as GSSAPI',
        pt: 'ele pede um tipo de acesso que este programa não tem, como GSSAPI',
      },
    });
  if (message.startsWith('SASL')) return new FiscalError('store.login_refused', { path, reason: message });
  if (message.startsWith(noProtocol)) return unreachable(path, notPostgres);
  const code = codeOf(error);
  if (certificate.test(code))
    return new FiscalError(
      'store.tls_refused',
      { path, reason: message },
      unknownIssuer.test(code) ? { hint: rootHint } : {},
    );
  return unreachable(path, message === '' ? codeOf(error) : message);
}

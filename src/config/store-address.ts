import { isLoopback } from '../domain/loopback.js';
import type { Text } from '../contract/text.js';
import type { Environment } from '../domain/world.js';
import { FiscalError } from '../errors/fiscal-error.js';
import { fileFault, readWholeFile } from '../io/input-file.js';
import { type FoundSecret, secretFromEnvironment, storeVariable } from './credentials.js';

/** Where the store of a server is, and how it is reached. */
export interface StoreAddress {
  /** The address without its password, for people. */
  readonly name: string;
  /** A name, an address, or the folder of a socket. */
  readonly host: string;
  readonly port: number;
  readonly user: string;
  /** Absent: PGPASSWORD or the password file of PostgreSQL. */
  readonly password?: string;
  readonly database: string;
  /** False only on this machine, unless a person asked for it. */
  readonly tls: false | { readonly ca?: string; readonly verifies: 'all' | 'issuer' | 'nothing' };
}

/** The address from the environment, else from the profile. `undefined`: the store is a file of this machine. */
export async function findStoreAddress(
  env: Environment,
  stored: FoundSecret | undefined,
): Promise<StoreAddress | undefined> {
  const found = (await secretFromEnvironment(storeVariable, env)) ?? stored;
  return found === undefined ? undefined : await readStoreAddress(found, env);
}

const parameters = ['host', 'sslmode', 'sslrootcert'];

/** Errors name the source and never show the address, which may contain a password. */
export async function readStoreAddress({ secret, source }: FoundSecret, env: Environment): Promise<StoreAddress> {
  const url = URL.canParse(secret) ? new URL(secret) : undefined;
  if (url === undefined || !/^postgres(?:ql)?:$/.test(url.protocol)) throw unusable(source, notAnAddress);
  const unknown = [...url.searchParams.keys()].find((name) => !parameters.includes(name));
  if (unknown !== undefined) throw unusable(source, unknownParameter(unknown));
  const host = url.searchParams.get('host') ?? decoded(url.hostname, source).replace(/^\[(.*)\]$/, '$1');
  const user = decoded(url.username, source) || (env['PGUSER'] ?? env['USER'] ?? '');
  const database = decoded(url.pathname.slice(1), source);
  if (host === '' || user === '' || database === '') throw unusable(source, incomplete);
  const port = url.port === '' ? 5432 : Number(url.port);
  const password = decoded(url.password, source);
  return {
    name: nameOf({ host, port, user, database }),
    ...{ host, port, user, database },
    ...(password === '' ? {} : { password }),
    tls: await tlsOf(url.searchParams, { host, env, source }),
  };
}

function nameOf(at: Pick<StoreAddress, 'host' | 'port' | 'user' | 'database'>): string {
  const place = at.host.includes(':') ? `[${at.host}]` : at.host;
  return at.host.startsWith('/')
    ? `postgres://${at.user}@/${at.database}?host=${at.host}`
    : `postgres://${at.user}@${place}:${at.port}/${at.database}`;
}

function decoded(text: string, source: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw unusable(source, notAnAddress);
  }
}

/** A socket, or a connection that does not leave the machine. */
function isLocal(host: string): boolean {
  return host.startsWith('/') || isLoopback(host);
}

const modes = { 'verify-full': 'all', 'verify-ca': 'issuer', require: 'nothing' } as const;

async function tlsOf(
  asked: URLSearchParams,
  { host, env, source }: { readonly host: string; readonly env: Environment; readonly source: string },
): Promise<StoreAddress['tls']> {
  const mode = asked.get('sslmode') ?? (env['PGSSLMODE'] || undefined) ?? (isLocal(host) ? 'disable' : 'verify-full');
  if (mode === 'disable' || host.startsWith('/')) return false;
  if (mode !== 'verify-full' && mode !== 'verify-ca' && mode !== 'require') throw unusable(source, unknownMode(mode));
  const path = asked.get('sslrootcert') ?? (env['PGSSLROOTCERT'] || undefined);
  // As every PostgreSQL client does: who names certificates wants them to be used.
  const verifies = mode === 'require' && path !== undefined ? 'issuer' : modes[mode];
  return path === undefined || path === 'system' ? { verifies } : { verifies, ca: await certificateAt(path) };
}

const MAX_CERTIFICATES = 1024 * 1024;

async function certificateAt(path: string): Promise<string> {
  try {
    return (await readWholeFile(path, { mostBytes: MAX_CERTIFICATES })).toString('utf8');
  } catch (error) {
    throw unusable(path, fileFault(error) ?? 'EIO');
  }
}

const notAnAddress: Text = {
  en: 'it is no address such as postgres://user:password@host/database',
  pt: 'não é um endereço como postgres://nome:senha@servidor/banco',
};

const incomplete: Text = {
  en: 'the address lacks the user, the host or the database',
  pt: 'falta no endereço o usuário, o servidor ou o banco',
};

function unknownParameter(name: string): Text {
  return {
    en: `the address has the parameter ${name}; known are ${parameters.join(', ')}`,
    pt: `o endereço tem o parâmetro ${name}; os conhecidos são ${parameters.join(', ')}`,
  };
}

function unknownMode(mode: string): Text {
  const known = ['disable', ...Object.keys(modes).toReversed()].join(', ');
  return { en: `sslmode ${mode} is not one of ${known}`, pt: `sslmode ${mode} não é um destes: ${known}` };
}

function unusable(source: string, reason: string | Text): FiscalError {
  return new FiscalError('store.unusable_address', { source, reason }, { sent: 'no' });
}

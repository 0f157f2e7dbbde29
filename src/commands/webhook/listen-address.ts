import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { FiscalError } from '../../errors/fiscal-error.js';
import { invalidValue } from '../../errors/invalid-value.js';
import type { Context } from '../../services/context.js';

export interface ListenAddress {
  readonly host: string;
  readonly port: number;
  readonly path: string;
  readonly tls?: { readonly cert: string; readonly key: string };
}

export interface TypedAddress {
  readonly host: string | undefined;
  readonly port: number;
  readonly path: string | undefined;
  /** Files in PEM. */
  readonly cert: string | undefined;
  readonly key: string | undefined;
}

/** Checks what was typed and reads the files. Errors: `usage.invalid_value`, `usage.missing`, `input.not_found`, `input.unreadable`. */
export async function readAddress(
  context: Pick<Context, 'cwd'>,
  typed: TypedAddress,
): Promise<ListenAddress> {
  const { port, path = '/', cert, key } = typed;
  if (port > 65_535) throw invalidValue('--port', String(port), { en: '0 to 65535', pt: 'de 0 a 65535' });
  if (!/^\/[\x21-\x7e]*$/.test(path) || /[?#]/.test(path)) {
    throw invalidValue('--path', path, {
      en: 'a path that begins with / and has no space, ? or #',
      pt: 'um caminho que começa com / e não tem espaço, ? nem #',
    });
  }
  const address = { host: typed.host ?? '127.0.0.1', port, path };
  if (cert === undefined && key === undefined) return address;
  if (cert === undefined) throw new FiscalError('usage.missing', { names: '--cert' });
  if (key === undefined) throw new FiscalError('usage.missing', { names: '--key' });
  return {
    ...address,
    tls: { cert: await readPem(context.cwd, cert), key: await readPem(context.cwd, key) },
  };
}

/** True for names that nobody outside this machine can reach. */
export function isLoopbackHost(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
}

async function readPem(cwd: string, path: string): Promise<string> {
  try {
    return await readFile(resolve(cwd, path), 'utf8');
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'EIO';
    if (code === 'ENOENT') throw new FiscalError('input.not_found', { path }, { cause });
    throw new FiscalError('input.unreadable', { path, reason: code }, { cause });
  }
}

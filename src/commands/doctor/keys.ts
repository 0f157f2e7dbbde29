import type { Settings } from '../../config/settings.js';
import type { KeyKind } from '../../contract/operation.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { Context } from '../../services/context.js';
import { problemOf, same, type Check } from './check.js';

const login = {
  en: 'run "fiscal auth login", or try with --profile sandbox',
  pt: 'execute "fiscal auth login", ou experimente com --profile sandbox',
};

export function checkProfile({ profile }: Settings): Check {
  const check = 'profile';
  if (profile !== undefined) return { check, status: 'ok', found: same(profile) };
  const found = {
    en: 'none is chosen; addresses and keys come from the environment only',
    pt: 'nenhum foi escolhido; endereços e chaves vêm só do ambiente',
  };
  return { check, status: 'warn', found, advice: login };
}

/** Each key is there, and where it comes from. Its value is never shown. */
export async function checkKeys(context: Context, settings: Settings): Promise<readonly Check[]> {
  const kinds: readonly KeyKind[] = ['invoice', 'data'];
  const checks = await Promise.all(kinds.map((kind) => checkKey(context, settings, kind)));
  // One of the two is enough for one half of the service; with neither nothing can be called.
  const isEnough = checks.some((check) => check.status === 'ok');
  return checks.map((check) => (isEnough && check.status === 'warn' ? check : hardened(check)));
}

function hardened(check: Check): Check {
  return check.status === 'warn' ? { ...check, status: 'problem' } : check;
}

async function checkKey(context: Context, settings: Settings, kind: KeyKind): Promise<Check> {
  const check = `${kind} key`;
  try {
    const files = await context.config();
    const { source } = await files.credential(kind, settings);
    return { check, status: 'ok', found: { en: `present, from ${source}`, pt: `presente, de ${source}` } };
  } catch (error) {
    if (isAbsent(error)) return { check, status: 'warn', found: error.text, advice: login };
    return problemOf(check, error, login);
  }
}

function isAbsent(error: unknown): error is FiscalError {
  return error instanceof FiscalError && /^auth\.no_/.test(error.code);
}

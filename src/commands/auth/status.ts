import type { Given } from '../../cli/command.js';
import type { KeyKind } from '../../contract/operation.js';
import type { Outcome } from '../../domain/outcome.js';
import { ExitCode } from '../../errors/exit-code.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { Context } from '../../services/context.js';
import type { status } from './commands.js';

/** One key as `auth status` shows it: never the key, not even a part. */
interface KeyStatus {
  readonly kind: KeyKind;
  readonly present: boolean;
  readonly scheme?: string;
  readonly source?: string;
  /** Why the key is absent, as an error code. */
  readonly problem?: string;
  readonly checked?: 'accepted' | 'not checkable';
}

/**
 * Which keys this run would use and where each comes from. Errors, with `check`: `auth.*` when the invoice key is absent or refused,
 * and those of a call.
 */
export async function readKeyStatus(context: Context, { check }: Given<typeof status>): Promise<Outcome> {
  const invoice = await statusOf(context, 'invoice');
  const data = await statusOf(context, 'data');
  if (!check) return { data: [invoice, data] };
  const client = await context.client();
  await client.call('company.list', { path: {}, query: { limit: 1 } });
  return {
    data: [
      { ...invoice, checked: 'accepted' },
      { ...data, ...(data.present ? { checked: 'not checkable' } : {}) },
    ],
    notices: [
      {
        en: 'the data key is not checked here; to try it without a query: fiscal doctor --probe',
        pt: 'a chave de consulta não é testada aqui; para testá-la sem uma consulta: fiscal doctor --probe',
      },
    ],
  };
}

async function statusOf(context: Context, kind: KeyKind): Promise<KeyStatus> {
  const [config, settings] = await Promise.all([context.config(), context.settings()]);
  try {
    const { scheme, source } = await config.credential(kind, settings);
    return { kind, present: true, scheme, source };
  } catch (error) {
    if (!(error instanceof FiscalError) || error.exitCode !== ExitCode.credentials) throw error;
    const { keySource } = error.facts;
    return { kind, present: false, problem: error.code, ...(keySource === undefined ? {} : { source: keySource }) };
  }
}

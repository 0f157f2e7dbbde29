import type { Credential } from '../config/settings.js';
import type { Operation } from '../contract/operation.js';
import { FiscalError } from '../errors/fiscal-error.js';
import { isLoopback } from './address.js';
import type { ClientSettings } from './options.js';

const SANDBOX_PREFIX = 'sbx_';
const SANDBOX_PROFILE = 'sandbox';

/** How one request carries its key: a header, or the query (§5, methods 1 to 3). */
export interface Authorization {
  readonly header?: string;
  readonly queryKey?: string;
}

/** Chooses the method of §5: a JWT as `Bearer`, a key raw, or in the query where both operation and profile say so. */
export function authorize(
  credential: Credential,
  operation: Pick<Operation, 'queryKey'>,
  settings: Pick<ClientSettings, 'keyIn'>,
): Authorization {
  if (credential.scheme === 'bearer') return { header: `Bearer ${credential.secret}` };
  if (operation.queryKey && settings.keyIn === 'query') return { queryKey: credential.secret };
  return { header: credential.secret };
}

/**
 * A sandbox key stays on this machine, and a live key never goes to the sandbox.
 * Throws `config.key_host_mismatch`; nothing has been sent then.
 */
export function assertKeyMayGo(credential: Credential, url: URL, profile: string | undefined): void {
  const isSandboxKey = credential.secret.startsWith(SANDBOX_PREFIX);
  if (isSandboxKey && !isLoopback(url)) throw mismatch('sandbox', url, credential);
  if (profile !== SANDBOX_PROFILE) return;
  if (!isLoopback(url))
    throw new FiscalError('config.key_host_mismatch', { kind: 'sandbox', host: url.host });
  if (!isSandboxKey) throw mismatch('live', url, credential);
}

function mismatch(kind: string, url: URL, credential: Credential): FiscalError {
  return new FiscalError(
    'config.key_host_mismatch',
    { kind, host: url.host },
    { sent: 'no', keyKind: credential.kind, keySource: credential.source },
  );
}

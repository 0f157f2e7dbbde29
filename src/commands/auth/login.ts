import { checkedKey } from '../../config/key-sources.js';
import type { HostAddresses } from '../../config/files.js';
import { presets } from '../../config/presets.js';
import type { Credential, Settings } from '../../config/settings.js';
import type { Text } from '../../contract/text.js';
import type { Outcome } from '../../domain/outcome.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { invalidValue } from '../../errors/invalid-value.js';
import type { Context } from '../../services/context.js';
import { checkInvoiceKey } from './check-key.js';
import type { LoginKeys } from './read-keys.js';

export interface LoginRequest {
  readonly profile: string;
  readonly preset: string | undefined;
  readonly hosts: HostAddresses;
  readonly keys: LoginKeys;
  readonly check: boolean;
}

/** Checks what can be checked, then stores keys and addresses. A refused key stores nothing. */
export async function logIn(context: Context, request: LoginRequest): Promise<Outcome> {
  const { profile, check } = request;
  const config = await context.config();
  const keys = usableKeys(request.keys);
  const hosts = { ...presetHosts(request.preset), ...request.hosts };
  const settings = await config.draft(profile, hosts, context.flags);
  assertAddress(settings, profile);
  const credential = invoiceCredential(keys, profile);
  const isChecked = check && credential !== undefined;
  if (isChecked) await checkInvoiceKey(context, settings, credential);
  if (settings.dryRun) {
    return { data: { profile, stored: [], checked: isChecked, path: config.path }, notices: [nothingStored] };
  }
  if (Object.keys(hosts).length > 0) await config.storeHosts(profile, hosts);
  await config.storeKeys(profile, keys);
  const current = await config.current();
  if (current === undefined) await config.use(profile);
  return {
    data: {
      profile,
      stored: Object.keys(keys),
      checked: isChecked,
      current: (current ?? profile) === profile,
      path: config.path,
    },
    notices: noticesOf({ keys, isChecked, profile, current }),
  };
}

const nothingStored: Text = {
  en: 'nothing was stored, because of --dry-run',
  pt: 'nada foi guardado, por causa de --dry-run',
};

function usableKeys(keys: LoginKeys): LoginKeys {
  const entries = Object.entries(keys)
    .filter(([, text]) => text !== undefined && text !== '')
    .map(([kind, text]) => [kind, checkedKey(String(text), kind).secret]);
  if (entries.length > 0) return Object.fromEntries(entries);
  throw new FiscalError('usage.missing', { names: { en: 'a key', pt: 'uma chave' } });
}

function presetHosts(preset: string | undefined): HostAddresses {
  if (preset === undefined) return {};
  const hosts = Object.hasOwn(presets, preset) ? presets[preset] : undefined;
  if (hosts !== undefined) return hosts;
  const names = Object.keys(presets).join(', ');
  const expected = { en: `one of ${names} is expected`, pt: `espera-se um de ${names}` };
  throw invalidValue('--preset', preset, expected);
}

/** Keys without an address cannot be used, and the check would fail with a less useful word. */
function assertAddress(settings: Settings, profile: string): void {
  if (Object.keys(settings.hosts).length > 0) return;
  throw new FiscalError(
    'config.missing_host',
    { profile, host: 'product' },
    {
      sent: 'no',
      hint: {
        en: 'add --preset nfe.io, or --product-url https://… (and --query-url, --service-url)',
        pt: 'acrescente --preset nfe.io, ou --product-url https://… (e --query-url, --service-url)',
      },
    },
  );
}

function invoiceCredential({ invoice, jwt }: LoginKeys, profile: string): Credential | undefined {
  const source = `login ${profile}`;
  if (invoice !== undefined) return { kind: 'invoice', scheme: 'raw', secret: invoice, source };
  return jwt === undefined ? undefined : { kind: 'invoice', scheme: 'bearer', secret: jwt, source };
}

interface LoginResult {
  readonly keys: LoginKeys;
  readonly isChecked: boolean;
  readonly profile: string;
  readonly current: string | undefined;
}

function noticesOf({ keys, isChecked, profile, current }: LoginResult): readonly Text[] {
  const notices: Text[] = [];
  if (keys.data !== undefined) {
    notices.push({
      en: 'the data key is stored unchecked: the service has no free query to try it with',
      pt: 'a chave data foi guardada sem verificação: o serviço não tem consulta gratuita para testá-la',
    });
  }
  if (!isChecked && (keys.invoice !== undefined || keys.jwt !== undefined)) {
    notices.push({ en: 'nothing was checked at the service', pt: 'nada foi verificado no serviço' });
  }
  if (current !== undefined && current !== profile) {
    notices.push({
      en: `the profile in use is still "${current}"; change with: fiscal auth use ${profile}`,
      pt: `o perfil em uso ainda é "${current}"; mude com: fiscal auth use ${profile}`,
    });
  }
  return notices;
}

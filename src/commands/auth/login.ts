import type { Given } from '../../cli/command.js';
import type { HostAddresses } from '../../config/files.js';
import { presets, typedHosts } from '../../config/presets.js';
import { sandboxProfile } from '../../config/sandbox-profile.js';
import type { Settings } from '../../config/settings.js';
import type { Text } from '../../contract/text.js';
import type { Outcome } from '../../domain/outcome.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { invalidValue } from '../../errors/invalid-value.js';
import type { Io } from '../../io/io.js';
import type { Context } from '../../services/context.js';
import { askService } from './ask-service.js';
import type { login } from './commands.js';
import { gatherKeys, invoiceCredential, type LoginKeys, usableKeys, withKey } from './keys.js';
import { shadowNotice } from './profiles.js';

/** A person at a terminal chooses the service and types the keys; otherwise both are given. */
export async function logIn(context: Context, given: Given<typeof login>, io: Io): Promise<Outcome> {
  const { profile = 'default', noCheck, stdin } = given;
  if (profile === sandboxProfile.name) throw needsNoLogin(context);
  const config = await context.config();
  const { productUrl: product, queryUrl: query, serviceUrl: service } = given;
  let hosts: HostAddresses = { ...presetHosts(given.preset), ...typedHosts({ product, query, service }) };
  if (io.mayAsk && !stdin && Object.keys(hosts).length === 0) {
    const { hosts: kept } = await config.draft(profile, {}, context.flags);
    // The sandbox is the profile of its own name, so it is no answer for another one.
    const chosen = await askService(io, { kept, offersSandbox: given.profile === undefined });
    if ('sandbox' in chosen) return await useSandbox(context);
    ({ hosts } = chosen);
  }
  const keys = usableKeys(await gatherKeys(context, given, io));
  const settings = await config.draft(profile, hosts, context.flags);
  assertAddress(settings, profile);
  const credential = invoiceCredential(keys, profile);
  const isChecked = !noCheck && credential !== undefined;
  // Nothing is stored when the service refuses the key; what nobody could check is kept.
  if (isChecked)
    await withKey(
      context,
      { settings, credential },
      {
        work: (client) => client.call('company.list', { path: {}, query: { limit: 1 } }),
        keep: () => storeLogin(context, { profile, hosts, keys }),
      },
    );
  const shadow = shadowNotice(context, profile);
  if (settings.dryRun) {
    return { data: { profile, stored: [], checked: isChecked, path: config.path }, notices: [nothingStored] };
  }
  const current = await config.current();
  await storeLogin(context, { profile, hosts, keys });
  return {
    data: {
      profile,
      stored: Object.keys(keys),
      checked: isChecked,
      current: (current ?? profile) === profile,
      path: config.path,
    },
    notices: [...noticesOf({ keys, isChecked, profile, current }), ...shadow],
  };
}

/** The profile becomes the one in use where none is. */
async function storeLogin(
  context: Context,
  { profile, hosts, keys }: { readonly profile: string; readonly hosts: HostAddresses; readonly keys: LoginKeys },
): Promise<void> {
  const config = await context.config();
  if (Object.keys(hosts).length > 0) await config.storeHosts(profile, hosts);
  await config.storeKeys(profile, keys);
  if ((await config.current()) === undefined) await config.use(profile);
}

/** Nobody types this profile for a login: it comes from the environment, or from a sandbox that is tried. */
function needsNoLogin({ env }: Pick<Context, 'env'>): FiscalError {
  const { name: profile } = sandboxProfile;
  const by: Text =
    env['FISCAL_PROFILE'] === profile
      ? { en: ', which FISCAL_PROFILE names,', pt: ', indicado por FISCAL_PROFILE,' }
      : { en: '', pt: '' };
  const hint: Text = {
    en: 'to store the keys of a service: fiscal auth login --profile <name>',
    pt: 'para gravar as chaves de um serviço: fiscal auth login --profile <nome>',
  };
  return new FiscalError('config.built_in_profile', { profile }, { sent: 'no', hint }).withText({
    en: `the profile "${profile}"${by.en} is the sandbox of this machine and needs no login`,
    pt: `o perfil "${profile}"${by.pt} é o sandbox desta máquina e dispensa login`,
  });
}

async function useSandbox(context: Context): Promise<Outcome> {
  const config = await context.config();
  const { name: profile } = sandboxProfile;
  const { dryRun } = await config.settings({ ...context.flags, profile });
  const shadow = shadowNotice(context, profile);
  if (!dryRun) await config.use(profile);
  return {
    data: { profile, stored: [], checked: false, ...(dryRun ? {} : { current: true }), path: config.path },
    notices: dryRun ? [nothingStored] : shadow,
  };
}

const nothingStored: Text = {
  en: 'nothing was stored, because of --dry-run',
  pt: 'nada foi gravado, por causa de --dry-run',
};

export function presetHosts(preset: string | undefined): HostAddresses {
  if (preset === undefined) return {};
  const hosts = Object.hasOwn(presets, preset) ? presets[preset] : undefined;
  if (hosts !== undefined) return hosts;
  const names = Object.keys(presets).join(', ');
  const expected = { en: `one of ${names} is expected`, pt: `espera-se um de ${names}` };
  throw invalidValue('--preset', preset, expected);
}

/** Keys without an address cannot be used, and the error of the check would help less. */
export function assertAddress(settings: Settings, profile: string): void {
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
      en: 'the data key is stored unchecked; to try it without a query: fiscal doctor --probe',
      pt: 'a chave de consulta foi gravada sem verificação; para testá-la sem uma consulta: fiscal doctor --probe',
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

import { environmentProfile } from '../domain/environment-profile.js';
import { isProtected } from '../domain/loopback.js';
import type { HostName } from '../contract/operation.js';
import { FiscalError } from '../errors/fiscal-error.js';
import { invalidValue } from '../errors/invalid-value.js';
import type { ClientSettings } from './client.js';

/** Query hosts that are not set use `query` (assumed; the document has three base addresses, §1). */
const FALLBACK: Readonly<Partial<Record<HostName, HostName>>> = {
  legalEntity: 'query',
  naturalPerson: 'query',
  address: 'query',
};

/** The base address of one of the profile's hosts. Throws `config.missing_host`, which names the two ways to set it. */
export function baseOf(settings: ClientSettings, host: HostName): URL {
  const fallback = FALLBACK[host];
  const text = settings.hosts[host] ?? (fallback === undefined ? undefined : settings.hosts[fallback]);
  if (text === undefined) throw missingHost(settings.profile, host);
  return checkedAddress(text);
}

/** Parses an address: https, or http on this machine only (§4, convention 6); without user and password. */
export function checkedAddress(text: string): URL {
  const url = addressIn(text);
  if (url === undefined) throw invalidValue('host', text, 'https://…');
  if (url.username !== '' || url.password !== '') {
    throw invalidValue('host', url.host, 'https://host');
  }
  if (!isProtected(url)) throw new FiscalError('config.insecure_host', { host: `${url.protocol}//${url.host}` });
  return url;
}

/** To ask first whether a text is an address would parse it twice, and every call asks. */
function addressIn(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

/** Joins a base address, which may have a path, and an absolute path. */
export function joinAddress(
  base: URL,
  path: string,
  query: Readonly<Record<string, string | number | boolean | undefined>> = {},
): URL {
  const begin = base.origin + base.pathname.replace(/(?<!\/)\/+$/, '');
  // In one piece, since each setter parses the whole address again.
  const url = new URL(begin + path.replaceAll('#', '%23'));
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.set(name, String(value));
  }
  return url;
}

function missingHost(profile: string | undefined, host: HostName): FiscalError {
  const variable = `FISCAL_${host.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}_URL`;
  return new FiscalError(
    'config.missing_host',
    { profile: profile ?? environmentProfile, host },
    {
      sent: 'no',
      hint: {
        en: `fiscal config set hosts.${host} https://…  (or set ${variable})`,
        pt: `fiscal config set hosts.${host} https://…  (ou defina ${variable})`,
      },
    },
  );
}

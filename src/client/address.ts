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
  if (!URL.canParse(text)) {
    throw invalidValue('host', text, 'https://…');
  }
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') {
    throw invalidValue('host', url.host, 'https://host');
  }
  if (!isProtected(url)) throw new FiscalError('config.insecure_host', { host: `${url.protocol}//${url.host}` });
  return url;
}

/** Joins a base address, which may have a path, and an absolute path. */
export function joinAddress(
  base: URL,
  path: string,
  query: Readonly<Record<string, string | number | boolean | undefined>> = {},
): URL {
  const url = new URL(base);
  const [pathname = '', search = ''] = splitOnce(path, '?');
  url.pathname = base.pathname.replace(/(?<!\/)\/+$/, '') + pathname;
  // A setter parses the whole address again, so it is called only when needed.
  if (url.hash !== '') url.hash = '';
  if (url.search !== '' || search !== '') url.search = search;
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

function splitOnce(text: string, mark: string): readonly string[] {
  const at = text.indexOf(mark);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + mark.length)];
}

import type { HostName } from '../contract/operation.js';
import { FiscalError } from '../errors/fiscal-error.js';
import { invalidValue } from '../errors/invalid-value.js';
import type { ClientSettings } from './client.js';

/** The optional query hosts fall back to `query` (assumed; the document has three base addresses, §1). */
const FALLBACK: Readonly<Partial<Record<HostName, HostName>>> = {
  legalEntity: 'query',
  naturalPerson: 'query',
  address: 'query',
};

/** The base address of a host of the profile. Throws `config.missing_host` with the two ways to set it. */
export function baseOf(settings: ClientSettings, host: HostName): URL {
  const fallback = FALLBACK[host];
  const text = settings.hosts[host] ?? (fallback === undefined ? undefined : settings.hosts[fallback]);
  if (text === undefined) throw missingHost(settings.profile, host);
  return checkedAddress(text);
}

/** Parses and checks an address: https, or http on this machine only (§4, convention 6); no user or password in it. */
export function checkedAddress(text: string): URL {
  if (!URL.canParse(text)) {
    throw invalidValue('host', text, 'https://…');
  }
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') {
    throw invalidValue('host', url.host, 'https://host');
  }
  const isAllowed = url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url));
  if (!isAllowed) throw new FiscalError('config.insecure_host', { host: `${url.protocol}//${url.host}` });
  return url;
}

/** Joins a base and an absolute path; the base may carry a path of its own. */
export function joinAddress(
  base: URL,
  path: string,
  query: Readonly<Record<string, string | number | boolean | undefined>> = {},
): URL {
  const url = new URL(base);
  const [pathname = '', search = ''] = splitOnce(path, '?');
  url.pathname = base.pathname.replace(/\/+$/, '') + pathname;
  // A setter reads the whole address anew, so only what is another is set.
  if (url.hash !== '') url.hash = '';
  if (url.search !== '' || search !== '') url.search = search;
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.set(name, String(value));
  }
  return url;
}

/** True for addresses that never leave this machine. `URL` has already normalised forms like `127.1`. */
export function isLoopback(url: URL): boolean {
  const name = url.hostname;
  return name === 'localhost' || name === '[::1]' || /^127(\.\d{1,3}){3}$/.test(name);
}

function missingHost(profile: string | undefined, host: HostName): FiscalError {
  const variable = `FISCAL_${host.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}_URL`;
  return new FiscalError(
    'config.missing_host',
    { profile: profile ?? 'environment', host },
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

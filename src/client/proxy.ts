import type { Environment } from '../domain/world.js';
import { invalidValue } from '../errors/invalid-value.js';

/**
 * The proxy for an https address, by `--proxy`, else HTTPS_PROXY, else HTTP_PROXY (either case);
 * `undefined` where none is set or NO_PROXY excludes the host.
 */
export function proxyFor(url: URL, chosen: string | undefined, env: Environment): string | undefined {
  const text = chosen ?? read(env, 'https_proxy') ?? read(env, 'http_proxy');
  if (text === undefined || isExcluded(url, read(env, 'no_proxy') ?? '')) return undefined;
  return checkedProxy(text);
}

function read(env: Environment, name: string): string | undefined {
  const value = env[name] ?? env[name.toUpperCase()];
  return value === undefined || value === '' ? undefined : value;
}

/** A bare `host:port` is an http proxy, as in other programs. The text is never shown: it may hold a password. */
function checkedProxy(text: string): string {
  const full = text.includes('://') ? text : `http://${text}`;
  const url = URL.canParse(full) ? new URL(full) : undefined;
  if (url === undefined || !['http:', 'https:'].includes(url.protocol)) {
    throw invalidValue('proxy', '***', 'http://host:port');
  }
  return url.href;
}

function isExcluded(url: URL, list: string): boolean {
  const port = url.port === '' ? '443' : url.port;
  return list
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .some((entry) => excludes(entry.toLowerCase(), url.hostname, port));
}

function excludes(entry: string, hostname: string, port: string): boolean {
  if (entry === '*') return true;
  const [, name = entry, entryPort] = /^(.+?)(?::(\d+))?$/.exec(entry) ?? [];
  if (entryPort !== undefined && entryPort !== port) return false;
  const suffix = name.replace(/^\*?\./, '');
  return hostname === suffix || hostname.endsWith(`.${suffix}`);
}

import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { X509Certificate } from 'node:crypto';
import { rootCertificates } from 'node:tls';
import type { Text } from '../contract/text.js';
import type { Environment } from '../domain/world.js';
import { FiscalError } from '../errors/fiscal-error.js';
import { fileFault, readWholeFile } from '../io/input-file.js';
import { invalidValue } from '../errors/invalid-value.js';
import { isLoopback } from '../domain/loopback.js';

/** The keep-alive connections of one client. */
export interface Agents {
  for(url: URL): { readonly http: HttpAgent } | { readonly https: HttpsAgent };
  close(): void;
}

export interface AgentSettings {
  readonly caCert: string | undefined;
  readonly proxy: string | undefined;
}

/**
 * Idle connections are closed earlier than common servers do (5 s): a request written to a connection that the server
 * is closing would have an unknown outcome for no good reason.
 */
const KEEP_IDLE_MS = 4_000;

export async function createAgents(settings: AgentSettings, env: Environment): Promise<Agents> {
  const ca = await certificateAuthorities(settings.caCert, env);
  const options = { keepAlive: true, timeout: KEEP_IDLE_MS, ...(ca === undefined ? {} : { ca }) };
  const http = new HttpAgent({ keepAlive: true, timeout: KEEP_IDLE_MS });
  // Without a call by https, Node need not load its TLS code.
  let https: HttpsAgent | undefined;
  const proxied = await proxyAgents(settings.proxy, env, options);
  return {
    for(url) {
      if (url.protocol !== 'https:') return { http };
      const proxy = isLoopback(url.hostname) ? undefined : proxyFor(url, settings.proxy, env);
      https ??= new HttpsAgent(options);
      return { https: (proxy === undefined ? undefined : proxied.get(proxy)) ?? https };
    },
    close() {
      for (const agent of [http, https, ...proxied.values()]) agent?.destroy();
    },
  };
}

/** Plain http stays on this machine, so only https needs a tunnel. The package is loaded only when a proxy is set. */
async function proxyAgents(
  chosen: string | undefined,
  env: Environment,
  options: object,
): Promise<ReadonlyMap<string, HttpsAgent>> {
  const proxy = proxyFor(new URL('https://any.invalid'), chosen, { ...env, NO_PROXY: '', no_proxy: '' });
  if (proxy === undefined) return new Map();
  const { HttpsProxyAgent } = await import('hpagent');
  return new Map([[proxy, new HttpsProxyAgent({ ...options, proxy })]]);
}

/** Adds the user's certificates to Node's own, which a `ca` option would replace. */
async function certificateAuthorities(caCert: string | undefined, env: Environment): Promise<string[] | undefined> {
  if (caCert === undefined) return undefined;
  const added = await readCertificates(caCert);
  const extra = env['NODE_EXTRA_CA_CERTS'];
  const fromNode = extra === undefined || extra === '' ? [] : await readCertificates(extra);
  return [...rootCertificates, ...fromNode, ...added];
}

/** Every authority that a system knows has a third of a mebibyte. */
const MOST_CERTIFICATES = 4 * 1024 * 1024;

async function readCertificates(path: string): Promise<readonly string[]> {
  const bytes = await readWholeFile(path, { mostBytes: MOST_CERTIFICATES }).catch((cause: unknown) => {
    throw new FiscalError('input.unreadable', { path, reason: fileFault(cause) ?? 'EIO' }, { sent: 'no' });
  });
  const blocks = bytes.toString('utf8').match(/-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g) ?? [];
  if (blocks.length === 0) throw notCertificates(path, { en: 'it holds no certificate', pt: 'não contém certificado' });
  for (const block of blocks) assertCertificate(path, block);
  return blocks;
}

function assertCertificate(path: string, block: string): void {
  try {
    new X509Certificate(block);
  } catch {
    throw notCertificates(path, {
      en: 'a certificate in it cannot be read',
      pt: 'um certificado nele não pôde ser lido',
    });
  }
}

function notCertificates(path: string, reason: Text): FiscalError {
  return new FiscalError('input.syntax', { path, format: 'PEM', reason }, { sent: 'no' });
}

/**
 * The proxy for an https address: `--proxy`, else HTTPS_PROXY, else HTTP_PROXY (either case); `undefined` when none is
 * set or NO_PROXY excludes the host.
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

/**
 * A bare `host:port` is an http proxy, as in other programs. Errors never show the text, which may contain a password.
 */
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

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { testHost, type TestHost, type TestHostOptions } from '../../support/host.js';

/** A host whose profile `acme` keeps a key and the address of a service. */
export function profileHost(url: string, key: string, options: TestHostOptions = {}): TestHost {
  const host = testHost({
    companies: ['c1'],
    storeNamespace: 'acme',
    ...options,
    env: { FISCAL_COMPANY: 'c1', ...options.env },
  });
  const profile = { hosts: { product: url }, keys: { invoice: key } };
  mkdirSync(join(host.root, 'config'), { recursive: true });
  writeFileSync(configPath(host), JSON.stringify({ current: 'acme', profiles: { acme: profile } }));
  return host;
}

/** The webhook secrets that the profile keeps, by name. */
export function keptSecrets(host: TestHost): Readonly<Record<string, string>> {
  const config: unknown = JSON.parse(readFileSync(configPath(host), 'utf8'));
  return (
    (config as { profiles: { acme: { webhookSecrets?: Record<string, string> } } }).profiles.acme.webhookSecrets ?? {}
  );
}

export function configPath(host: TestHost): string {
  return join(host.root, 'config', 'config.json');
}

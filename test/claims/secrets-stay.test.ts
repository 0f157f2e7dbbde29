/** Every command with every source of a key, against a service that quotes all that it is sent: no secret is shown or stored. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadCommands } from '../support/commands.js';
import { runFiscal, testHost, type TestHost } from '../support/host.js';
import { callsOf, commandOf, type Call, type World } from './arguments.js';

const canary = 'canary-of-every-command-4417';
const [key, dataKey, secret, header, pfxPassword] = ['key', 'data', 'webhook-secret', 'header', 'pfx'].map(
  (what) => `${canary}-${what}`,
);
/** Unescaped, as people type it. */
const proxy = `http://me:${canary}@${canary}@proxy.invalid:1`;

/** These serve, or start another program. */
const serving = ['sandbox start', 'sandbox exec', 'webhook listen'];
/** These remove what the other commands use. */
const last = ['auth logout', 'auth use', 'sandbox reset'];

const echo = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const said = `${request.headers.authorization ?? ''} ${request.url ?? ''} ${Buffer.concat(chunks).toString()}`;
    response.writeHead(400, { 'content-type': 'application/json', 'x-request-id': said.slice(0, 60).trim() });
    response.end(JSON.stringify({ error: { code: 'bad', message: `you sent ${said}` } }));
  });
});
let url = '';

beforeAll(async () => {
  await new Promise<void>((resolve) => echo.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${String((echo.address() as AddressInfo).port)}`;
});

afterAll(() => {
  echo.closeAllConnections();
  echo.close();
});

const id = '5f1c0d2e-9b7a-4c3d-8e6f-0a1b2c3d4e5f';
const accessKey = '35261111222333000181550010000000011000000010';
const world: World = {
  ...{ companyId: id, emptyCompanyId: id, tenantId: id, nfeKeys: [accessKey, accessKey, accessKey] },
  ...{ cteKey: accessKey, nfseKey: accessKey, nfseId: id, manifested: accessKey, eventKey: accessKey },
  ...{ productId: id, invoiceId: id, nfeId: id, nfceId: id, nfseInvoiceId: id, eventId: id, webhookId: id },
  ...{ receiverUrl: 'https://receiver.invalid', stateTaxId: id, municipalTaxId: id, thumbprint: 'ab'.repeat(20) },
  ...{ month: '2026-10', pfx: Buffer.from('none'), samples: {} },
};

/** The table's calls, and those that can show more secrets; a command that the table leaves out is called without words. */
function calls(names: readonly string[]): readonly (readonly [string, Call])[] {
  const headers = { 'headers.txt': `X-Caller: ${String(header)}\n` };
  const isCalled = (name: string) => names.includes(name) && !serving.includes(name);
  const named = Object.entries(callsOf(world))
    .filter(([name]) => isCalled(commandOf(name)))
    .map(([name, call]): readonly [string, Call] => [name, 'left' in call ? { words: [] } : call]);
  const more: readonly (readonly [string, Call])[] = [
    ['webhook create', { words: ['https://x.invalid/', '--headers-file', 'headers.txt'], files: headers }],
    ['webhook update', { words: [id, '--headers-file', 'headers.txt', '--yes'], files: headers }],
    [
      'certificate upload',
      {
        words: ['--file', 'a1.pfx', '--password-file', 'p.txt'],
        files: { 'a1.pfx': '', 'p.txt': `${String(pfxPassword)}\n` },
      },
    ],
    ['config get', { words: ['proxy'] }],
  ];
  return [...named.filter(([name]) => !last.includes(name)), ...more, ...named.filter(([name]) => last.includes(name))];
}

type Source = 'variable' | 'file' | 'command' | 'token' | 'token file' | 'query' | 'profile';

/** A host that finds the secrets in this source, and the files that may hold them. */
function hostWith(source: Source): { readonly host: TestHost; readonly holding: readonly string[] } {
  const plain = testHost();
  const held = (name: string, text = ''): string => {
    const path = join(plain.root, name);
    writeFileSync(path, text);
    return path;
  };
  const files = { key: held('key', key), data: held('data', dataKey), secret: held('secret', secret) };
  const variables = {
    FISCAL_INVOICE_KEY: key,
    FISCAL_DATA_KEY: dataKey,
    FISCAL_WEBHOOK_SECRET: secret,
    FISCAL_PROXY: proxy,
  };
  const environments: Readonly<Record<Source, Readonly<Record<string, string | undefined>>>> = {
    variable: variables,
    query: { ...variables, FISCAL_KEY_IN: 'query' },
    file: {
      ...{ FISCAL_INVOICE_KEY_FILE: files.key, FISCAL_DATA_KEY_FILE: files.data },
      FISCAL_WEBHOOK_SECRET_FILE: files.secret,
    },
    command: {
      ...{ FISCAL_INVOICE_KEY_COMMAND: `cat ${files.key}`, FISCAL_DATA_KEY_COMMAND: `cat ${files.data}` },
      FISCAL_WEBHOOK_SECRET_COMMAND: `cat ${files.secret}`,
    },
    token: { FISCAL_JWT: key },
    'token file': { FISCAL_JWT_FILE: files.key },
    profile: { FISCAL_PROFILE: 'acme' },
  };
  const config = join(plain.root, 'config', 'config.json');
  if (source === 'profile') {
    mkdirSync(join(plain.root, 'config'), { mode: 0o700 });
    const keys = { invoice: key, data: dataKey };
    const hosts = { product: url, query: url, service: url };
    const acme = { keys, webhookSecrets: { [id]: secret }, proxy, hosts, tenant: id, company: id };
    writeFileSync(config, JSON.stringify({ current: 'acme', profiles: { acme } }), { mode: 0o600 });
  }
  const place =
    source === 'profile'
      ? {}
      : {
          ...{ FISCAL_PRODUCT_URL: url, FISCAL_QUERY_URL: url, FISCAL_SERVICE_URL: url },
          ...{ FISCAL_TENANT: id, FISCAL_COMPANY: id },
        };
  const env = { ...plain.env, ...place, PATH: process.env['PATH'], ...environments[source] };
  return { host: { ...plain, env }, holding: [...Object.values(files), config] };
}

function filesWith(text: string, folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => readFileSync(path).includes(text));
}

test.each<Source>(['variable', 'file', 'command', 'token', 'token file', 'query', 'profile'])(
  'no command shows or stores a secret that comes from: %s',
  async (source) => {
    const { host, holding } = hostWith(source);
    const leaks: string[] = [];
    const given = new Set(holding);
    const words = ['--debug-http', '-v', '--no-input', '--max-retry-wait', '0', '--lang', 'en'];
    for (const [name, call] of calls([...(await loadCommands()).keys()])) {
      for (const [file, content] of Object.entries(call.files ?? {})) {
        writeFileSync(join(host.cwd, file), content);
        if (['headers.txt', 'p.txt'].includes(file)) given.add(join(host.cwd, file));
      }
      for (const more of [[], ['--dry-run']]) {
        const { stdout, stderr } = await runFiscal([...name.split(' '), ...call.words, ...words, ...more], host, {
          isServiceHostile: true,
        });
        const shown = (stdout + stderr).includes(canary);
        if (shown) leaks.push(`${[name, ...more].join(' ')} shows it`);
      }
    }
    for (const path of filesWith(canary, host.root))
      if (!given.has(path)) leaks.push(`it stands in ${path.slice(host.root.length)}`);
    expect(leaks).toEqual([]);
    // The service was asked, and what it quoted was masked.
    expect(host.written().stderr).toContain('you sent');
    expect(host.written().stderr).toContain('***');
  },
);

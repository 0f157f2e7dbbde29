import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import { join } from 'node:path';
import { isLosslessNumber, parse, stringify } from 'lossless-json';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { testService } from '../conformance/service.js';
import { filesOf } from '../support/files-of.js';
import { runFiscal, testHost, type TestHost } from '../support/host.js';
import type { writingCommands } from './writing-commands.js';
import { newCompany } from '../facts/company.js';

interface Recorded {
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

const service = testService();
let recorded: Recorded[] = [];
let recorder: Server;
const closing: Server[] = [];
let url = '';
/** Takes what the sandbox calls. */
let receiver = '';

/** Stands before the sandbox and writes down what is no reading. */
beforeAll(async () => {
  const { companyId } = service.ready();
  await service.control('POST', 'documents', { companyId, family: 'nfe', accessKey: nfeKey });
  await service.control('POST', 'documents', { companyId, family: 'nfe', accessKey: otherKey });
  await service.control('POST', 'documents', { companyId, family: 'nfse', accessKey: nfseKey });
  const taking = createServer((_incoming, outgoing) => void outgoing.end());
  taking.listen(0, '127.0.0.1');
  await once(taking, 'listening');
  receiver = addressOf(taking);
  closing.push(taking);
  recorder = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const { method = '', url: target = '', headers } = incoming;
      const body = Buffer.concat(chunks);
      if (method !== 'GET') recorded.push({ method, target, headers, body: body.toString('utf8') });
      const { host: _host, connection: _connection, 'content-length': _length, ...others } = headers;
      void fetch(service.ready().url + target, {
        method,
        headers: others as Record<string, string>, // no header of these requests stands twice
        ...(body.length === 0 ? {} : { body }),
      }).then(async (answer) => {
        const type = answer.headers.get('content-type') ?? 'application/json';
        outgoing.writeHead(answer.status, { 'content-type': type });
        outgoing.end(Buffer.from(await answer.arrayBuffer()));
      });
    });
  });
  recorder.listen(0, '127.0.0.1');
  await once(recorder, 'listening');
  url = addressOf(recorder);
  closing.push(recorder);
});

afterAll(() => {
  for (const server of closing) {
    server.close();
    server.closeAllConnections();
  }
});

function addressOf(server: Server): string {
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
}

beforeEach(async () => {
  const { companyId } = service.ready();
  for (const family of ['nfe', 'cte', 'nfse']) {
    await service.control('POST', 'captures', { companyId, family, active: true });
  }
});

const nfeKey = '35250530057049000141550010000280181030656857';
const nfseKey = '21113002200574753000100000000000146726037032711025';
const otherKey = '35250530057049000141550010000000041030656858';
const today = new Date().toISOString().slice(0, 10);
const foreignKey = '33045572211905971000105000000000014625124504258429';

interface Case {
  readonly words: readonly string[];
  readonly files?: Readonly<Record<string, unknown>>;
  /** Given to the real run alone. */
  readonly consent?: readonly string[];
  /** Fields that a dry run masks, because they are secrets. */
  readonly masked?: readonly string[];
  /** What a dry run exits with, where that is not 0. */
  readonly dryExit?: number;
  /** What must stand at the service before; gives the words that name it. */
  readonly before?: (host: TestHost) => Promise<readonly string[]>;
}

const yes = ['--yes'];
const product = { sku: 'CAFE-1', description: 'Café', origin: 'National', ncm: '09012100' };
const plain = { accessKey: nfeKey, event: 'awareness' };
const invoice = {
  operationNature: 'Venda',
  operationType: 'Outgoing',
  buyer: { name: 'Comércio Exemplo Ltda', federalTaxNumber: '11222333000181' },
  items: [
    {
      ...{ code: 'CAFE-500', description: 'Café', ncm: '09012100', cfop: 5102, unit: 'UN' },
      ...{ quantity: 2, unitAmount: '18.90', totalAmount: '37.80' },
    },
  ],
  payment: [{ paymentDetail: [{ method: 'Cash', amount: '37.80' }] }],
};
const serviceInvoice = {
  cityServiceCode: '2690',
  description: 'Consultoria',
  servicesAmount: '1500.00',
  borrower: { name: 'Comércio Exemplo Ltda', federalTaxNumber: '11222333000181', email: 'a@example.com' },
};
const calculation = {
  ...{ issuer: { state: 'SP', taxRegime: 'RealProfit' }, recipient: { state: 'RJ' }, operationType: 'Outgoing' },
  items: [{ id: '1', operationCode: 121, origin: 'National', quantity: '1', unitAmount: '10.00' }],
};
const text = '--reason=erro de digitação no pedido';
const range = ['--serie', '7', '--from', '120', '--to', '125', '--state', 'SP', '--environment', 'Test', text];
const bills = ['--file', 'n.json'];
const rows = (body: object) => ({ 'n.ndjson': `${JSON.stringify(body)}\n` });

async function idOf(host: TestHost, ...words: string[]): Promise<readonly string[]> {
  const { stdout } = await runFiscal([...words, '-o', 'id'], host);
  return [stdout.trim()];
}

const aProduct = async (host: TestHost) =>
  await idOf(host, 'product', 'create', '--sku', 'A-1', '--description', 'Café', '--origin', 'National');
const aWebhook = async (host: TestHost) => await idOf(host, 'webhook', 'create', `${receiver}/${randomUUID()}`);
const aCompany = (cnpj: string) => async (host: TestHost) => {
  writeFileSync(join(host.cwd, 'company.json'), JSON.stringify(newCompany));
  return await idOf(host, 'company', 'create', '--file', 'company.json', '--cnpj', cnpj);
};
const aStateTax = (number: string) => async (host: TestHost) =>
  await idOf(host, ...['company', 'registration', 'create', '--state', 'SP', '--tax-number', number, '--type', 'NFe']);
const aMunicipalTax = (number: string) => async (host: TestHost) =>
  await idOf(host, ...['company', 'registration', 'create', '--city', '3550308', '--tax-number', number]);
const cnpjs = ['47.960.950/0001-21', '11.222.333/0001-81'] as const;

/** Every command that writes at the service, at least once for each way in which its request is made. */
const cases: Readonly<Record<(typeof writingCommands)[number], Readonly<Record<string, Case>>>> = {
  'product create': { file: { words: ['--file', 'p.json'], files: { 'p.json': product } } },
  'product update': { file: { words: ['--file', 'p.json'], files: { 'p.json': product }, before: aProduct } },
  'product revalidate': { id: { words: [], before: aProduct } },
  'product apply': {
    'a new one': { words: ['p.json'], files: { 'p.json': [product] }, consent: yes },
    'create only': {
      words: ['p.ndjson', '--create-only'],
      files: { 'p.ndjson': `${JSON.stringify(product)}\n` },
      consent: yes,
    },
  },
  'manifestation submit': {
    'NF-e': { words: [nfeKey, '--event', 'awareness'] },
    disavowal: { words: [nfeKey, '--event', 'disavowal'], consent: yes },
    'with a reason': {
      words: [nfeKey, '--event', 'not-performed', '--justification', 'nunca chegou aqui'],
      consent: yes,
    },
    'NFS-e': { words: [nfseKey, '--event', 'reject', '--reason', '3'], consent: yes },
  },
  'manifestation apply': {
    events: { words: ['e.ndjson'], files: { 'e.ndjson': `${JSON.stringify(plain)}\n` }, consent: yes },
    plan: {
      words: ['--input', 'd.csv'],
      files: {
        'd.csv': `chave,emitente,valor,emissao\n${otherKey},11222333000181,10.00,${today}\n`,
        'rules.json': { rules: [{ event: 'awareness' }] },
      },
      consent: yes,
      before: async (host) => {
        const planning = ['--rules', 'rules.json', '--input', 'd.csv', '--out', 'plan.json'];
        expect((await runFiscal(['manifestation', 'plan', ...planning], host)).exitCode).toBe(0);
        return ['plan.json'];
      },
    },
  },
  'inbound fetch-by-key': { key: { words: [foreignKey], consent: yes } },
  'inbound reprocess': {
    key: { words: [nfseKey] },
    'NF-e': { words: [nfeKey, '--webhook'] },
    'NFS-e': { words: [nfseKey, '--webhook'] },
  },
  'inbound capture enable': {
    nfe: { words: ['--type', 'nfe', '--outbound-enabled', 'true'], consent: yes },
    cte: { words: ['--type', 'cte', '--environment', 'Test'], consent: yes },
    nfse: { words: ['--type', 'nfse', '--outbound-enabled', 'true'], consent: yes },
  },
  'inbound capture update': {
    nfe: { words: ['--type', 'nfe', '--minutes-to-operation-confirmation', '90'], consent: yes },
    nfse: { words: ['--type', 'nfse', '--webhook-url', 'https://a.example/'], consent: yes },
  },
  'inbound capture disable': {
    nfe: { words: ['--type', 'nfe'], consent: yes },
    cte: { words: ['--type', 'cte'], consent: yes },
    nfse: { words: ['--type', 'nfse'], consent: yes },
  },
  'inbound capture run': { company: { words: [], consent: yes } },
  'inbound capture reactivate': { company: { words: [], consent: yes } },
  'inbound capture reset-nsu': { nsu: { words: ['7'], consent: yes } },
  'invoice issue --model general': {
    file: {
      words: ['--file', 'n.json'],
      files: {
        'n.json': {
          cliente: { cpf: '52998224725', nome: 'Maria' },
          itens: [{ descricao: 'Café', quantidade: 2, valorUnitario: '18.90' }],
        },
      },
      masked: ['cpf'],
      consent: yes,
    },
  },
  'invoice issue --model nfe': {
    file: { words: bills, files: { 'n.json': invoice }, consent: yes },
    'below a registration': { words: [...bills, '--state-tax', 'ie1'], files: { 'n.json': invoice }, consent: yes },
  },
  'invoice issue --model nfce': {
    file: { words: bills, files: { 'n.json': invoice }, consent: yes },
    'below a registration': { words: [...bills, '--state-tax', 'ie1'], files: { 'n.json': invoice }, consent: yes },
  },
  'invoice issue --model nfse': { file: { words: bills, files: { 'n.json': serviceInvoice }, consent: yes } },
  'invoice apply --model nfe': {
    file: { words: ['n.ndjson'], files: rows({ ...invoice, externalId: 'IMPORTED' }), consent: yes },
  },
  'invoice apply --model nfce': {
    file: { words: ['n.ndjson'], files: rows({ ...invoice, externalId: 'IMPORTED' }), consent: yes },
  },
  'invoice apply --model nfse': {
    file: { words: ['n.ndjson'], files: rows({ ...serviceInvoice, externalId: 'IMPORTED' }), consent: yes },
  },
  'invoice cancel --model nfe': { id: { words: ['inv-1', text], consent: yes } },
  'invoice cancel --model nfce': { id: { words: ['inv-1', text], consent: yes } },
  'invoice cancel --model nfse': { id: { words: ['inv-1'], consent: yes } },
  'invoice correct': { id: { words: ['inv-1', '--text=erro de digitação'], consent: yes } },
  'invoice disable': { id: { words: ['inv-1', text], consent: yes } },
  'invoice disable --model nfe': { range: { words: range, consent: yes } },
  'invoice disable --model nfce': { range: { words: range, consent: yes } },
  'invoice email': { id: { words: ['inv-1'] } },
  'inbound reconcile': {
    'by key': {
      words: ['--erp', 'erp.csv', '--month', '2025-12', '--type', 'nfse', '--fetch'],
      files: { 'erp.csv': `accessKey\n${foreignKey}\n` },
      consent: yes,
      // Only the ERP has the document.
      dryExit: 3,
    },
  },
  'backfill release': { company: { words: [], consent: yes } },
  'backfill revoke': { company: { words: [], consent: yes } },
  'backfill start-from': { day: { words: ['2026-01-01'], consent: yes } },
  'tax calculate': { file: { words: ['--file', 'c.json', '--unchecked'], files: { 'c.json': calculation } } },
  'company create': {
    file: {
      words: ['--file', 'company.json', '--name', 'Padaria', '--tax-regime', 'lucro real'],
      files: { 'company.json': JSON.stringify(newCompany) },
    },
  },
  'company update': { flags: { words: ['--trade-name', 'Lua'], consent: yes, before: aCompany(cnpjs[0]) } },
  'company delete': { id: { words: [], consent: yes, before: aCompany(cnpjs[1]) } },
  'company registration create': {
    state: { words: ['--state', 'SP', '--tax-number', '110042490114', '--type', 'NFe'] },
    municipal: { words: ['--city', '3550308', '--tax-number', '12345678', '--serie', 'A1'] },
  },
  'company registration update': {
    state: { words: ['--serie', '2'], consent: yes, before: aStateTax('110042490201') },
    CSC: {
      words: ['--csc-id', '1', '--csc-file', 'csc.txt'],
      files: { 'csc.txt': 'canary' },
      consent: yes,
      before: aStateTax('110042490302'),
      masked: ['securityCredential'],
    },
    municipal: { words: ['--serie', 'B2'], consent: yes, before: aMunicipalTax('201') },
    credentials: {
      words: ['--credentials-file', 'login.json'],
      files: { 'login.json': { loginName: 'canary', loginPassword: 'canary' } },
      consent: yes,
      before: aMunicipalTax('302'),
      masked: ['loginName', 'loginPassword'],
    },
  },
  'company registration switch-authorizer': {
    epec: { words: ['--to', 'EPEC', text], consent: yes, before: aStateTax('110042490403') },
  },
  'certificate upload': {
    file: {
      words: ['--file', 'a1.pfx', '--password-file', 'password', '--unchecked'],
      files: { 'a1.pfx': 'not a PFX', password: 'canary' },
    },
  },
  'certificate delete': { thumbprint: { words: ['AB'.repeat(20)], consent: yes } },
  'webhook create': { address: { words: ['https://a.example/hook', '--events', 'product.*'], masked: ['secret'] } },
  'webhook update': { status: { words: ['--status', 'inactive'], consent: yes, before: aWebhook, masked: ['secret'] } },
  'webhook ping': { id: { words: [], before: aWebhook } },
  'webhook delete': { id: { words: [], consent: yes, before: aWebhook } },
};

/** A profile, since webhooks keep their secrets in one. */
function hostOf(): TestHost {
  const { invoiceKey, dataKey, tenantId: tenant, companyId: company } = service.ready();
  const hosts = { product: url, query: url, service: url };
  const acme = { hosts, keys: { invoice: invoiceKey, data: dataKey }, company, tenant };
  const host = testHost();
  mkdirSync(join(host.root, 'config'), { recursive: true });
  const config = { current: 'acme', profiles: { acme } };
  writeFileSync(join(host.root, 'config', 'config.json'), JSON.stringify(config));
  return host;
}

interface Shown {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** The preview, with the masked fields as they were sent. */
function unmasked(shown: unknown, sent: unknown, masked: readonly string[]): unknown {
  if (typeof shown !== 'object' || shown === null || typeof sent !== 'object' || sent === null) return shown;
  if (isLosslessNumber(shown)) return shown;
  if (Array.isArray(shown)) {
    return shown.map((entry: unknown, index) => unmasked(entry, Object.values(sent)[index], masked));
  }
  const values = new Map<string, unknown>(Object.entries(sent));
  return Object.fromEntries(
    Object.entries(shown).map(([name, value]) => [
      name,
      masked.includes(name) ? values.get(name) : unmasked(value, values.get(name), masked),
    ]),
  );
}

describe.each(Object.entries(cases))('%s', (command, ways) => {
  test.each(Object.entries(ways))('%s shows the request', async (_way, given) => {
    const host = hostOf();
    for (const [name, content] of Object.entries(given.files ?? {})) {
      const body = typeof content === 'string' ? content : JSON.stringify(content);
      writeFileSync(join(host.cwd, name), body);
    }
    const named = (await given.before?.(host)) ?? [];
    recorded = [];
    const argv = [...command.split(' '), ...named, ...given.words];
    const files = filesOf(host);
    const dry = await runFiscal([...argv, '--dry-run', '-o', 'json'], host);
    expect({ exitCode: dry.exitCode, stderr: dry.stderr, recorded }).toMatchObject({
      exitCode: given.dryExit ?? 0,
      recorded: [],
    });
    expect(filesOf(host)).toEqual(files);
    const data = parse(dry.stdout) as { request?: Shown } | readonly { request?: Shown }[];
    const shown = [data].flat().find(({ request }) => request !== undefined)?.request;
    if (shown === undefined) throw new Error(`no request is shown: ${dry.stdout}`);
    const confirm = /^(company|certificate) delete/.test(command)
      ? ['--confirm', named[0] ?? given.words[0] ?? '']
      : [];
    const needsCompany = /^(backfill|inbound capture reset-nsu)/.test(command);
    const again = needsCompany ? ['--confirm', service.ready().companyId] : confirm;
    const real = await runFiscal([...argv, ...(given.consent ?? []), ...(given.consent ? again : [])], host);
    const [sent] = recorded;
    expect({ sent: sent !== undefined, stderr: real.stderr }).toMatchObject({ sent: true });
    if (sent === undefined) return;
    const address = new URL(shown.url);
    expect([shown.method, address.pathname + address.search]).toEqual([sent.method, sent.target]);
    expect(sent.headers['content-type']).toBe(shown.headers['content-type']);
    if (sent.headers['content-type']?.toString().startsWith('multipart/') === true) {
      const { file, password } = shown.body as Record<string, string>;
      const content = String(given.files?.['a1.pfx']);
      expect([file, password]).toEqual([`(${content.length} bytes)`, '***']);
      expect(sent.body.match(/; name="\w+"/g)).toEqual(['; name="file"', '; name="password"']);
      expect(sent.body).toContain(content);
      return;
    }
    const body: unknown = sent.body === '' ? undefined : parse(sent.body);
    const whole = unmasked(shown.body, body, given.masked ?? []);
    expect(whole === undefined ? '' : stringify(whole)).toBe(sent.body);
  });
});

import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { printedCommands } from '../../src/cli/printed-commands.js';
import { readCommandLine } from '../../src/cli/tree.js';
import { createResources } from '../../src/cli/resources.js';
import { commandsIn } from '../../src/domain/command-words.js';
import { FiscalError } from '../../src/errors/fiscal-error.js';
import { kindNames } from '../../src/jobs/kinds/registry.js';
import { testService } from '../conformance/service.js';
import { realClock } from '../support/clock.js';
import { catalogue, noSandbox, parse } from '../support/commands.js';
import { runFiscal, testHost, type TestHost, type TestHostOptions } from '../support/host.js';
import { newCompany } from '../facts/company.js';

/** A request of the program as it came over the wire. */
interface Recorded {
  readonly method: string;
  readonly target: string;
  readonly body: string;
}

const service = testService();
const recorded: Recorded[] = [];
let recorder: Server;
let url: string;
/** The company and tenant that the runs name; the profile has others. */
let company: string;
let others: string;
const tenant = 'tenant-of-the-flag';

/**
 * Stands before the sandbox: what `isSubmit` names is recorded and refused for a second, as a service at its limit does;
 * everything else passes.
 */
let isSubmit: (request: IncomingMessage) => boolean;

beforeAll(async () => {
  const { companies } = await service.control('POST', 'seed', { companies: 3 });
  expect(companies).toBe(3);
  const { json } = await service.send('GET', '/v2/companies?limit=50');
  const ids: readonly string[] = json.companies.map(({ id }: { id: string }) => id);
  const [first = '', second = ''] = ids.filter((id) => id !== service.ready().companyId);
  company = first;
  others = `${first},${second}`;
  for (const companyId of [first, second]) {
    for (const family of ['nfe', 'cte', 'nfse']) {
      await service.control('POST', 'captures', { companyId, family, active: true });
    }
  }
  await service.control('POST', 'documents', { companyId: company, family: 'nfe', accessKey: nfeKey });
  await service.control('POST', 'documents', { companyId: company, family: 'nfse', accessKey: nfseKey });
  recorder = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const { method = '', url: target = '' } = incoming;
      const body = Buffer.concat(chunks);
      if (isSubmit(incoming)) {
        recorded.push({ method, target, body: body.toString('utf8') });
        outgoing.writeHead(429, { 'retry-after': '1' }).end();
        return;
      }
      // The tenant of the flag is none of the service, and an update reads its product first.
      if (target.startsWith(`/${tenant}/products/`)) {
        outgoing.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ status: 'Active' }));
        return;
      }
      const { host: _host, connection: _connection, 'content-length': _length, ...headers } = incoming.headers;
      void fetch(service.ready().url + target, {
        method,
        headers: headers as Record<string, string>, // no header of these requests stands twice
        ...(body.length === 0 ? {} : { body }),
      }).then(async (answer) => {
        const type = answer.headers.get('content-type') ?? 'application/json';
        outgoing.writeHead(answer.status, { 'content-type': type }).end(Buffer.from(await answer.arrayBuffer()));
      });
    });
  });
  recorder.listen(0, '127.0.0.1');
  await once(recorder, 'listening');
  const address = recorder.address();
  url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
});

afterAll(() => {
  recorder.close();
  recorder.closeAllConnections();
});

const nfeKey = '35250530057049000141550010000280181030656857';
const nfseKey = '21113002200574753000100000000000146726037032711025';
const foreignNfseKey = '33045572211905971000105000000000014625124504258429';
const cteKey = '35250530057049000141570010000280181030656854';
const hard = `it's "$HOME" & more;\n--yes second line`;
const plainHard = `it's "$HOME" & more; (não) *`;
const reason = `-- série errada, "não" é d'água`;

const product = { sku: 'CAFE-1', description: 'Café', origin: 'National', ncm: '09012100' };
const rules = [{ operationCode: 1, intraState: { cfop: '5102', icms: { cst: '00', pICMS: '18.00' } } }];

interface Case {
  readonly argv: readonly string[];
  readonly files?: Readonly<Record<string, unknown>>;
  readonly stdin?: string;
  /** Consent, which no printed command gives. */
  readonly consent?: readonly string[];
  /** True where the words give no second time what they gave: only the job itself goes on. */
  readonly byJobOnly?: boolean;
  /** Absent: every request that is no reading. */
  readonly submit?: RegExp;
}

const sample = (model: string) => [
  'invoice',
  'issue',
  '--model',
  model,
  '--file',
  'nota file.json',
  '--set',
  `description=${hard}`,
];
const invoice = {
  operationNature: 'Venda',
  operationType: 'Outgoing',
  buyer: { name: 'Comércio Exemplo Ltda', federalTaxNumber: '11222333000181' },
  items: [
    {
      code: 'CAFE-500',
      description: 'Café',
      ncm: '09012100',
      cfop: 5102,
      unit: 'UN',
      quantity: 2,
      unitAmount: '18.90',
      totalAmount: '37.80',
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
const merchandise = { files: { 'nota file.json': invoice } };
const range = ['--serie', '7', '--from', '120', '--to', '125', '--state', 'SP', `--reason=${reason}`];

/** Every kind of job, with each way in which its input can come. */
const cases: Readonly<Record<string, Readonly<Record<string, Case>>>> = {
  'product-create': {
    flags: { argv: ['product', 'create', '--sku', 'CAFE-1', '--description', hard, '--origin', 'national', '--wait'] },
    'a file under flags': {
      argv: ['product', 'create', '--file', 'a b.json', '--sku', '-7', '--unchecked', '--retry-billable'],
      files: { 'a b.json': { ...product, customTax: rules } },
    },
    stdin: { argv: ['product', 'create', '--file', '-'], stdin: JSON.stringify(product), byJobOnly: true },
    'another one': {
      argv: ['product', 'create', '--file', 'p.json', '--again'],
      files: { 'p.json': product },
      byJobOnly: true,
    },
    'an import': {
      argv: [
        'product',
        'apply',
        '--create-only',
        'p.ndjson',
        '--format',
        'ndjson',
        '--skip-invalid',
        '--max-billable',
        '1',
      ],
      files: { 'p.ndjson': `${JSON.stringify({ ...product, customTax: rules })}\n{}\n` },
      consent: ['--yes'],
      byJobOnly: true,
    },
    'an import from stdin': {
      argv: ['product', 'apply', '--create-only', '-', '--max-billable', '1', '--on-error', 'stop'],
      stdin: JSON.stringify([{ ...product, customTax: rules }]),
      consent: ['--yes'],
      byJobOnly: true,
    },
  },
  'product-update': {
    flags: {
      argv: [
        'product',
        'update',
        '5a0dbe11-7e57-4c0d-9a6e-0000000000aa',
        '--sku',
        'CAFE-1',
        '--description',
        hard,
        '--origin',
        'National',
      ],
    },
  },
  manifestation: {
    'an NF-e': {
      argv: [
        'manifestation',
        'submit',
        nfeKey,
        '--event',
        'not-performed',
        '--justification',
        plainHard,
        '--sequence',
        '2',
      ],
      consent: ['--yes'],
    },
    'an NFS-e': {
      argv: ['manifestation', 'submit', nfseKey, '--event', '203206', '--reason', '9', '--justification', plainHard],
      consent: ['--yes'],
    },
    'an import': {
      argv: ['manifestation', 'apply', 'e.csv', '--detail-unchecked'],
      files: { 'e.csv': `chave,evento\n${nfeKey},ciencia\n` },
      consent: ['--yes'],
      byJobOnly: true,
    },
  },
  'fetch-by-key': {
    stdin: {
      argv: ['inbound', 'fetch-by-key', '-', '--max-billable', '5'],
      stdin: foreignNfseKey,
      consent: ['--yes'],
      byJobOnly: true,
    },
  },
  'company-create': {
    flags: {
      argv: [
        'company',
        'create',
        '--file',
        'company.json',
        '--name',
        `Padaria d'Água "Sol"`,
        '--cnpj',
        '11.222.333/0001-81',
        '--tax-regime',
        'simples nacional',
      ],
      files: { 'company.json': JSON.stringify(newCompany) },
    },
  },
  'client-step': {
    'a file of clients': {
      argv: ['company', 'apply', 'clients.yaml'],
      files: {
        'clients.yaml': `companies: [${JSON.stringify({ cnpj: '11222333000181', ...newCompany, federalTaxNumber: undefined })}]`,
      },
      consent: ['--yes'],
    },
  },
  'municipal-tax-create': {
    flags: { argv: ['company', 'registration', 'create', '--city', '3550308', '--tax-number', '12.345.678-9'] },
  },
  'state-tax-create': {
    flags: {
      argv: [
        ...['company', 'registration', 'create', '--state', 'SP', '--tax-number', '110.042.490.114'],
        ...['--type', 'NFe', '--serie', '1'],
      ],
    },
  },
  'lookup-cnpj': {
    'a list': {
      argv: ['lookup', 'cnpj', '--file', 'list.txt', '--max-age', '90m'],
      files: { 'list.txt': '11222333000181\n' },
      submit: /^\/v1\/cnpj\//,
    },
    stdin: { argv: ['lookup', 'cnpj', '-'], stdin: '11222333000181\n', submit: /^\/v1\/cnpj\//, byJobOnly: true },
  },
  'lookup-cpf': {
    'a list': {
      argv: ['lookup', 'cpf', '--file', 'people.csv'],
      files: { 'people.csv': '52998224725,1990-12-31\n' },
      submit: /naturalperson/,
    },
    // No row holds a CPF, so the list has to come again.
    stdin: { argv: ['lookup', 'cpf', '-'], stdin: '52998224725,1990-12-31\n', submit: /naturalperson/ },
  },
  'lookup-address': {
    'a list': {
      argv: ['lookup', 'address', '--file', 'ceps.txt'],
      files: { 'ceps.txt': '01310100\n' },
      submit: /addresses/,
    },
  },
  'lookup-nfe': {
    'a list': {
      argv: ['lookup', 'nfe', '--file', 'keys.txt'],
      files: { 'keys.txt': `${nfeKey}\n` },
      submit: /^\/v2\/productinvoices\//,
    },
  },
  'lookup-cte': {
    'a list': {
      argv: ['lookup', 'cte', '--file', 'keys.txt'],
      files: { 'keys.txt': `${cteKey}\n` },
      submit: /\/inbound\/\d{44}/,
    },
  },
  invoice: {
    flags: {
      argv: [
        ...['invoice', 'issue', '--file', 'nota.json', '--set', 'itens[0].quantidade=3'],
        ...['--set', `itens[0].descricao=${hard}`],
      ],
      consent: ['--yes'],
      files: {
        'nota.json': {
          cliente: { cpf: '52998224725', nome: 'Maria da Silva' },
          itens: [{ descricao: 'Café', quantidade: 2, valorUnitario: '18.90' }],
        },
      },
    },
  },
  'nfe-issue': {
    flags: { argv: [...sample('nfe'), '--external-id', 'PEDIDO 1'], consent: ['--yes'], ...merchandise },
    'below a registration': { argv: [...sample('nfe'), '--state-tax', 'ie 1'], consent: ['--yes'], ...merchandise },
    'another one': { argv: [...sample('nfe'), '--again'], consent: ['--yes'], ...merchandise, byJobOnly: true },
    'a CPF among the words': {
      argv: [...sample('nfe'), '--set', 'buyer.federalTaxNumber=529.982.247-25'],
      consent: ['--yes'],
      ...merchandise,
      byJobOnly: true,
    },
    'an import': {
      argv: ['invoice', 'apply', '--model', 'nfe', 'notas.ndjson', '--environment', 'Production', '--unchecked'],
      files: { 'notas.ndjson': `${JSON.stringify(invoice)}\n` },
      consent: ['--yes'],
      byJobOnly: true,
    },
  },
  'nfce-issue': {
    flags: { argv: [...sample('nfce'), '--environment', 'Production'], consent: ['--yes'], ...merchandise },
  },
  'nfse-issue': {
    flags: {
      argv: [...sample('nfse'), '--external-id', "d'água"],
      consent: ['--yes'],
      files: { 'nota file.json': serviceInvoice },
    },
  },
  'nfe-cancel': {
    flags: { argv: ['invoice', 'cancel', '--model', 'nfe', 'inv-1', `--reason=${reason}`], consent: ['--yes'] },
  },
  'nfce-cancel': {
    flags: { argv: ['invoice', 'cancel', '--model', 'nfce', 'inv-1', `--reason=${reason}`], consent: ['--yes'] },
  },
  'nfse-cancel': {
    'an id that looks like a flag': {
      argv: ['invoice', 'cancel', '--model', 'nfse', '--', '-inv'],
      consent: ['--yes'],
    },
  },
  'nfe-correct': { flags: { argv: ['invoice', 'correct', 'inv-1', `--text=${reason}`], consent: ['--yes'] } },
  'nfe-disable-invoice': {
    flags: { argv: ['invoice', 'disable', '--model', 'nfe', 'inv-1', `--reason=${reason}`], consent: ['--yes'] },
  },
  'nfe-disable': {
    flags: { argv: ['invoice', 'disable', '--model', 'nfe', ...range, '--environment', 'Test'], consent: ['--yes'] },
  },
  'nfce-disable': { flags: { argv: ['invoice', 'disable', '--model', 'nfce', ...range], consent: ['--yes'] } },
  'backfill-release': {
    'one company': { argv: ['backfill', 'release', '--wait', '--interval', '7s'], consent: ['--yes'], byJobOnly: true },
  },
  'backfill-start-from': {
    'one company': { argv: ['backfill', 'start-from', '2026-01-01T00:00:00Z'], consent: ['--yes'], byJobOnly: true },
  },
};

/** A machine whose profile in use is another one, and whose profile `acme` has another company and tenant. */
function machine(options: TestHostOptions = {}): TestHost & { later(): void } {
  let shiftMs = 0;
  const clock = { now: () => Date.now() + shiftMs, uptime: () => performance.now() + shiftMs, sleep: realClock.sleep };
  const host = testHost({ ...options, clock });
  const { invoiceKey, dataKey, companyId, tenantId } = service.ready();
  const profiles = {
    acme: {
      hosts: { product: url, query: url, service: url },
      keys: { invoice: invoiceKey, data: dataKey },
      company: companyId,
      tenant: tenantId,
    },
    plain: {
      hosts: { product: url, query: url, service: url },
      keys: { invoice: invoiceKey, data: dataKey },
      company: 'none',
      tenant: 'none',
    },
    bare: { hosts: { product: url } },
    other: {
      hosts: { product: 'http://127.0.0.1:1' },
      keys: { invoice: 'k', data: 'k' },
      company: 'none',
      tenant: 'none',
    },
  };
  mkdirSync(join(host.root, 'config'), { recursive: true });
  writeFileSync(join(host.root, 'config', 'config.json'), JSON.stringify({ current: 'other', profiles }));
  return {
    ...host,
    later: () => {
      shiftMs += 5_000;
    },
  };
}

function writeFiles(host: TestHost, files: Case['files'] = {}): void {
  for (const [name, content] of Object.entries(files)) {
    writeFileSync(join(host.cwd, name), typeof content === 'string' ? content : JSON.stringify(content));
  }
}

/** The words of a printed line, as a POSIX shell makes them. */
function shellWords(line: string): readonly string[] {
  const printed = execFileSync('sh', ['-c', `printf '%s\\0' ${line}`], { encoding: 'utf8' });
  const [program, ...words] = printed.split('\0').slice(0, -1);
  expect(program).toBe('fiscal');
  return words;
}

/** Runs until the service refuses; what it was asked to do. */
async function submitted(argv: readonly string[], host: TestHost): Promise<readonly Recorded[]> {
  recorded.length = 0;
  const { exitCode, stderr } = await runFiscal(argv, host);
  expect({ argv, exitCode, stderr }).toMatchObject({ exitCode: 12 });
  return [...recorded];
}

async function printedCommand(host: TestHost): Promise<string> {
  const listed = await runFiscal(['job', 'list', '--all', '-o', 'json'], host);
  const [job] = JSON.parse(listed.stdout) as readonly { commandLine: string }[];
  return job?.commandLine ?? '';
}

test('every kind of job has a case', () => {
  // A revoke is a release with another word.
  const known = kindNames.filter((name) => name !== 'backfill-revoke');
  expect(Object.keys(cases).toSorted()).toEqual(known.toSorted());
});

const all = Object.entries(cases).flatMap(([kind, ways]) =>
  Object.entries(ways).map(([way, one]) => [`${kind}, ${way}`, one] as const),
);

describe('the printed command continues with the same request', () => {
  test.each(all)('%s', async (_name, one) => {
    const { argv, consent = [], submit, stdin } = one;
    isSubmit = ({ method, url: target = '' }) => (submit === undefined ? method !== 'GET' : submit.test(target));
    const host = machine(stdin === undefined ? {} : { stdin });
    writeFiles(host, one.files);
    const dashes = argv.indexOf('--');
    const whose = ['--profile', 'acme', ...(await companyFlag(argv)), ...(await tenantFlag(argv, tenant))];
    const speed = ['--max-retry-wait', '500ms', '--concurrency', '1', '-o', 'ndjson'];
    const flags = [...whose, ...speed, ...consent];
    const typed = dashes === -1 ? [...argv, ...flags] : argv.toSpliced(dashes, 0, ...flags);
    const first = await submitted([...typed, ...confirmed(argv)], host);
    expect(first).toHaveLength(1);

    const line = await printedCommand(host);
    const words = shellWords(line);
    expect(words.slice(0, 2)).toEqual(one.byJobOnly === true ? ['job', 'resume'] : argv.slice(0, 2));
    const again = insert(words, [...consent, ...confirmed(words)]);
    host.later();
    expect(await submitted(again, host)).toEqual(first);

    if (one.byJobOnly === true) return;
    const fresh = machine(stdin === undefined ? {} : { stdin });
    writeFiles(fresh, one.files);
    expect(await submitted(again, fresh)).toEqual(first);
  });
});

/** A command that is for no company refuses to be told one. */
async function companyFlag(argv: readonly string[]): Promise<readonly string[]> {
  const { nodes } = await readCommandLine(argv, catalogue, { isLenient: true });
  const isForNone = argv[0] === 'invoice' && !argv.includes('--model') && argv.includes('nota.json');
  return nodes.at(-1)?.definition?.refusesCompany === true || isForNone ? [] : ['--company', company];
}

/** The flag, unless the command refuses it. */
async function tenantFlag(argv: readonly string[], named: string): Promise<readonly string[]> {
  const { nodes } = await readCommandLine(argv, catalogue, { isLenient: true });
  return nodes.at(-1)?.definition?.scope?.includes('tenant') === true ? ['--tenant', named] : [];
}

/** What a run says about itself in sentences, and how many commands it names at least. */
const hints: Readonly<Record<string, Case & { readonly commands: readonly string[] }>> = {
  'an event that was accepted': {
    argv: ['manifestation', 'submit', nfeKey, '--event', 'awareness'],
    commands: ['manifestation poll'],
  },
  'products that were accepted': {
    argv: ['product', 'apply', '--create-only', 'p.ndjson', '--yes'],
    files: { 'p.ndjson': `${JSON.stringify({ ...product, customTax: rules })}\n` },
    commands: ['job resume', 'usage'],
  },
  'a job that nobody knows': { argv: ['job', 'show', 'nope'], commands: ['job list'] },
  'a webhook that is not there': { argv: ['webhook', 'get', 'nope'], commands: ['webhook list'] },
  'what this machine knows': { argv: ['inbound', 'list', '--type', 'nfe', '--local'], commands: ['inbound sync'] },
  'another way': { argv: ['inbound', 'reprocess', nfeKey], commands: ['inbound reprocess'] },
  'a document again': { argv: ['inbound', 'reprocess', nfseKey], commands: ['inbound get'] },
  'a body that is missing': { argv: ['invoice', 'issue', '--model', 'nfe'], commands: ['invoice issue'] },
  'the advice of a check': { argv: ['doctor'], commands: ['auth login'] },
};

describe('every command in a hint has the scope of the run', () => {
  test.each(Object.entries(hints))('%s', async (_name, { argv, files, commands }) => {
    isSubmit = () => false;
    const host = machine();
    writeFiles(host, files);
    const whose = { profile: argv[0] === 'doctor' ? 'bare' : 'plain', company, tenant: service.ready().tenantId };
    const { profile, tenant: ofTenant } = whose;
    const scoped = [...(await companyFlag(argv)), ...(await tenantFlag(argv, ofTenant))];
    const flags = ['--profile', profile, ...scoped];
    const { stdout, stderr } = await runFiscal([...argv, ...flags, '-o', 'table', '--error-format', 'text'], host);
    const said = `${stdout}${stderr}`;
    const printed = commandsIn(said).map(({ start, end }) => said.slice(start, end));
    const routes = await Promise.all(printed.map(async (line) => await parsed(line)));
    expect({ said, names: routes.map(({ name }) => name) }).toEqual({
      said,
      names: expect.arrayContaining([...commands]),
    });
    // Its id, or the CNPJ by which a person knows it.
    const named = expect.stringMatching(new RegExp(`^(?:${company}|\\d{14})$`));
    for (const { definition, flags: given, name } of routes) {
      const { scope = [] } = definition;
      const meant = {
        ...(scope.includes('company') && name !== 'usage' && name !== 'job list' ? { company: named } : {}),
        ...(scope.includes('tenant') ? { tenant: whose.tenant } : {}),
        profile: whose.profile,
      };
      expect({ name, ...(await createResources(host, given, noSandbox).settings()) }).toMatchObject({ name, ...meant });
    }
  });
});

/** As the shell and the program read a printed line. */
async function parsed(line: string) {
  const command = await parse(shellWords(line.replaceAll(/[<>]/g, '_')));
  if (command === undefined) throw new Error(`no command: ${line}`);
  return command;
}

test('several companies that were confirmed go on by their job, unattended', async () => {
  isSubmit = ({ method }) => method !== 'GET';
  const host = machine();
  const typed = ['backfill', 'release', '--profile', 'acme', '--company', others, '--max-retry-wait', '500ms'];
  await submitted([...typed, '--yes', '--confirm', others], host);
  const words = shellWords(await printedCommand(host));
  expect(words.slice(0, 2)).toEqual(['job', 'resume']);
  isSubmit = () => false;
  await service.control('DELETE', 'ledger');
  host.later();
  const { exitCode } = await runFiscal(words, host);
  const { entries } = await service.control('GET', 'ledger?operation=nfse.backfill.release');
  const asked = entries.map(({ path }: { path: string }) => path.split('/')[3]);
  expect([exitCode, asked.toSorted()]).toEqual([0, others.split(',').toSorted()]);
});

test('the command in an error names profile, company and tenant too, and continues with the request', async () => {
  isSubmit = ({ method }) => method !== 'GET';
  const host = machine();
  const flags = ['--profile', 'acme', '--max-retry-wait', '500ms', '--error-format', 'json'];
  const words = ['product', 'create', '--sku', 'A', '--description', 'a', '--origin', 'National', '--tenant', 't9'];
  const first = await submitted([...words, ...flags], host);
  const { stderr } = host.written();
  const { error } = JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '') as { error: { resume: string } };
  expect(error.resume).toMatch(/^fiscal job resume \S+ --profile acme$/);
  host.later();
  expect(await submitted([...shellWords(error.resume), '--max-retry-wait', '500ms'], host)).toEqual(first);
});

test.each([
  ['fiscal product get p1 --wait', 'fiscal product get p1 --wait --tenant t1 --profile acme'],
  ['fiscal manifestation poll e1 --type nfse', 'fiscal manifestation poll e1 --type nfse --company c1 --profile acme'],
  ['fiscal backfill show --wait --company c2', 'fiscal backfill show --wait --company c2 --profile acme'],
  ['fiscal inbound sync --all-companies', 'fiscal inbound sync --all-companies --profile acme'],
  ["fiscal job resume 'a b' -- -c", "fiscal job resume 'a b' --profile acme -- -c"],
  ['fiscal none such', 'fiscal none such'],
  ['see the manual', 'see the manual'],
])('%s is printed as %s', async (resume, whole) => {
  const error = new FiscalError('job.interrupted', {}, { resume });
  const whose = { profile: 'acme', company: 'c1', tenant: 't1' };
  expect((await printedCommands(catalogue, whose).inError(error)).facts.resume).toBe(whole);
});

test('values of the environment become flags', async () => {
  isSubmit = ({ method }) => method !== 'GET';
  const env = {
    ...{ FISCAL_PROFILE: 'acme', FISCAL_TENANT: tenant, FISCAL_SKU: 'CAFE 9', FISCAL_WAIT: 'true' },
    ...{ FISCAL_MAX_RETRY_WAIT: '500ms', FISCAL_PROXY: '', FISCAL_YES: 'true', FISCAL_OUTPUT: 'json' },
  };
  const host = machine();
  await submitted(['product', 'create', '--origin', 'National', '--unchecked'], {
    ...host,
    env: { ...host.env, ...env },
  });
  expect(await printedCommand(host)).toBe(
    "fiscal product create --sku 'CAFE 9' --origin National --unchecked --wait --max-retry-wait 500ms --tenant tenant-of-the-flag --profile acme",
  );
});

test('a value of the environment without effect is not a flag of the command', async () => {
  isSubmit = ({ method }) => method !== 'GET';
  const env = { FISCAL_PROFILE: 'acme', FISCAL_TIMEOUT: '2m', FISCAL_MAX_RETRY_WAIT: '500ms' };
  const host = machine();
  await submitted(['product', 'create', '--sku', 'A', '--unchecked'], { ...host, env: { ...host.env, ...env } });
  expect(await printedCommand(host)).not.toContain('--timeout');
});

/** What deletes or hides history names its company once more. */
function confirmed(argv: readonly string[]): readonly string[] {
  return argv[0] === 'backfill' ? ['--confirm', company] : [];
}

function insert(words: readonly string[], more: readonly string[]): readonly string[] {
  const dashes = words.indexOf('--');
  return dashes === -1 ? [...words, ...more] : words.toSpliced(dashes, 0, ...more);
}

import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { samples } from '../../../src/commands/invoice/samples.js';
import { json } from '../../client/support/server.js';
import { runFiscal } from '../../support/host.js';
import { imitate, type Answers } from '../inbound/service.js';

const key = '35250530057049000141550010000280181030656857';
const other = `${key.slice(0, -1)}0`;
const products = '/v2/companies/c1/productinvoices';
const services = '/v1/companies/c1/serviceinvoices';

function nfeOf(accessKey: string): string {
  return `<NFe xmlns="http://www.portalfiscal.inf.br/nfe"><infNFe Id="NFe${accessKey}"/></NFe>`;
}

async function run(answers: Answers, words: readonly string[]) {
  const service = await imitate(answers);
  const host = { ...service.host, env: { ...service.host.env, FISCAL_SERVICE_URL: service.url } };
  const argv = ['invoice', ...words, '--yes', '--error-format', 'json'];
  const result = await runFiscal(argv, host);
  const [, code] = /"code":"((?:service|outcome)\.[^"]+)"/.exec(result.stderr) ?? [];
  return { ...result, code, asked: service.asked(), files: readdirSync(service.host.cwd) };
}

const reason = ['--reason', 'pedido desfeito pelo cliente'];
const range = ['--serie', '1', '--from', '5', '--to', '7', '--state', 'SP', ...reason];
const text = ['--text', 'corrige o endereço do destinatário'];

const changes: readonly (readonly [string, readonly string[], Answers])[] = [
  [
    'a cancellation that is answered about another invoice',
    ['cancel', '--model', 'nfe', 'i-1', ...reason],
    { [`DELETE ${products}/i-1`]: json(202, { productInvoiceId: 'i-2' }) },
  ],
  [
    'a cancellation of an NFS-e that is answered about another one',
    ['cancel', '--model', 'nfse', 'i-1'],
    { [`DELETE ${services}/i-1`]: json(200, { id: 'i-2', flowStatus: 'Cancelled' }) },
  ],
  [
    'a correction letter that is answered about another invoice',
    ['correct', 'i-1', ...text],
    { [`PUT ${products}/i-1/correctionletter`]: json(202, { productInvoiceId: 'i-2' }) },
  ],
  [
    'events of another invoice after a correction letter',
    ['correct', 'i-1', ...text, '--wait', '--timeout', '2s'],
    {
      [`PUT ${products}/i-1/correctionletter`]: json(202, {}),
      [`GET ${products}/i-1/events`]: json(200, {
        id: 'i-2',
        events: [{ type: 'CorrectionLetter', reason: text[1], status: 'Accepted' }],
      }),
    },
  ],
  [
    'a disablement of other numbers',
    ['disable', '--model', 'nfe', ...range],
    {
      [`POST ${products}/disablement`]: json(200, { serie: 1, beginNumber: 50, lastNumber: 70, status: 'Authorized' }),
    },
  ],
  [
    'a disablement of another series of NFC-e',
    ['disable', '--model', 'nfce', ...range],
    { 'POST /v2/companies/c1/consumerinvoices/disablement': json(200, { serie: 2, status: 'Authorized' }) },
  ],
];

test.each(changes)('%s is uncertain: exit 3, never done', async (_name, words, answers) => {
  const { exitCode, stdout, code, asked } = await run(answers, words);
  expect([exitCode, stdout, code]).toEqual([3, '', 'outcome.unknown']);
  expect(asked.filter((call) => !call.startsWith('GET'))).toHaveLength(1);
});

test('the e-mail of another NFS-e exits 10, and is sent once', async () => {
  const answers = { [`PUT ${services}/i-1/sendemail`]: json(200, { id: 'i-2' }) };
  const { exitCode, code, asked } = await run(answers, ['email', 'i-1']);
  expect([exitCode, code, asked.length]).toEqual([10, 'service.other_subject', 1]);
});

test('the XML of another invoice is neither shown nor written', async () => {
  const answers = {
    [`GET ${products}/i-1`]: json(200, { id: 'i-1', status: 'Issued', authorization: { accessKey: key } }),
    [`GET ${products}/i-1/xml`]: { status: 200, body: nfeOf(other) },
  };
  for (const out of [[], ['--out', 'n.xml']]) {
    const { exitCode, stdout, code, files } = await run(answers, ['xml', '--model', 'nfe', 'i-1', ...out]);
    expect([exitCode, stdout, code, files]).toEqual([10, '', 'service.other_subject', []]);
  }
  const own = { ...answers, [`GET ${products}/i-1/xml`]: { status: 200, body: nfeOf(key) } };
  const right = await run(own, ['xml', '--model', 'nfe', 'i-1']);
  expect([right.exitCode, right.stdout, right.stderr]).toEqual([0, nfeOf(key), '']);
});

test('the municipal XML of an NFS-e is written with a notice that nothing in it can be compared', async () => {
  const answers = {
    [`GET ${services}/i-1`]: json(200, { id: 'i-1', flowStatus: 'Issued' }),
    [`GET ${services}/i-1/xml`]: { status: 200, body: '<CompNfse/>' },
    [`GET ${services}/i-2`]: json(200, { id: 'i-2', flowStatus: 'Issued' }),
    [`GET ${services}/i-2/xml`]: { status: 200, body: nfeOf(key) },
  };
  const { exitCode, stdout, stderr } = await run(answers, ['xml', '--model', 'nfse', 'i-1']);
  expect([exitCode, stdout]).toEqual([0, '<CompNfse/>']);
  expect(stderr).toContain('only the service confirms');
  expect((await run(answers, ['xml', '--model', 'nfse', 'i-2'])).exitCode).toBe(6);
});

const issue = ['issue', '--model', 'nfe', '--file', 'n.json', '--wait', '--yes'];
const nameless = {
  [`GET ${products}`]: json(200, { productInvoices: [], hasMore: false }),
  [`POST ${products}`]: json(202, {}),
};

test.each([
  ['the time is up', ['--timeout', '2s']],
  ['the pauses that the user allows are short', ['--timeout', '3s', '--max-retry-wait', '0s']],
])('an issue accepted without an id is not found yet if %s: exit 8, and it was sent', async (_name, times) => {
  const service = await imitate(nameless);
  const sample = await runFiscal(['invoice', 'issue', '--model', 'nfe', '--sample', '-o', 'json'], service.host);
  writeFileSync(join(service.host.cwd, 'n.json'), sample.stdout);
  const argv = ['invoice', ...issue, ...times, '--error-format', 'json'];
  const { exitCode, stdout, stderr } = await runFiscal(argv, service.host);
  expect([exitCode, stdout]).toEqual([8, '']);
  expect(stderr).toContain('named no id: it is looked for');
  const { error } = JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '') as { error: { jobId: string } };
  expect(error).toMatchObject({
    code: 'outcome.still_pending',
    message: expect.stringContaining('is still unknown after'),
    sent: 'unknown',
    hint: expect.stringContaining('it was sent'),
    resume: `fiscal job resume ${error.jobId}`,
  });
  expect(service.asked().filter((call) => call.startsWith('POST'))).toHaveLength(1);
});

const exists = json(409, { error: { code: 'conflict', message: 'exists' } });
const noNfe = json(200, { productInvoices: [], hasMore: false });

test.each([
  ['general', { 'POST /v2/nota-fiscal': exists }, 'fiscal history --operation invoice.create'],
  ['nfe', { [`POST ${products}`]: exists, [`GET ${products}`]: noNfe }, 'fiscal invoice list --model nfe'],
] as const)('a 409 that names nothing prints the next command for --model %s', async (model, answers, command) => {
  const service = await imitate(answers);
  const words = ['invoice', 'issue', '--model', model];
  const sample = await runFiscal([...words, '--sample', '-o', 'json'], service.host);
  writeFileSync(join(service.host.cwd, 'n.json'), sample.stdout);
  const argv = [...words, '--file', 'n.json', '--yes', '--error-format', 'json'];
  const { exitCode, stderr } = await runFiscal(argv, service.host);
  expect([exitCode, stderr]).toEqual([10, expect.stringContaining(command)]);
  expect(service.asked().filter((call) => call.startsWith('POST'))).toHaveLength(1);
});

test('a 409 that names nothing prints the next command for a file of invoices', async () => {
  const service = await imitate({ [`POST ${products}`]: exists, [`GET ${products}`]: noNfe });
  const sample = await runFiscal(['invoice', 'issue', '--model', 'nfe', '--sample', '-o', 'json'], service.host);
  writeFileSync(join(service.host.cwd, 'n.ndjson'), JSON.stringify(JSON.parse(sample.stdout)));
  const argv = ['invoice', 'apply', '--model', 'nfe', 'n.ndjson', '--yes'];
  const { exitCode, stderr } = await runFiscal(argv, service.host);
  expect([exitCode, stderr]).toEqual([3, expect.stringContaining('1 × 409')]);
  expect(stderr).toContain('fiscal invoice list --model nfe');
});

test.each([
  ['Error', 13, 'outcome.ended_badly'],
  ['Processing', 8, 'outcome.still_pending'],
  ['Rejected', 8, 'outcome.still_pending'],
] as const)('invoice issue --model general --wait exits by the status read: %s', async (status, exitCode, code) => {
  const service = await imitate({
    'POST /v2/nota-fiscal': json(201, { id: 'g-1' }),
    'GET /v2/nota-fiscal/g-1': json(200, { id: 'g-1', status }),
  });
  const { stdout: sample } = await runFiscal(
    ['invoice', 'issue', '--model', 'general', '--sample', '-o', 'json'],
    service.host,
  );
  writeFileSync(join(service.host.cwd, 'g.json'), sample);
  const argv = [
    'invoice',
    'issue',
    '--model',
    'general',
    '--file',
    'g.json',
    '--wait',
    '--timeout',
    '1s',
    '--interval',
    '100ms',
    '--yes',
  ];
  const result = await runFiscal([...argv, '--error-format', 'json'], service.host);
  expect([result.exitCode, result.stdout]).toEqual([exitCode, '']);
  expect(result.stderr).toContain(code);
});

test.each([
  ['https://evil.example/v2/nota-fiscal/g-9', 3],
  ['/v2/companies/g-9', 3],
  ['/v2/nota-fiscal/g-9', 0],
])('a Location %s of an answer without an id: exit %i', async (location, exitCode) => {
  const service = await imitate({
    'POST /v2/nota-fiscal': json(201, {}, { location }),
    'GET /v2/nota-fiscal/g-9': json(200, { id: 'g-9', status: 'Issued' }),
  });
  const { stdout: sample } = await runFiscal(
    ['invoice', 'issue', '--model', 'general', '--sample', '-o', 'json'],
    service.host,
  );
  writeFileSync(join(service.host.cwd, 'g.json'), sample);
  const result = await runFiscal(
    ['invoice', 'issue', '--model', 'general', '--file', 'g.json', '--wait', '--yes'],
    service.host,
  );
  expect([result.exitCode, result.stdout.includes('g-9')]).toEqual([exitCode, exitCode === 0]);
});

test('an unclear look-up names the candidates and the next commands', async () => {
  const createdOn = new Date().toISOString();
  const { buyer } = samples.nfe as { readonly buyer: object };
  const totals = { icms: { invoiceAmount: 37.8 } };
  const productInvoices = ['r1', 'r2'].map((id) => ({ id, createdOn, buyer, totals, status: 'Issued' }));
  let isSent = false;
  const service = await imitate({
    [`POST ${products}`]: () => {
      isSent = true;
      return json(500, {});
    },
    [`GET ${products}`]: () => json(200, { productInvoices: isSent ? productInvoices : [], hasMore: false }),
    [`GET ${products}/r1`]: json(200, productInvoices[0]),
    [`GET ${products}/r2`]: json(200, productInvoices[1]),
  });
  writeFileSync(join(service.host.cwd, 'nota.json'), JSON.stringify(samples.nfe));
  const words = ['invoice', 'issue', '--model', 'nfe', '--file', 'nota.json', '--settle-time', '0s', '--yes'];
  const result = await runFiscal([...words, '--error-format', 'json'], service.host);
  expect([result.exitCode, result.stdout]).toEqual([3, '']);
  expect(result.stderr).toMatch(/tells for sure: r1, r2"/);
  expect(result.stderr).toContain('fiscal invoice get r1 --model nfe');
  expect(result.stderr).toContain('--as succeeded --resource r1');
  const [job = ''] = (await runFiscal(['job', 'list', '-o', 'id'], service.host)).stdout.split('\n');
  expect((await runFiscal(['job', 'show', job], service.host)).stdout).toContain('r1, r2');
});

test.each([
  ['general', 'itens[0].valorUnitario="18.90"', '"valorUnitario": 18.90'],
  ['general', 'itens[0].quantidade="0.1234567890123456789"', '"quantidade": 0.1234567890123456789'],
  ['nfe', 'items[0].unitAmount="18.90"', '"unitAmount": 18.90'],
  ['nfce', 'items[0].unitAmount="18.90"', '"unitAmount": 18.90'],
  ['nfse', 'servicesAmount="1500.10"', '"servicesAmount": 1500.10'],
] as const)('an amount of %s goes as a number with all its digits: %s', async (model, set, sent) => {
  const service = await imitate({}, { env: { FISCAL_SERVICE_URL: 'https://service.example' } });
  const words = ['invoice', 'issue', '--model', model];
  const sample = await runFiscal([...words, '--sample', '-o', 'json'], service.host);
  writeFileSync(join(service.host.cwd, 'n.json'), sample.stdout);
  const argv = [...words, '--file', 'n.json', '--unchecked', '--set', set, '--dry-run', '-o', 'json'];
  const { exitCode, stdout } = await runFiscal(argv, service.host);
  expect([exitCode, stdout]).toEqual([0, expect.stringContaining(sent)]);
});

test('the sample of an NFS-e has the code that the record requires', async () => {
  const service = await imitate({});
  const { stdout } = await runFiscal(['invoice', 'issue', '--model', 'nfse', '--sample', '-o', 'json'], service.host);
  expect(JSON.parse(stdout)).toMatchObject({ nbsCode: expect.stringMatching(/^\d{9}$/) });
});

test('an invoice that was taken without an id, and cannot be looked for, is not said to be interrupted', async () => {
  const forbidden = json(403, { error: { code: 'forbidden', message: 'no' } });
  const answers = await imitate({
    'POST /v1/companies/c1/serviceinvoices': { status: 200, body: '' },
    'GET /v1/companies/c1/serviceinvoices': forbidden,
    'GET /v1/companies/c1/serviceinvoices/external/A-1': forbidden,
  });
  const host = { ...answers.host, env: { ...answers.host.env, FISCAL_SERVICE_URL: answers.url } };
  const words = ['invoice', 'issue', '--model', 'nfse'];
  const sample = await runFiscal([...words, '--sample', '-o', 'json'], host);
  writeFileSync(join(host.cwd, 'n.json'), sample.stdout);
  const argv = [...words, '--file', 'n.json', '--external-id', 'A-1', '--wait', '--timeout', '5s', '--yes'];
  const { exitCode, stderr } = await runFiscal(argv, host);
  expect([exitCode, stderr]).toEqual([3, expect.stringContaining('did not say which')]);
  expect(stderr).toContain('named no id: it is looked for');
  expect(stderr).not.toContain('the program ended');
});

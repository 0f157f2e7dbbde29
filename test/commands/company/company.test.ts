import { beforeAll, describe, expect, test } from 'vitest';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { json as reply, serve, type Reply } from '../../client/support/server.js';
import { runFiscal, testHost } from '../../support/host.js';
import { testService } from '../../conformance/service.js';
import { newCompany } from '../../facts/company.js';
import { errorOf, machineBefore, type Machine, type Run } from '../../support/service-host.js';
import { imitate } from '../inbound/service.js';

const service = testService();
let machine: Machine;

beforeAll(async () => {
  await service.control('POST', 'seed', { companies: 3 });
  machine = machineBefore(service.ready());
});

const json = (run: { readonly stdout: string }) => JSON.parse(run.stdout) as Record<string, unknown>;

function create(...words: readonly string[]): Promise<Run> {
  machine.put('company.json', JSON.stringify(newCompany));
  return machine.fiscal('company', 'create', '--file', 'company.json', ...words);
}

async function created(name: string, cnpj: string): Promise<Record<string, unknown>> {
  return json(await create('--name', name, '--cnpj', cnpj, '-o', 'json'));
}

/** How often the service created something. */
async function creations(): Promise<number> {
  const ledger: { entries: readonly { effect: object | null }[] } = await service.control(
    'GET',
    'ledger?operation=company.create',
  );
  return ledger.entries.filter(({ effect }) => effect !== null).length;
}

describe('company list', () => {
  test('prints every company once, and reports a limit', async () => {
    const all = await machine.fiscal('company', 'list', '--all', '-o', 'ndjson');
    const ids = all.stdout
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { id: string }).id);
    expect([new Set(ids).size >= 4, ids.length]).toEqual([true, new Set(ids).size]);
    const two = await machine.fiscal('company', 'list', '--limit', '2', '-o', 'id');
    expect(two.stdout.trim().split('\n')).toEqual(ids.slice(0, 2));
  });
});

describe('company create', () => {
  test('a CNPJ with wrong digits is not sent', async () => {
    const wrong = await create('--cnpj', '11.222.333/0001-82');
    expect([wrong.exitCode, errorOf(wrong).details, errorOf(wrong).sent]).toEqual([
      2,
      [{ field: 'federalTaxNumber', message: 'the check digits do not fit: expected 81' }],
      'no',
    ]);
  });

  test('takes a file that flags override, and shows the created company', async () => {
    const run = await create('--name', 'Padaria Sol', '-o', 'json');
    expect(json(run)).toMatchObject({
      ...{ ...newCompany, name: 'Padaria Sol', federalTaxNumber: '12345678000195' },
      status: 'Active',
    });
    expect(run.stderr).toContain('fiscal certificate upload');
  });

  test('a CNPJ of the account is a conflict', async () => {
    await created('Um Ltda', '11222333000181');
    const again = await create('--name', 'Outra', '--cnpj', '11222333000181');
    expect([again.exitCode, errorOf(again).code]).toEqual([10, 'company.exists']);
  });

  test('a lost answer is looked up by the CNPJ: the company exists once', async () => {
    const before = await creations();
    await service.control('POST', 'faults', { operation: 'company.create', kind: 'cut-after', count: 1 });
    const company = await created('Dois Ltda', '11444777000161');
    expect([company['name'], (await creations()) - before]).toEqual(['Dois Ltda', 1]);
  });
});

describe('company create, answered about something else', () => {
  const { federalTaxNumber: number } = newCompany;
  const own = { ...newCompany, id: '900', status: 'Active' };

  async function createdAt(answer: Reply, listed: readonly object[] = [], read: object = own) {
    const service = await imitate({
      'POST /v2/companies': answer,
      'GET /v2/companies': () => reply(200, { companies: service.asked().length > 1 ? listed : [], hasMore: false }),
      'GET /v2/companies/900': reply(200, { company: read }),
    });
    await writeFile(join(service.host.cwd, 'company.json'), JSON.stringify(newCompany));
    const words = ['company', 'create', '--file', 'company.json', '--max-retry-wait', '1s'];
    const run = await runFiscal([...words, '--error-format', 'json'], service.host);
    return { run, service };
  }

  test.each([
    ['wrapped', { company: { id: '901', federalTaxNumber: 33000167000101 } }],
    ['bare, and as text', { id: '901', federalTaxNumber: '33.000.167/0001-01' }],
  ])('an answer about another CNPJ is one about another company: %s', async (_how, body) => {
    const { run, service } = await createdAt(reply(201, body), [own]);
    const { code, message, hint = '' } = errorOf(run);
    expect([run.exitCode, run.stdout, code]).toEqual([10, '', 'outcome.other_company']);
    expect(message).toContain('(id 901), not about 12345678000195');
    expect(service.asked()).toEqual(['POST /v2/companies']);
    expect(hint).toContain('answered for 901');
    const jobs = await runFiscal(['job', 'list', '-o', 'id'], service.host);
    const shown = await runFiscal(['job', 'items', jobs.stdout.trim(), '-o', 'ndjson'], service.host);
    expect(JSON.parse(shown.stdout)).toMatchObject({
      ...{ state: 'uncertain', errorCode: 'service.other_company', httpStatus: 201 },
    });
  });

  test('a company that reads back under another CNPJ is none of ours', async () => {
    const { run } = await createdAt(reply(201, { company: { id: '900' } }), [], {
      ...own,
      federalTaxNumber: 33000167000101,
    });
    expect([run.exitCode, errorOf(run).code]).toEqual([3, 'outcome.unknown']);
  });

  test.each([
    ['name', { name: 'Outra Ltda' }],
    ['taxRegime', { taxRegime: 'LucroReal' }],
    ['address', { address: { ...newCompany.address, number: '2' } }],
  ])('after a lost answer, another %s is no success', async (field, other) => {
    const row = { id: '900', name: newCompany.name, federalTaxNumber: number };
    const { run } = await createdAt(reply(500, {}), [row], { ...own, ...other });
    const { code, message } = errorOf(run);
    expect([run.exitCode, run.stdout, code]).toEqual([3, '', 'outcome.unknown']);
    expect(message).toContain(field);
  });

  test('after a lost answer, the company with the same fields is ours', async () => {
    const { run } = await createdAt(reply(500, {}), [{ id: '900', federalTaxNumber: String(number) }]);
    expect([run.exitCode, JSON.parse(run.stdout)]).toMatchObject([0, { id: '900' }]);
  });
});

describe('company update', () => {
  test('merges, shows the difference and keeps other fields', async () => {
    const { id } = await created('Tres Ltda', '47960950000121');
    const file = machine.put('a.json', '{"address":{"number":"20","postalCode":"01310-200"}}');
    await machine.fiscal('company', 'update', String(id), '--file', file, '--yes');
    const run = await machine.fiscal('company', 'update', String(id), '--trade-name', 'Três', '--yes', '-o', 'json');
    expect(json(run)).toMatchObject({
      name: 'Tres Ltda',
      tradeName: 'Três',
      address: { ...newCompany.address, number: '20', postalCode: '01310200' },
    });
    expect(run.stderr).toContain('tradeName: "Padaria do Largo" → "Três"');
    expect(run.stderr).not.toContain('address');
  });
});

describe('company delete', () => {
  test('needs the id twice, and deletes the company', async () => {
    const { id } = await created('Quatro Ltda', '33000167000101');
    const wrong = await machine.fiscal('company', 'delete', String(id), '--confirm', 'other', '--yes');
    const bare = await machine.fiscal('company', 'delete', String(id), '--yes');
    const done = await machine.fiscal('company', 'delete', String(id), '--confirm', String(id), '--yes', '-o', 'json');
    const gone = await machine.fiscal('company', 'get', String(id));
    expect([wrong.exitCode, bare.exitCode, json(done), gone.exitCode]).toEqual([2, 2, { id, deleted: true }, 9]);
  });

  test('a lost answer of a delete is not a failure', async () => {
    const { id } = await created('Cinco Ltda', '60701190000104');
    await service.control('POST', 'faults', { operation: 'company.delete', kind: 'cut-after', count: 1 });
    const done = await machine.fiscal('company', 'delete', String(id), '--confirm', String(id), '--yes', '-o', 'json');
    expect([done.exitCode, json(done)]).toEqual([0, { id, deleted: true }]);
  });
});

test('an unknown id is answered with the command that lists the companies', async () => {
  const update = ['update', 'nobody', '--name', 'X', '--yes'];
  const told = [];
  for (const words of [['get', 'nobody'], update, ['delete', 'nobody', '--yes', '--confirm', 'nobody']]) {
    const { code, hint } = errorOf(await machine.fiscal('company', ...words));
    told.push([code, hint]);
  }
  const expected = ['company.unknown', 'the companies of the account: fiscal company list'];
  expect(told).toEqual([expected, expected, expected]);
});

test('an incomplete company is not merged into: nothing is replaced', async () => {
  for (const company of [{}, { id: 'c1' }, { id: 'c2', name: 'X', federalTaxNumber: '11222333000181' }]) {
    const server = await serve(reply(200, { company }));
    const env = { FISCAL_PRODUCT_URL: server.url, FISCAL_INVOICE_KEY: 'k' };
    const words = ['company', 'update', 'c1', '--trade-name', 'Y', '--yes'];
    const run = await runFiscal(words, testHost({ env }));
    expect([run.exitCode === 0, server.seen.map(({ method }) => method)]).toEqual([false, ['GET']]);
  }
});

describe('company update, verified against the service', () => {
  const standing = {
    ...{ id: '900', name: 'Padaria', federalTaxNumber: 191, taxRegime: 'SimplesNacional', revision: 1 },
    address: { state: 'SP', city: { code: '3550308' } },
  };
  const wanted = { ...standing, name: 'Padaria Sol', revision: 2 };

  async function updated(answer: object, after: object = wanted) {
    let isWritten = false;
    const server = await serve((request, response) => {
      const isPut = request.method === 'PUT';
      isWritten ||= isPut;
      const read = isWritten ? after : standing;
      const shown = isPut ? answer : read;
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ company: shown }));
    });
    const env = { FISCAL_PRODUCT_URL: server.url, FISCAL_INVOICE_KEY: 'k' };
    const words = ['company', 'update', '900', '--name', 'Padaria Sol', '--yes', '--error-format', 'json'];
    return await runFiscal(words, testHost({ env }));
  }

  test('an answer that shows the sent fields exits 0', async () => {
    expect((await updated(wanted)).exitCode).toBe(0);
  });

  test.each([
    ['another tax regime', { ...wanted, taxRegime: 'RealProfit' }, 'taxRegime'],
    ['another address', { ...wanted, address: { state: 'RJ' } }, 'address'],
    ['the old name', standing, 'name'],
  ])('an answer with %s exits 3', async (_what, answer, field) => {
    const { exitCode, stdout, stderr } = await updated(answer);
    expect([exitCode, stdout]).toEqual([3, '']);
    expect(stderr).toContain(field);
    expect(stderr).toContain('outcome.unknown');
  });

  test('an answer without the fields is not a proof: the company is read', async () => {
    expect((await updated({ id: '900' })).exitCode).toBe(0);
    expect((await updated({ id: '900' }, { ...wanted, taxRegime: 'RealProfit' })).exitCode).toBe(3);
  });
});

describe('a CNPJ that the service shows as an integer (published)', () => {
  const companies = [
    { id: '900', name: 'Padaria Sol', federalTaxNumber: 191 },
    { id: '901', name: 'Açougue Lua', federalTaxNumber: '12ABC34501DE35' },
  ];
  const [sol] = companies;
  const outputs: readonly (readonly string[])[] = [
    ['company', 'list', '-o', 'csv', '--fields', 'federalTaxNumber'],
    ['company', 'list', '-o', 'json', '--fields', 'federalTaxNumber'],
    ['company', 'list'],
    ['company', 'get', '900'],
    ['company', 'get', '00.000.000/0001-91', '-o', 'json'],
    ['certificate', 'check', '-o', 'json', '--fields', 'companyTaxNumber'],
  ];

  test.each(outputs)('keeps its zeros: %s %s', async (...words) => {
    const service = await imitate({
      'GET /v2/companies': reply(200, { companies }),
      'GET /v2/companies/900': reply(200, { company: sol }),
      'GET /v2/companies/900/certificates': reply(200, { certificates: [] }),
      'GET /v2/companies/901/certificates': reply(200, { certificates: [] }),
    });
    const { exitCode, stdout } = await runFiscal(words, service.host);
    expect([exitCode, stdout.includes('00000000000191')]).toEqual([0, true]);
    if (words[1] !== 'get') expect(stdout).toContain('12ABC34501DE35');
  });

  test('a company is read without its wrapper as well', async () => {
    const service = await imitate({ 'GET /v2/companies/900': reply(200, { ...sol, status: 'Active' }) });
    const { stdout } = await runFiscal(['company', 'get', '900', '-o', 'json'], service.host);
    expect(JSON.parse(stdout)).toEqual({ ...sol, federalTaxNumber: '00000000000191', status: 'Active' });
  });
});

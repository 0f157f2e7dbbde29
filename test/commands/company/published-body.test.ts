import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { json as reply } from '../../client/support/server.js';
import { companyBody, newCompany } from '../../facts/company.js';
import { errorOf, type Run } from '../../support/service-host.js';
import { runFiscal } from '../../support/host.js';
import { imitate, type Service } from '../inbound/service.js';

type Fields = Readonly<Record<string, unknown>>;

/** A service that holds one company, and stores whatever a request sends. */
async function account(company: Fields, sends?: Fields): Promise<Service> {
  let stored: Fields = company;
  const store = (body: string): void => {
    stored = { ...stored, ...(JSON.parse(body) as { readonly company: Fields }).company };
  };
  const answer = () => reply(200, { company: stored });
  const takeBody = () => {
    store(service.seen.at(-1)?.body ?? '{}');
    return answer();
  };
  const service = await imitate({
    'GET /v2/companies': reply(200, { companies: [], hasMore: false }),
    'GET /v2/companies/900': answer,
    'PUT /v2/companies/900': takeBody,
    'POST /v2/companies': takeBody,
  });
  if (sends !== undefined) {
    mkdirSync(join(service.host.root, 'config'), { recursive: true });
    const config = { current: 'acme', profiles: { acme: { sends } } };
    writeFileSync(join(service.host.root, 'config', 'config.json'), JSON.stringify(config));
  }
  return service;
}

async function write(service: Service, words: readonly string[], file?: unknown): Promise<Run> {
  const given = file === undefined ? [] : ['--file', 'company.json'];
  if (file !== undefined) writeFileSync(join(service.host.cwd, 'company.json'), JSON.stringify(file));
  return await runFiscal(['company', ...words, ...given, '-o', 'json'], service.host);
}

const create = (service: Service, file: unknown, ...words: string[]) => write(service, ['create', ...words], file);
const update = (service: Service, file: unknown, ...words: string[]) =>
  write(service, ['update', '900', '--yes', ...words], file);

/** The bodies that were sent, as text. */
const sent = (service: Service): readonly string[] =>
  service.seen.filter(({ method }) => method === 'POST' || method === 'PUT').map(({ body }) => body);
const bodyOf = (service: Service): unknown =>
  (JSON.parse(sent(service)[0] ?? '{}') as { readonly company?: unknown }).company;
const wordsOf = (run: Run) => errorOf(run).details?.map(({ field, message }) => [field, message]);

describe('every body fits the published schema', () => {
  const fits = new Ajv2020({ allErrors: true }).compile(companyBody);
  const standing = {
    ...{ ...newCompany, id: '900', status: 'Active', stateTaxes: ['s1'], revision: 7, accountId: null },
    address: { ...newCompany.address, streetSuffix: 'Avenida', additionalInformation: 'Sala 2' },
  };
  const flags = ['--name', 'Sol', '--cnpj', '00.000.000/0001-91', '--trade-name', 'Sol', '--tax-regime', 'mei'];

  test.each<[string, (service: Service) => Promise<Run>]>([
    ['a file', (service) => create(service, newCompany)],
    ['a file in its wrapper, with flags', (service) => create(service, { company: newCompany }, ...flags)],
    ['a field', (service) => update(service, undefined, '--trade-name', 'Sol')],
    ['part of an address', (service) => update(service, { address: { city: { name: 'Santos' } } })],
    ['a file with what is shown', (service) => update(service, { ...standing, name: 'Sol' })],
  ])('%s', async (_input, run) => {
    const service = await account(standing);
    expect((await run(service)).exitCode).toBe(0);
    const bodies = sent(service).map((body): unknown => JSON.parse(body));
    expect([bodies.length, bodies.filter((body) => !fits(body)), fits.errors]).toEqual([1, [], null]);
  });
});

describe('company create', () => {
  test.each([
    ['with punctuation', '12.345.678/0001-95', '12345678000195'],
    ['with leading zeros', '00000000000191', '191'],
    ['as an integer', 12345678000195, '12345678000195'],
  ])('sends a CNPJ %s as an integer', async (_form, federalTaxNumber, digits) => {
    const service = await account({ id: '900' });
    await create(service, { ...newCompany, federalTaxNumber });
    expect(sent(service)).toEqual([expect.stringContaining(`"federalTaxNumber":${digits},`)]);
  });

  test.each([
    ['LucroReal', 'LucroReal'],
    ['lucro presumido', 'LucroPresumido'],
    ['Simples Nacional', 'SimplesNacional'],
    ['simples-nacional-excesso-sublimite', 'SimplesNacionalExcessoSublimite'],
    ['MEI', 'MicroempreendedorIndividual'],
    ['ISENTO', 'Isento'],
    ['RealProfit', 'LucroReal'],
    ['PresumedProfit', 'LucroPresumido'],
    ['PresumidProfile', 'LucroPresumido'],
    ['NationalSimple', 'SimplesNacional'],
    ['NationalSimpleSublimitExceeded', 'SimplesNacionalExcessoSublimite'],
    ['IndividualMicroEnterprise', 'MicroempreendedorIndividual'],
    ['exempt', 'Isento'],
  ])('sends the tax regime %s as %s', async (word, taxRegime) => {
    const service = await account({ id: '900' });
    await create(service, newCompany, '--tax-regime', word);
    expect(bodyOf(service)).toEqual({ ...newCompany, taxRegime });
  });

  test.each(['None', 'Lucro', 'constructor'])('refuses the tax regime %s with the list', async (word) => {
    const service = await account({ id: '900' });
    const run = await create(service, newCompany, '--tax-regime', word);
    const list =
      'LucroReal, LucroPresumido, SimplesNacional, SimplesNacionalExcessoSublimite, MicroempreendedorIndividual, Isento';
    expect([run.exitCode, wordsOf(run)]).toEqual([2, [['taxRegime', `must be one of: ${list}`]]]);
    expect(service.asked()).toEqual([]);
  });

  test('refuses a company without its required fields, and names each of them', async () => {
    const service = await account({ id: '900' });
    const bare = await create(service, { federalTaxNumber: 191 });
    const address = { ...newCompany.address, city: {}, street: '', number: null };
    const half = await create(service, { ...newCompany, address });
    expect([bare.exitCode, wordsOf(bare), wordsOf(half), service.asked()]).toEqual([
      2,
      ['name', 'taxRegime', 'address'].map((field) => [field, 'is required']),
      ['street', 'number', 'city.code', 'city.name'].map((field) => [`address.${field}`, 'is required']),
      [],
    ]);
    expect(errorOf(bare).hint).toContain('fiscal company create --sample');
  });

  test('refuses fields that the closed body does not have', async () => {
    const service = await account({ id: '900' });
    const given = {
      ...{ ...newCompany, status: 'Active', email: 'a@example.com', constructor: 1 },
      address: { ...newCompany.address, streetSuffix: 'Rua' },
    };
    const run = await create(service, given);
    expect([run.exitCode, wordsOf(run), service.asked()]).toEqual([
      2,
      [
        ['address.streetSuffix', 'is not a field of a company: leave it out'],
        ['status', 'is set by the service: leave it out'],
        ['email', 'is not a field of a company: leave it out'],
        ['constructor', 'is not a field of a company: leave it out'],
      ],
      [],
    ]);
  });

  test('refuses a CNPJ with letters, which an integer cannot carry, and names the setting', async () => {
    const service = await account({ id: '900' });
    const run = await create(service, newCompany, '--cnpj', '12.ABC.345/01DE-35');
    expect([run.exitCode, errorOf(run).sent, service.asked()]).toEqual([2, 'no', []]);
    expect(wordsOf(run)).toEqual([
      ['federalTaxNumber', expect.stringContaining('fiscal config set sends.taxNumbers text')],
    ]);
  });

  test.each([
    ['12.ABC.345/01DE-35', '12ABC34501DE35'],
    ['00.000.000/0001-91', '00000000000191'],
  ])('sends %s as text where the profile says so', async (cnpj, text) => {
    const service = await account({ id: '900', federalTaxNumber: text }, { taxNumbers: 'text' });
    const run = await create(service, newCompany, '--cnpj', cnpj);
    expect([run.exitCode, bodyOf(service)]).toEqual([0, { ...newCompany, federalTaxNumber: text }]);
  });

  test('prints a sample that it takes, and sends nothing for it', async () => {
    const service = await account({ id: '900' });
    const { stdout, exitCode } = await write(service, ['create', '--sample']);
    expect([exitCode, service.asked()]).toEqual([0, []]);
    const sample = JSON.parse(stdout) as Fields;
    await create(service, sample);
    expect(bodyOf(service)).toEqual(sample);
  });
});

describe('company update', () => {
  const standing = {
    ...newCompany,
    ...{ id: '900', status: 'Active', stateTaxes: ['s1'], municipalTaxes: [], revision: 7 },
    ...{ federalTaxNumber: 191, taxRegime: 'None', accountId: null },
    address: { ...newCompany.address, streetSuffix: 'Avenida', additionalInformation: null },
    createdOn: '2026-01-01T00:00:00Z',
    modifiedOn: '2026-01-02T00:00:00Z',
  };
  const carried = { ...newCompany, federalTaxNumber: 191, taxRegime: 'None' };

  test('sends what the closed body has, each value as it was read', async () => {
    const service = await account(standing);
    const run = await update(service, undefined, '--trade-name', 'Sol');
    expect([run.exitCode, bodyOf(service)]).toEqual([0, { ...carried, tradeName: 'Sol' }]);
    expect(JSON.parse(run.stdout)).toEqual({
      ...{ ...standing, tradeName: 'Sol', federalTaxNumber: '00000000000191' },
      address: newCompany.address,
    });
  });

  test.each([
    ['an integer', 191, 191],
    ['text', '00000000000191', '00000000000191'],
    ['letters', '12ABC34501DE35', '12ABC34501DE35'],
  ])('sends back a CNPJ that was read as %s', async (_form, federalTaxNumber, back) => {
    const service = await account({ ...standing, federalTaxNumber });
    await update(service, undefined, '--trade-name', 'Sol');
    expect(bodyOf(service)).toMatchObject({ federalTaxNumber: back });
  });

  test('sends nothing for a company as company get prints it', async () => {
    const service = await account(standing);
    const { stdout } = await runFiscal(['company', 'get', '900', '-o', 'json'], service.host);
    const run = await update(service, JSON.parse(stdout));
    expect([run.exitCode, sent(service)]).toEqual([0, []]);
    expect(run.stderr).toContain('nothing was sent');
  });

  test('takes the same CNPJ and the same regime in other words for no change', async () => {
    const service = await account({ ...standing, taxRegime: 'lucroReal' });
    const run = await update(service, { federalTaxNumber: '00.000.000/0001-91', taxRegime: 'RealProfit' });
    expect([run.exitCode, sent(service)]).toEqual([0, []]);
  });

  test('changes one field of the address and keeps the others', async () => {
    const service = await account(standing);
    await update(service, { address: { number: '20' }, taxRegime: 'simples' });
    expect(bodyOf(service)).toEqual({
      ...{ ...carried, taxRegime: 'SimplesNacional' },
      address: { ...newCompany.address, number: '20' },
    });
  });

  test('refuses to change what only the service sets', async () => {
    const service = await account(standing);
    const run = await update(service, { status: 'Inactive', tradeName: 'Sol', revision: 8 });
    expect([run.exitCode, wordsOf(run), sent(service)]).toEqual([
      2,
      [
        ['status', 'is set by the service: leave it out'],
        ['revision', 'is not a field of a company: leave it out'],
      ],
      [],
    ]);
  });

  test('asks for the address that the service does not have', async () => {
    const { address: _none, ...others } = standing;
    const service = await account(others);
    const run = await update(service, undefined, '--trade-name', 'Sol');
    expect([run.exitCode, wordsOf(run), sent(service)]).toEqual([2, [['address', 'is required']], []]);
  });

  test('says which field the service no longer shows, because no request carries it', async () => {
    let isWritten = false;
    const { revision: _gone, ...after } = { ...standing, tradeName: 'Sol', address: newCompany.address };
    const service = await imitate({
      'GET /v2/companies/900': () => reply(200, { company: isWritten ? after : standing }),
      'PUT /v2/companies/900': () => {
        isWritten = true;
        return { status: 204 };
      },
    });
    const run = await update(service, undefined, '--trade-name', 'Sol');
    expect([run.exitCode, run.stderr]).toEqual([
      0,
      expect.stringContaining('the service no longer shows address.streetSuffix, revision'),
    ]);
  });
});

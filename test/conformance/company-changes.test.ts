import { afterEach, describe, expect, it } from 'vitest';
import { companiesPath } from '../facts/authentication.js';
import { companyPath, newCompany } from '../facts/company.js';
import { nfeSettingsPath } from '../facts/inbound.js';
import { testService } from './service.js';

const service = testService();

const create = (company: unknown) => service.send('POST', companiesPath, { body: { company } });
const idOf = async (company: unknown): Promise<string> => (await create(company)).json.company.id;

async function listed(): Promise<string[]> {
  const { json } = await service.send('GET', `${companiesPath}?limit=50`);
  return json.companies.map(({ id }: { id: string }) => id);
}

afterEach(() => service.control('POST', 'reset'));

describe('HEAD of a company (published)', () => {
  it('answers 200 for a company, 404 for none and 401 without a key, without a body', async () => {
    const path = `/v2/companies/${service.ready().companyId}`;
    const answers = [
      await service.send('HEAD', path),
      await service.send('HEAD', '/v2/companies/none'),
      await service.send('HEAD', path, { key: null }),
    ];
    expect(answers.map(({ status, text }) => [status, text])).toEqual([
      [200, ''],
      [404, ''],
      [401, ''],
    ]);
  });

  it('is an unknown route for paths where it is not published', async () => {
    expect((await service.send('HEAD', '/v2/webhooks')).status).toBe(404);
  });
});

describe('companies of the account (public)', () => {
  it('are created and read in a wrapper', async () => {
    const { status, json } = await create(newCompany);
    const { id, createdOn } = json.company;
    expect([status, json]).toEqual([
      200,
      { company: { ...newCompany, id, status: 'Active', createdOn, modifiedOn: createdOn } },
    ]);
    const read = await service.send('GET', companyPath(id));
    expect([read.status, read.json]).toEqual([200, json]);
    expect(await listed()).toContain(id);
  });

  it('are stored with canonical enum values', async () => {
    const address = { state: 'rj', postalCode: '20040-002' };
    const given = { ...newCompany, id: 'mine', status: 'Gone', taxRegime: 'realprofit', address, note: null };
    const { company } = (await create(given)).json;
    expect([company.id === 'mine', company.status, company.taxRegime, company.address]).toEqual([
      false,
      'Active',
      'RealProfit',
      { state: 'RJ', postalCode: '20040002' },
    ]);
    expect(Object.keys(company)).not.toContain('note');
  });

  it('may have an alphanumeric CNPJ', async () => {
    expect((await create({ name: 'A', federalTaxNumber: '12ABC34501DE35' })).status).toBe(200);
  });

  it('have unique CNPJs: a second create answers 409', async () => {
    await create(newCompany);
    const second = await create({ ...newCompany, name: 'Outra' });
    expect([second.status, second.json.error.code]).toEqual([409, 'conflict']);
    expect(await listed()).toHaveLength(2);
  });

  it.each<[string, unknown]>([
    ['company', 'x'],
    ['company.name', { federalTaxNumber: '12345678000195' }],
    ['company.name', { ...newCompany, name: ' ' }],
    ['company.federalTaxNumber', { name: 'A' }],
    ['company.federalTaxNumber', { ...newCompany, federalTaxNumber: '12345678000190' }],
    ['company.federalTaxNumber', { ...newCompany, federalTaxNumber: 12345678000195 }],
    ['company.taxRegime', { ...newCompany, taxRegime: 'None' }],
    ['company.address.state', { ...newCompany, address: { state: 'XX' } }],
    ['company.address.postalCode', { ...newCompany, address: { postalCode: '123' } }],
    ['company.address.city.code', { ...newCompany, address: { city: { code: '35' } } }],
  ])('answer 400 that names %s', async (field, company) => {
    const { status, json } = await create(company);
    expect([status, json.error.code, json.error.details[0].field]).toEqual([400, 'validation_error', field]);
    expect(await listed()).toHaveLength(1);
  });

  it('report all problems at once', async () => {
    const { json } = await create({ federalTaxNumber: '1', taxRegime: 2 });
    expect(json.error.details.map(({ field }: { field: string }) => field)).toEqual([
      'company.name',
      'company.federalTaxNumber',
      'company.taxRegime',
    ]);
  });

  it('are replaced as a whole and keep their CNPJ', async () => {
    const id = await idOf(newCompany);
    await service.control('POST', 'clock', { advance: '1h' });
    const { status, json } = await service.send('PUT', companyPath(id), {
      body: { company: { name: 'Nova' } },
    });
    const { createdOn, modifiedOn } = json.company;
    expect([status, json.company]).toEqual([
      200,
      { id, name: 'Nova', federalTaxNumber: '12345678000195', status: 'Active', createdOn, modifiedOn },
    ]);
    expect(Date.parse(modifiedOn)).toBeGreaterThanOrEqual(Date.parse(createdOn) + 3_600_000);
    const other = { name: 'Nova', federalTaxNumber: '99999999000191' };
    const refused = await service.send('PUT', companyPath(id), { body: { company: other } });
    expect([refused.status, refused.json.error.details[0].field]).toEqual([400, 'company.federalTaxNumber']);
  });

  it('are deleted with their capture, which frees their CNPJ', async () => {
    const id = await idOf(newCompany);
    expect((await service.send('POST', nfeSettingsPath(id), { body: {} })).status).toBe(200);
    const removed = await service.send('DELETE', companyPath(id));
    expect([removed.status, removed.text]).toEqual([204, '']);
    expect(await listed()).not.toContain(id);
    const answers = await Promise.all([
      service.send('GET', companyPath(id)),
      service.send('PUT', companyPath(id), { body: { company: newCompany } }),
      service.send('DELETE', companyPath(id)),
      service.send('GET', nfeSettingsPath(id)),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
    expect((await create(newCompany)).status).toBe(200);
  });

  it('can be deleted while the list is read page by page', async () => {
    await service.control('POST', 'seed', { companies: 4 });
    const [first, second, third] = await listed();
    await service.send('DELETE', companyPath(second ?? ''));
    const { json } = await service.send('GET', `${companiesPath}?limit=1&startingAfter=${second}`);
    expect([json.companies[0].id, (await listed())[0]]).toEqual([third, first]);
  });

  it('record one effect each in the ledger', async () => {
    const id = await idOf(newCompany);
    await create(newCompany);
    await service.send('PUT', companyPath(id), { body: { company: newCompany } });
    await service.send('DELETE', companyPath(id));
    const { entries } = await service.control('GET', 'ledger?effects=true');
    expect(entries.map(({ effect }: { effect: object }) => effect)).toEqual([
      { created: 'company', id, federalTaxNumber: '12345678000195' },
      { updated: 'company', id },
      { deleted: 'company', id },
    ]);
  });

  it('need the invoice key', async () => {
    const { status } = await service.send('DELETE', companyPath(service.ready().companyId), {
      key: service.ready().dataKey,
    });
    expect(status).toBe(401);
  });
});

import { afterEach, describe, expect, it } from 'vitest';
import { companiesPath } from '../facts/authentication.js';
import {
  companyPath,
  companyRegimes,
  municipalTaxesPath,
  newCompany,
  newMunicipalTax,
  newStateTax,
  stateTaxesPath,
} from '../facts/company.js';
import { nfeSettingsPath } from '../facts/inbound.js';
import { testService } from './service.js';

const service = testService();

const create = (company: unknown) => service.send('POST', companiesPath, { body: { company } });
const idOf = async (company: unknown): Promise<string> => (await create(company)).json.company.id;

async function listed(): Promise<string[]> {
  const { json } = await service.send('GET', `${companiesPath}?limit=50`);
  return json.companies.map(({ id }: { id: string }) => id);
}

const noTaxes = { stateTaxes: [], municipalTaxes: [] };
const inCity = (city: object) => ({ ...newCompany, address: { ...newCompany.address, city } });

afterEach(async () => {
  await service.control('POST', 'reset');
  await service.control('DELETE', 'mode');
});

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
});

describe('companies of the account (public)', () => {
  it('are created and read in a wrapper', async () => {
    const { status, json } = await create(newCompany);
    const { id, createdOn } = json.company;
    expect([status, json]).toEqual([
      200,
      { company: { ...newCompany, ...noTaxes, id, status: 'Active', createdOn, modifiedOn: createdOn } },
    ]);
    const read = await service.send('GET', companyPath(id));
    expect([read.status, read.json]).toEqual([200, json]);
    expect(await listed()).toContain(id);
  });

  it('are stored with canonical enum values', async () => {
    const address = { ...newCompany.address, state: 'rj', postalCode: '20040-002' };
    const given = { ...newCompany, id: 'mine', taxRegime: 'lucroreal', address, tradeName: null };
    const { company } = (await create(given)).json;
    expect([company.id === 'mine', company.taxRegime, company.address]).toEqual([
      false,
      'LucroReal',
      { ...newCompany.address, state: 'RJ', postalCode: '20040002' },
    ]);
    expect(Object.keys(company)).not.toContain('tradeName');
  });

  it('show their CNPJ as an integer, in the list too', async () => {
    const company = { ...newCompany, federalTaxNumber: 191 };
    const id = await idOf(company);
    const { json } = await service.send('GET', `${companiesPath}?limit=50`);
    const rows: { id: string; federalTaxNumber: unknown }[] = json.companies;
    expect(rows.find((row) => row.id === id)?.federalTaxNumber).toBe(191);
    expect(rows.every(({ federalTaxNumber }) => Number.isInteger(federalTaxNumber))).toBe(true);
  });

  it.each(companyRegimes)('know the tax regime %s', async (taxRegime) => {
    expect((await create({ ...newCompany, taxRegime })).json.company.taxRegime).toBe(taxRegime);
  });

  it('have a regime and a whole address from the start', async () => {
    const { json } = await service.send('GET', companyPath(service.ready().companyId));
    const { id, name, federalTaxNumber, taxRegime, address, status } = json.company;
    expect([status, Object.keys(address).toSorted()]).toEqual(['Active', Object.keys(newCompany.address).toSorted()]);
    const body = { company: { name, federalTaxNumber, taxRegime, address } };
    expect((await service.send('PUT', companyPath(id), { body })).status).toBe(200);
  });

  it('take what is not published only from a lenient service: a CNPJ as text, letters, other fields', async () => {
    const given = [
      { ...newCompany, federalTaxNumber: '12345678000195' },
      { ...newCompany, federalTaxNumber: '12ABC34501DE35' },
      { ...newCompany, federalTaxNumber: 191, email: 'a@example.com' },
    ];
    const answers = async () => await Promise.all(given.map(async (company) => await create(company)));
    expect((await answers()).map(({ status }) => status)).toEqual([400, 400, 400]);
    await service.control('POST', 'mode', { lenient: true });
    const shown = (await answers()).map(({ json }) => json.company.federalTaxNumber);
    expect(shown).toEqual([12345678000195, '12ABC34501DE35', 191]);
  });

  it('show their registrations as ids, which an update may not send back', async () => {
    const id = await idOf(newCompany);
    const made = await service.send('POST', stateTaxesPath(id), { body: { stateTax: newStateTax } });
    const municipalTax = { body: { municipalTax: newMunicipalTax } };
    const ofCity = await service.send('POST', municipalTaxesPath(id), municipalTax);
    const { company } = (await service.send('GET', companyPath(id))).json;
    expect([company.stateTaxes, company.municipalTaxes]).toEqual([
      [made.json.stateTax.id],
      [ofCity.json.municipalTax.id],
    ]);
    const refused = await service.send('PUT', companyPath(id), { body: { company } });
    const fields = refused.json.error.details.map(({ field }: { field: string }) => field);
    expect([refused.status, fields.toSorted()]).toEqual([
      400,
      ['createdOn', 'modifiedOn', 'municipalTaxes', 'stateTaxes', 'status'].map((name) => `company.${name}`),
    ]);
    await service.send('PUT', companyPath(id), { body: { company: newCompany } });
    const after = (await service.send('GET', companyPath(id))).json.company;
    expect(after.stateTaxes).toEqual(company.stateTaxes);
  });

  it('have unique CNPJs: a second create answers 409', async () => {
    await create(newCompany);
    const second = await create({ ...newCompany, name: 'Outra' });
    expect([second.status, second.json.error.code]).toEqual([409, 'conflict']);
    expect(await listed()).toHaveLength(2);
  });

  it.each<[string, unknown]>([
    ['company', 'x'],
    ['company.name', { ...newCompany, name: undefined }],
    ['company.name', { ...newCompany, name: ' ' }],
    ['company.federalTaxNumber', { ...newCompany, federalTaxNumber: undefined }],
    ['company.federalTaxNumber', { ...newCompany, federalTaxNumber: 12345678000190 }],
    ['company.federalTaxNumber', { ...newCompany, federalTaxNumber: '12345678000195' }],
    ['company.federalTaxNumber', { ...newCompany, federalTaxNumber: -12345678000195 }],
    ['company.taxRegime', { ...newCompany, taxRegime: 'RealProfit' }],
    ['company.address', { ...newCompany, address: 'x' }],
    ...Object.keys(newCompany.address).map((name): [string, unknown] => [
      `company.address.${name}`,
      { ...newCompany, address: { ...newCompany.address, [name]: undefined } },
    ]),
    ['company.address.state', { ...newCompany, address: { ...newCompany.address, state: 'XX' } }],
    ['company.address.postalCode', { ...newCompany, address: { ...newCompany.address, postalCode: '123' } }],
    ['company.address.city.code', inCity({ code: '35', name: 'São Paulo' })],
    ['company.address.city.code', inCity({ name: 'São Paulo' })],
    ['company.address.city.name', inCity({ code: '3550308' })],
    ['company.address.city.state', inCity({ code: '3550308', name: 'São Paulo', state: 'SP' })],
    ['company.address.streetSuffix', { ...newCompany, address: { ...newCompany.address, streetSuffix: 'Rua' } }],
    ...['stateTaxes', 'municipalTaxes', 'status', 'createdOn', 'modifiedOn', 'email'].map((name): [string, unknown] => [
      `company.${name}`,
      { ...newCompany, [name]: 'x' },
    ]),
  ])('answer 400 that names %s', async (field, company) => {
    const { status, json } = await create(company);
    expect([status, json.error.code, json.error.details[0].field]).toEqual([400, 'validation_error', field]);
    expect(await listed()).toHaveLength(1);
  });

  it('report all problems at once', async () => {
    const { json } = await create({ federalTaxNumber: 1, taxRegime: 'x' });
    expect(json.error.details.map(({ field }: { field: string }) => field)).toEqual([
      'company.name',
      'company.federalTaxNumber',
      'company.taxRegime',
    ]);
  });

  it('are replaced as a whole and keep their CNPJ', async () => {
    const id = await idOf(newCompany);
    await service.control('POST', 'clock', { advance: '1h' });
    const { tradeName: _left, ...others } = newCompany;
    const company = { ...others, name: 'Nova' };
    const { status, json } = await service.send('PUT', companyPath(id), { body: { company } });
    const { createdOn, modifiedOn } = json.company;
    expect([status, json.company]).toEqual([
      200,
      { ...company, ...noTaxes, id, status: 'Active', createdOn, modifiedOn },
    ]);
    expect(Date.parse(modifiedOn)).toBeGreaterThanOrEqual(Date.parse(createdOn) + 3_600_000);
    const other = { ...newCompany, federalTaxNumber: 99999999000191 };
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

import { afterEach, describe, expect, it } from 'vitest';
import { municipalTaxesPath, newMunicipalTax, newStateTax, stateTaxesPath } from '../facts/company.js';
import { testService } from './service.js';

const service = testService();

const path = (id = ''): string => stateTaxesPath(service.ready().companyId) + (id === '' ? '' : `/${id}`);
const create = (stateTax: unknown) => service.send('POST', path(), { body: { stateTax } });
const idOf = async (stateTax: unknown): Promise<string> => (await create(stateTax)).json.stateTax.id;

afterEach(() => service.control('POST', 'reset'));

describe('state registrations (public)', () => {
  it('are created and read in a wrapper, with the fields of the service', async () => {
    const { status, json } = await create(newStateTax);
    const { companyId, tenantId } = service.ready();
    const { id, createdOn } = json.stateTax;
    const own = { id, companyId, accountId: tenantId, status: 'Active', series: [1] };
    expect([status, json]).toEqual([200, { stateTax: { ...newStateTax, ...own, createdOn, modifiedOn: createdOn } }]);
    const read = await service.send('GET', path(id));
    expect([read.status, read.json]).toEqual([200, json]);
  });

  it('are listed page by page, without hasMore', async () => {
    const ids = [await idOf(newStateTax), await idOf({ ...newStateTax, code: 'RJ' }), await idOf(newStateTax)];
    const first = await service.send('GET', `${path()}?limit=2`);
    const second = await service.send('GET', `${path()}?limit=2&startingAfter=${ids[1]}`);
    const listed = [first, second].map(({ json }) => json.stateTaxes.map(({ id }: { id: string }) => id));
    expect(listed).toEqual([ids.slice(0, 2), ids.slice(2)]);
    expect(Object.keys(first.json)).toEqual(['stateTaxes']);
    expect((await service.send('GET', `${path()}?startingAfter=none`)).status).toBe(400);
  });

  it('are replaced whole by an update', async () => {
    const id = await idOf(newStateTax);
    const { code, taxNumber, type } = newStateTax;
    const { status, json } = await service.send('PUT', path(id), {
      body: { stateTax: { code, taxNumber, type, serie: 7 } },
    });
    expect([status, json.stateTax.serie, 'number' in json.stateTax]).toEqual([200, 7, false]);
  });

  it.each([
    ['without a wrapper', {}, 'stateTax'],
    ['without a type', { stateTax: { ...newStateTax, type: undefined } }, 'stateTax.type'],
    ['with an unknown type', { stateTax: { ...newStateTax, type: 'CTe' } }, 'stateTax.type'],
    ['with a field of the service', { stateTax: { ...newStateTax, status: 'Active' } }, 'stateTax.status'],
    ['with a serie as text', { stateTax: { ...newStateTax, serie: '1' } }, 'stateTax.serie'],
  ])('are refused %s', async (_how, body, field) => {
    const { status, json } = await service.send('POST', path(), { body });
    const fields = json.error.details.map((each: { field: string }) => each.field);
    expect([status, fields.includes(field)]).toEqual([400, true]);
  });

  it('take enumerations in any letter case and answer them in their own (§2)', async () => {
    const processingDetails = { switchAuthorizerStrategy: 'manual' };
    const words = { code: 'sP', type: 'nFe', environmentType: 'test', specialTaxRegime: 'nenhum', processingDetails };
    const { status, json } = await create({ ...newStateTax, ...words });
    expect([status, json.stateTax]).toEqual([
      200,
      expect.objectContaining({
        ...{ code: 'SP', type: 'NFe', environmentType: 'Test', specialTaxRegime: 'Nenhum' },
        processingDetails: { switchAuthorizerStrategy: 'Manual' },
      }),
    ]);
    const { json: switched } = await service.send('POST', `${path(json.stateTax.id)}/switch-authorizer`, {
      body: { authorizer: 'epec' },
    });
    expect(switched.toAuthorizer).toBe('EPEC');
  });

  it('belong to one company', async () => {
    const id = await idOf(newStateTax);
    expect((await service.send('GET', `${stateTaxesPath('other')}/${id}`)).status).toBe(404);
    expect((await service.send('GET', path('other'))).status).toBe(404);
  });
});

describe('the authorizer of a state registration (public)', () => {
  it('is switched, and the answer names the one before', async () => {
    const id = await idOf(newStateTax);
    const to = (body: object) => service.send('POST', `${path(id)}/switch-authorizer`, { body });
    const reason = 'SEFAZ fora do ar';
    const [into, back] = [await to({ authorizer: 'EPEC', reason }), await to({ authorizer: 'Normal' })];
    expect([into.status, into.json, back.json]).toEqual([
      200,
      { fromAuthorizer: 'Normal', toAuthorizer: 'EPEC', reason, modifiedOn: into.json.modifiedOn },
      { fromAuthorizer: 'EPEC', toAuthorizer: 'Normal', modifiedOn: back.json.modifiedOn },
    ]);
    expect((await to({ authorizer: 'SVC' })).status).toBe(400);
  });
});

describe('municipal registrations (public)', () => {
  const all = (): string => municipalTaxesPath(service.ready().companyId);

  it('take enumerations in any letter case and answer them in their own (§2)', async () => {
    const city = { code: '3550308', name: 'São Paulo', state: 'sP' };
    const words = { environment: 'production', specialTaxRegime: 'NENHUM', federalTaxDetermination: 'default', city };
    const { status, json } = await service.send('POST', all(), {
      body: { municipalTax: { ...newMunicipalTax, ...words } },
    });
    expect([status, json.municipalTax]).toEqual([
      200,
      expect.objectContaining({
        ...{ environment: 'Production', specialTaxRegime: 'Nenhum', federalTaxDetermination: 'Default' },
        city: { ...city, state: 'SP' },
      }),
    ]);
  });

  it('are created, read, listed and replaced whole in a wrapper', async () => {
    const { status, json } = await service.send('POST', all(), { body: { municipalTax: newMunicipalTax } });
    const { companyId, tenantId } = service.ready();
    const { id } = json.municipalTax;
    const own = { id, companyId, accountId: tenantId, status: 'Active', fiscalStatus: 'Active' };
    const municipalTax = { ...newMunicipalTax, ...own, rpsSerialNumbers: ['A1'] };
    expect([status, json]).toEqual([200, { municipalTax }]);
    expect((await service.send('GET', `${all()}/${id}`)).json).toEqual({ municipalTax });
    expect((await service.send('GET', all())).json).toEqual({ municipalTaxes: [municipalTax] });
    const replaced = await service.send('PUT', `${all()}/${id}`, { body: { municipalTax: { taxNumber: '87654321' } } });
    expect([replaced.status, replaced.json.municipalTax.taxNumber, 'city' in replaced.json.municipalTax]).toEqual([
      200,
      '87654321',
      false,
    ]);
    const listed = await service.send('GET', path());
    expect(listed.json).toEqual({ stateTaxes: [] });
  });

  it.each([
    ['with a field of the service', { status: 'Active' }, 'municipalTax.status'],
    ['with an unknown environment', { environment: 'Test' }, 'municipalTax.environment'],
    ['with a city that has no IBGE code', { city: { code: 'SP' } }, 'municipalTax.city.code'],
  ])('are refused %s', async (_how, more, field) => {
    const body = { municipalTax: { ...newMunicipalTax, ...more } };
    const { status, json } = await service.send('POST', all(), { body });
    expect([status, json.error.details.map((each: { field: string }) => each.field)]).toEqual([400, [field]]);
  });
});

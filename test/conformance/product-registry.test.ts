import { describe, expect, it } from 'vitest';
import { badRequest, notFound, validationCode } from '../facts/errors.js';
import {
  createdStatus,
  createPath,
  lengths,
  origins,
  productPath,
  readStatus,
  revalidatedStatus,
  revalidatePath,
  statuses,
  taxRegimes,
  updatedStatus,
} from '../facts/product-registry.js';
import { testService } from './service.js';

const service = testService();
const tenant = () => service.ready().tenantId;

const scenario = {
  operationCode: 121,
  issuer: [{ taxRegime: 'RealProfit', taxProfile: 'industry' }],
  recipient: [{ taxProfile: 'retail' }],
  intraState: { cfop: '5102', icms: { cst: '00', pICMS: '18.00' }, pis: { cst: '01', pPIS: '1.65' } },
};

async function create(body: object): Promise<string> {
  const answer = await service.send('POST', createPath(tenant()), { body });
  expect(answer.status).toBe(createdStatus);
  return answer.json.id;
}

async function read(id: string) {
  return (await service.send('GET', productPath(tenant(), id))).json;
}

describe('§4 product registry', () => {
  it('answers a create with 201 and only the id', async () => {
    const answer = await service.send('POST', createPath(tenant()), { body: { sku: 'A-1' } });
    expect([answer.status, Object.keys(answer.json), typeof answer.json.id]).toEqual([createdStatus, ['id'], 'string']);
  });

  it('reads a product back with its status', async () => {
    const id = await create({ sku: 'A-2', origin: 'National' });
    const answer = await service.send('GET', productPath(tenant(), id));
    expect([answer.status, answer.json]).toEqual([
      readStatus,
      { id, sku: 'A-2', origin: 'National', status: 'Created' },
    ]);
  });

  it('answers an update with 204 and no body', async () => {
    const id = await create({ sku: 'A-3' });
    const answer = await service.send('PUT', productPath(tenant(), id), { body: { sku: 'A-3', description: 'new' } });
    expect([answer.status, answer.text]).toEqual([updatedStatus, '']);
    expect(await read(id)).toEqual({ id, sku: 'A-3', description: 'new', status: 'Created' });
  });

  it('answers a revalidation with the current status', async () => {
    const id = await create({ sku: 'A-4' });
    const answer = await service.send('POST', revalidatePath(tenant(), id));
    expect([answer.status, answer.json]).toEqual([revalidatedStatus, { status: 'Created' }]);
  });

  it('has no delete operation', async () => {
    const id = await create({ sku: 'A-5' });
    const answer = await service.send('DELETE', productPath(tenant(), id));
    expect(answer.status).toBe(notFound);
    expect((await read(id)).id).toBe(id);
  });

  it('answers 404 for an unknown product', async () => {
    const path = productPath(tenant(), '00000000-0000-4000-8000-000000000000');
    const answers = await Promise.all([
      service.send('GET', path),
      service.send('PUT', path, { body: { sku: 'X' } }),
      service.send('POST', `${path}/revalidate`),
    ]);
    expect(answers.map((answer) => answer.status)).toEqual([notFound, notFound, notFound]);
  });
});

describe('§2 conventions of the product API', () => {
  it('read field names in any letter case at every depth, and answer in camelCase', async () => {
    const id = await create({
      SKU: 'B-1',
      CUSTOMTAX: [
        { OperationCode: 1, intrastate: { CFOP: '5102', Icms: { CST: '00', picms: '18.00', PREDBC: '0.00' } } },
      ],
    });
    expect((await read(id)).customTax).toEqual([
      { operationCode: 1, intraState: { cfop: '5102', icms: { cst: '00', pICMS: '18.00', pRedBC: '0.00' } } },
    ]);
  });

  it.each(origins)('accept the origin %s in any letter case', async (origin) => {
    const id = await create({ sku: 'B-2', origin: origin.toUpperCase() });
    expect((await read(id)).origin).toBe(origin);
  });

  it.each(taxRegimes)('accept the tax regime %s in any letter case', async (taxRegime) => {
    const id = await create({ sku: 'B-3', taxRegime: taxRegime.toLowerCase() });
    expect((await read(id)).taxRegime).toBe(taxRegime);
  });

  it('accept numbers in tax groups and answer with text', async () => {
    const id = await create({
      sku: 'B-4',
      customTax: [{ operationCode: 1, interState: { cfop: 6102, icms: { cst: '00', pICMS: 12 } } }],
    });
    expect((await read(id)).customTax[0].interState).toEqual({ cfop: '6102', icms: { cst: '00', pICMS: '12' } });
  });

  it('never include a null field in a response', async () => {
    const id = await create({ sku: 'B-5', gtin: null, tax: { ncm: '22030000', cest: null } });
    expect(await read(id)).toEqual({ id, sku: 'B-5', tax: { ncm: '22030000' }, status: 'Created' });
  });
});

describe('synchronous checks', () => {
  it.each([
    ['origin', { sku: 'C', origin: 'Martian' }],
    ['sku', { sku: 7 }],
    ['sku', { description: 'without a sku' }],
    ['customTax', { sku: 'C', customTax: 'none' }],
    ['customTax[0].operationCode', { sku: 'C', customTax: [{ operationCode: '1' }] }],
    ['customTax[0].intraState.icms.pICMS', { sku: 'C', customTax: [{ intraState: { icms: { pICMS: true } } }] }],
    ['description', { sku: 'C', description: 'x'.repeat(lengths.description + 1) }],
    ['gtin', { sku: 'C', gtin: '1'.repeat(lengths.gtin + 1) }],
  ])('answer 400 that names %s', async (field, body) => {
    const answer = await service.send('POST', createPath(tenant()), { body });
    expect([answer.status, answer.json.error.code]).toEqual([badRequest, validationCode]);
    expect(answer.json.error.details.map((detail: { field: string }) => detail.field)).toEqual([field]);
  });

  it('accept texts of the maximum length', async () => {
    const id = await create({ sku: 'S'.repeat(lengths.sku), description: 'd'.repeat(lengths.description) });
    expect((await read(id)).sku).toBe('S'.repeat(60));
  });
});

describe('§3 background validation', () => {
  it('goes from Created through CustomTaxPending to Active', async () => {
    const id = await create({ sku: 'D-1', customTax: [scenario] });
    const seen = [(await read(id)).status];
    await service.control('POST', 'clock', { advance: '30s' });
    seen.push((await read(id)).status);
    await service.control('POST', 'clock', { advance: '30s' });
    seen.push((await read(id)).status);
    expect(seen).toEqual(['Created', 'CustomTaxPending', 'Active']);
    expect(seen.every((status) => statuses.includes(status))).toBe(true);
  });

  it.each([
    ['a CFOP of the other direction', { intraState: { cfop: '6102' } }, 'customTax[0].intraState.cfop'],
    ['a CFOP that is none', { intraState: { cfop: '9999' } }, 'customTax[0].intraState.cfop'],
    ['an unknown CST', { intraState: { icms: { cst: '99' } } }, 'customTax[0].intraState.icms.cst'],
    ['a rate above 100', { interState: { icms: { pICMS: '100.01' } } }, 'customTax[0].interState.icms.pICMS'],
    ['a rate with five decimals', { interState: { pis: { pPIS: '1.00001' } } }, 'customTax[0].interState.pis.pPIS'],
    ['no direction', {}, 'customTax[0]'],
  ])('ends in Error with the reason for %s', async (_what, group, named) => {
    const id = await create({ sku: 'D-2', customTax: [{ operationCode: 1, ...group }] });
    await service.control('POST', 'clock', { advance: '2m' });
    const { status, errorMessage } = await read(id);
    expect(status).toBe('Error');
    expect(errorMessage).toContain(named);
    const revalidated = await service.send('POST', revalidatePath(tenant(), id));
    expect(revalidated.json).toEqual({ status: 'Created' });
  });

  it('accepts CFOP 3xxx and 7xxx only with a party abroad', async () => {
    const abroad = { operationCode: 1, recipient: [{ state: 'ex' }], interState: { cfop: '7102' } };
    const inside = { operationCode: 1, interState: { cfop: '7102' } };
    const ids = [await create({ sku: 'D-3', customTax: [abroad] }), await create({ sku: 'D-4', customTax: [inside] })];
    await service.control('POST', 'clock', { advance: '2m' });
    expect(await Promise.all(ids.map(async (id) => (await read(id)).status))).toEqual(['Active', 'Error']);
  });

  it('validates only the newest content', async () => {
    const id = await create({ sku: 'D-5', customTax: [{ operationCode: 1 }] });
    await service.control('POST', 'clock', { advance: '30s' });
    await service.send('PUT', productPath(tenant(), id), { body: { sku: 'D-5', customTax: [scenario] } });
    await service.control('POST', 'clock', { advance: '30s' });
    expect((await read(id)).status).toBe('CustomTaxPending');
    await service.control('POST', 'clock', { advance: '30s' });
    const { status, errorMessage } = await read(id);
    expect([status, errorMessage]).toEqual(['Active', undefined]);
  });
});

describe('§1 billing', () => {
  it('records engine consumption only for creates and updates with tax rules', async () => {
    await service.control('POST', 'reset');
    const id = await create({ sku: 'E-1', customTax: [scenario] });
    await create({ sku: 'E-2' });
    await service.send('PUT', productPath(tenant(), id), { body: { sku: 'E-1', customTax: [scenario] } });
    await service.send('POST', revalidatePath(tenant(), id));
    expect(await service.control('GET', 'usage')).toEqual({
      total: 2,
      byAction: { engine: 2 },
      byOperation: { 'product.create': 1, 'product.update': 1 },
    });
  });
});

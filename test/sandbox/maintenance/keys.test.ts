import { afterEach, describe, expect, it } from 'vitest';
import { testService } from '../../conformance/service.js';
import { backfillPath } from '../../facts/inbound.js';

const service = testService();

afterEach(() => service.control('POST', 'reset'));

describe('a key with roles by company', () => {
  it('uses its general roles for every other company', async () => {
    const { companyId } = service.ready();
    const companyRoles = { [companyId]: [] };
    const { key } = await service.control('POST', 'keys', { roles: ['NFSeDist'], companyRoles });
    await service.control('POST', 'seed', { scenario: 'history', companies: 2 });
    const { companies } = (await service.send('GET', '/v2/companies', { key })).json;
    const statuses = companies.map(
      async ({ id }: { id: string }) => (await service.send('GET', backfillPath(id), { key })).status,
    );
    expect(await Promise.all(statuses)).toEqual([403, 200]);
  });

  it.each([
    { companyRoles: { nobody: [] } },
    { companyRoles: ['Management'] },
    { companyRoles: null },
    { roles: ['King'] },
  ])('cannot be created from %j', async (wrong) => {
    expect((await service.control('POST', 'keys', wrong)).error.code).toBe('validation_error');
  });

  it('can have roles by company, unlike a token', async () => {
    const companyRoles = { [service.ready().companyId]: ['Management'] };
    const { error } = await service.control('POST', 'keys', { as: 'jwt', companyRoles });
    expect(error.details[0].field).toBe('companyRoles');
  });

  it('cannot have an unknown role', async () => {
    const companyRoles = { [service.ready().companyId]: ['King'] };
    const { error } = await service.control('POST', 'keys', { companyRoles });
    expect(error.details[0].field).toBe(`companyRoles.${service.ready().companyId}`);
  });
});

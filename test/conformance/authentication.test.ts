import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { cnpjPath, companiesPath, queryParameter, tokenPrefix, wrongKeyStatus } from '../facts/authentication.js';
import { forbidden } from '../facts/errors.js';
import { createPath } from '../facts/product-registry.js';
import { testService } from './service.js';

const service = testService();
const cnpj = '12345678000195';
const statusOf = async (path: string, key: string | null) => (await service.send('GET', path, { key })).status;

describe('§5 authentication', () => {
  it('accepts the raw invoice key in Authorization', async () => {
    expect(await statusOf(companiesPath, service.ready().invoiceKey)).toBe(200);
  });

  it('accepts the data key for queries', async () => {
    expect(await statusOf(cnpjPath(cnpj), service.ready().dataKey)).toBe(200);
  });

  it('answers 401 to the key of the other kind', async () => {
    const { invoiceKey, dataKey } = service.ready();
    expect([await statusOf(companiesPath, dataKey), await statusOf(cnpjPath(cnpj), invoiceKey)]).toEqual([
      wrongKeyStatus,
      wrongKeyStatus,
    ]);
  });

  it('answers 401 without a key, with an unknown one, and with a raw key after Bearer', async () => {
    const keys = [null, 'sbx_nobody', `${tokenPrefix}${service.ready().invoiceKey}`];
    expect(await Promise.all(keys.map((key) => statusOf(companiesPath, key)))).toEqual([401, 401, 401]);
  });

  it('accepts a JWT as a bearer token only', async () => {
    const { jwt } = service.ready();
    expect([await statusOf(companiesPath, tokenPrefix + jwt), await statusOf(companiesPath, jwt)]).toEqual([200, 401]);
  });

  it('accepts the key in the query string for the product registry only', async () => {
    const { tenantId, invoiceKey } = service.ready();
    const query = `?${queryParameter}=${invoiceKey}`;
    const created = await service.send('POST', createPath(tenantId) + query, { key: null, body: { sku: 'Q' } });
    expect([created.status, await statusOf(companiesPath + query, null)]).toEqual([201, 401]);
  });

  it('refuses a token that has expired by the clock of the service', async () => {
    const { key } = await service.control('POST', 'keys', { as: 'jwt', expiresIn: '1h' });
    expect(await statusOf(companiesPath, tokenPrefix + key)).toBe(200);
    await service.control('POST', 'clock', { advance: '61m' });
    expect(await statusOf(companiesPath, tokenPrefix + key)).toBe(401);
  });

  it('refuses an unsigned token and one with a foreign signature', async () => {
    const claims = { sub: service.ready().tenantId, kind: 'invoice', roles: [], exp: 9_999_999_999 };
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const unsigned = `${encode({ alg: 'none' })}.${encode(claims)}.`;
    const text = `${encode({ alg: 'HS256' })}.${encode(claims)}`;
    const foreign = `${text}.${createHmac('sha256', 'guess').update(text).digest('base64url')}`;
    const tokens = [unsigned, foreign, 'a.b', 'a.b.c.d'];
    expect(await Promise.all(tokens.map((token) => statusOf(companiesPath, tokenPrefix + token)))).toEqual([
      401, 401, 401, 401,
    ]);
  });

  it('answers 403 on the path of another tenant', async () => {
    const answer = await service.send('POST', createPath('somebody-else'), { body: { sku: 'A' } });
    expect([answer.status, answer.json.error.code]).toEqual([forbidden, 'forbidden']);
  });

  it('checks the key before the body', async () => {
    const path = createPath(service.ready().tenantId);
    const answer = await service.send('POST', path, { key: null, raw: 'not json' });
    expect(answer.status).toBe(401);
  });
});

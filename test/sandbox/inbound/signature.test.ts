import { describe, expect, it } from 'vitest';
import { testService } from '../../conformance/service.js';
import { verifySignature as verify } from './verify-signature.js';

const service = testService();

async function seeded(family: string): Promise<string> {
  const { captured } = await service.control('POST', 'seed', { documents: 1, family });
  return captured[0].accessKey;
}

const prefix = () => `/v2/companies/${service.ready().companyId}/inbound`;

describe('the signature of a captured document (facts §6)', () => {
  it.each([
    ['nfe', 'NFe', 'nfe/', '<nfeProc '],
    ['cte', 'CTe', '', '<cteProc '],
    ['nfse', 'NFS', 'nfse/', '<NFSe '],
  ])('is valid for the family %s and covers the element of its key', async (...[family, idPrefix, route, root]) => {
    const key = await seeded(family);
    const { text } = await service.send('GET', `${prefix()}/${route}${key}/xml`);
    expect(verify(text)).toEqual({ isValid: true, covers: [`#${idPrefix}${key}`] });
    expect(text).toContain(root);
    expect(text.length).toBeGreaterThan(5_000);
    expect(text.length).toBeLessThan(10_000);
  });

  it('is not valid when one character of the document changes', async () => {
    const key = await seeded('nfe');
    const { text } = await service.send('GET', `${prefix()}/nfe/${key}/xml`);
    expect(verify(text.replace('VENDA', 'BENDA')).isValid).toBe(false);
  });

  it('is the same each time, so the bytes never change', async () => {
    const key = await seeded('nfe');
    const first = await service.send('GET', `${prefix()}/nfe/${key}/xml`);
    const second = await service.send('GET', `${prefix()}/nfe/${key}/xml`);
    expect(second.text).toBe(first.text);
  });
});

import { DOMParser } from '@xmldom/xmldom';
import { describe, expect, it } from 'vitest';
import { SignedXml } from 'xml-crypto';
import { testService } from '../../conformance/service.js';

const service = testService();

/** Checks the one enveloped signature of a text as a stranger would, and gives what it covers. */
function verify(xml: string): { readonly isValid: boolean; readonly covers: readonly string[] } {
  const document = new DOMParser().parseFromString(xml, 'text/xml');
  const [signature] = Array.from(
    document.getElementsByTagNameNS('http://www.w3.org/2000/09/xmldsig#', 'Signature'),
  );
  const certificate = signature?.getElementsByTagName('X509Certificate')[0]?.textContent ?? '';
  const lines = certificate.replaceAll(/(.{64})/g, '$1\n');
  const signed = new SignedXml({
    publicCert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----`,
    getCertFromKeyInfo: () => null,
  });
  signed.loadSignature(String(signature));
  const isValid = signed.checkSignature(xml);
  return { isValid, covers: signed.getReferences().map(({ uri }) => uri ?? '') };
}

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
  ])(
    'holds for the family %s and covers the element of its key',
    async (...[family, idPrefix, route, root]) => {
      const key = await seeded(family);
      const { text } = await service.send('GET', `${prefix()}/${route}${key}/xml`);
      expect(verify(text)).toEqual({ isValid: true, covers: [`#${idPrefix}${key}`] });
      expect(text).toContain(root);
      expect(text.length).toBeGreaterThan(5_000);
      expect(text.length).toBeLessThan(10_000);
    },
  );

  it('fails when one letter of the document is another', async () => {
    const key = await seeded('nfe');
    const { text } = await service.send('GET', `${prefix()}/nfe/${key}/xml`);
    expect(verify(text.replace('VENDA', 'BENDA')).isValid).toBe(false);
  });

  it('is the same each time, so that the bytes are', async () => {
    const key = await seeded('nfe');
    const first = await service.send('GET', `${prefix()}/nfe/${key}/xml`);
    const second = await service.send('GET', `${prefix()}/nfe/${key}/xml`);
    expect(second.text).toBe(first.text);
  });
});

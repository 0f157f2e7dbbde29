import { DOMParser } from '@xmldom/xmldom';
import { SignedXml } from 'xml-crypto';

/** Checks the one enveloped signature of a text as a stranger would, and gives what it covers. */
export function verifySignature(xml: string): { readonly isValid: boolean; readonly covers: readonly string[] } {
  const document = new DOMParser().parseFromString(xml, 'text/xml');
  const [signature] = Array.from(document.getElementsByTagNameNS('http://www.w3.org/2000/09/xmldsig#', 'Signature'));
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

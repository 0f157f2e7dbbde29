import { createHash, sign } from 'node:crypto';
import type { TestCertificate } from './certificate.js';

/** The two values of an enveloped signature that cost time. */
export interface SignatureValues {
  readonly digest: string;
  readonly value: string;
}

const signatureSpace = 'http://www.w3.org/2000/09/xmldsig#';
const c14n = 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315';

/**
 * Signs an element (facts §6: enveloped, C14N 1.0, RSA-SHA1, SHA-1). `canonical` is the element as C14N writes it:
 * with the name space of its parents, attributes in order, no self-closing tags.
 */
export function signElement(canonical: string, id: string, { privateKey }: TestCertificate): SignatureValues {
  const digest = createHash('sha1').update(canonical, 'utf8').digest('base64');
  const value = sign('sha1', Buffer.from(signedInfo(id, digest, true)), privateKey).toString('base64');
  return { digest, value };
}

export function signatureElement(
  id: string,
  { digest, value }: SignatureValues,
  certificate: string,
): string {
  return (
    `<Signature xmlns="${signatureSpace}">${signedInfo(id, digest, false)}` +
    `<SignatureValue>${value}</SignatureValue>` +
    `<KeyInfo><X509Data><X509Certificate>${certificate}</X509Certificate></X509Data></KeyInfo></Signature>`
  );
}

/** Alone it must name its space, which inside the Signature it inherits. */
function signedInfo(id: string, digest: string, isAlone: boolean): string {
  return (
    `<SignedInfo${isAlone ? ` xmlns="${signatureSpace}"` : ''}>` +
    `<CanonicalizationMethod Algorithm="${c14n}"></CanonicalizationMethod>` +
    `<SignatureMethod Algorithm="${signatureSpace}rsa-sha1"></SignatureMethod>` +
    `<Reference URI="#${id}"><Transforms>` +
    `<Transform Algorithm="${signatureSpace}enveloped-signature"></Transform>` +
    `<Transform Algorithm="${c14n}"></Transform></Transforms>` +
    `<DigestMethod Algorithm="${signatureSpace}sha1"></DigestMethod>` +
    `<DigestValue>${digest}</DigestValue></Reference></SignedInfo>`
  );
}

import { verify, type KeyObject } from 'node:crypto';
import type { Text } from '../contract/text.js';
import { Certificates, type SignatureCertificate } from './signature-certificate.js';
import type { SignatureParts } from './signature-read.js';
import type { DigestName } from './text-digests.js';

/**
 * `unverifiable`: it may be good, but not by the rules that this program knows (another algorithm, no certificate).
 * Never a word about trust: the certificate is reported, its chain and its validity are not judged.
 */
export type SignatureVerdict = 'valid' | 'invalid' | 'absent' | 'unverifiable';

export interface SignatureResult {
  readonly verdict: SignatureVerdict;
  readonly reason?: Text;
  readonly certificate?: SignatureCertificate;
}

/** The signed element as it was read: its Id, and a digest of its canonical form in base64. */
export interface SignedElement {
  readonly id: string | undefined;
  digest(name: DigestName): string;
}

const CANONICAL = 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315';
const ENVELOPED = 'http://www.w3.org/2000/09/xmldsig#enveloped-signature';

const digestNames: Readonly<Record<string, DigestName>> = {
  'http://www.w3.org/2000/09/xmldsig#sha1': 'sha1',
  'http://www.w3.org/2001/04/xmlenc#sha256': 'sha256',
};

const signatureNames: Readonly<Record<string, DigestName>> = {
  'http://www.w3.org/2000/09/xmldsig#rsa-sha1': 'sha1',
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256': 'sha256',
};

/**
 * Judges one enveloped signature (facts §6): exactly one reference, to the element that was read, by its Id; Canonical XML
 * 1.0; RSA with SHA-1 or SHA-256. Order: what can be said to be wrong first, then what cannot be judged.
 */
export function judgeSignature(
  parts: SignatureParts,
  element: SignedElement,
  certificates = new Certificates(),
): SignatureResult {
  const one = (path: string): string | undefined => single(parts, path);
  if (one('SignedInfo') === undefined || one('SignedInfo/Reference') === undefined) return notOne;
  if (element.id === undefined || one('SignedInfo/Reference@') !== `#${element.id}`) return otherElement;
  const digest = digestNames[one('SignedInfo/Reference/DigestMethod@') ?? ''];
  const algorithm = signatureNames[one('SignedInfo/SignatureMethod@') ?? ''];
  if (digest === undefined || algorithm === undefined || !knownForm(parts)) return unknownAlgorithm;
  const said = one('SignedInfo/Reference/DigestValue')?.replaceAll(/\s/g, '');
  if (said !== element.digest(digest)) return otherDigest;
  return judgeValue(parts, algorithm, certificates);
}

function judgeValue(
  parts: SignatureParts,
  algorithm: DigestName,
  certificates: Certificates,
): SignatureResult {
  const encoded = parts.values.get('KeyInfo/X509Data/X509Certificate')?.[0];
  const value = single(parts, 'SignatureValue');
  if (value === undefined) return notOne;
  const certificate = encoded === undefined ? undefined : certificates.read(encoded);
  if (certificate === undefined) return noCertificate;
  const { key, facts, isUsable } = certificate;
  if (!isUsable) return { ...unknownAlgorithm, certificate: facts };
  const signature = Buffer.from(value, 'base64');
  if (verifies({ algorithm, signed: parts.signedInfo, key, signature })) {
    return { verdict: 'valid', certificate: facts };
  }
  return { ...otherValue, certificate: facts };
}

function verifies(claim: {
  algorithm: DigestName;
  signed: string;
  key: KeyObject;
  signature: Buffer;
}): boolean {
  try {
    return verify(claim.algorithm, Buffer.from(claim.signed), claim.key, claim.signature);
  } catch {
    // A value of a wrong length is an error to the library; to the reader it is a signature that does not fit.
    return false;
  }
}

/** The one canonical form, and no transform that could choose another part of the document. */
function knownForm(parts: SignatureParts): boolean {
  const transforms = parts.values.get('SignedInfo/Reference/Transforms/Transform@') ?? [];
  const children = parts.values.get('SignedInfo/Reference/Transforms/Transform') ?? [];
  return (
    single(parts, 'SignedInfo/CanonicalizationMethod@') === CANONICAL &&
    transforms.length === children.length &&
    transforms.every((name) => name === CANONICAL || name === ENVELOPED)
  );
}

function single(parts: SignatureParts, path: string): string | undefined {
  const values = parts.values.get(path);
  return values?.length === 1 ? values[0] : undefined;
}

function result(verdict: SignatureVerdict, en: string, pt: string): SignatureResult {
  return { verdict, reason: { en, pt } };
}

const notOne = result(
  'invalid',
  'the signature does not have exactly one reference and one value',
  'a assinatura não tem exatamente uma referência e um valor',
);

const otherElement = result(
  'invalid',
  'the signature is about another element than the one that was read',
  'a assinatura é de outro elemento que não o que foi lido',
);

const otherDigest = result(
  'invalid',
  'the content was changed after it was signed: the digest differs',
  'o conteúdo foi alterado depois de assinado: o resumo difere',
);

const otherValue = result(
  'invalid',
  'the value of the signature does not fit its certificate',
  'o valor da assinatura não confere com o certificado',
);

const noCertificate = result(
  'unverifiable',
  'the signature has no certificate that can be read',
  'a assinatura não tem um certificado legível',
);

const unknownAlgorithm = result(
  'unverifiable',
  'the signature uses an algorithm that is not known here',
  'a assinatura usa um algoritmo que não é conhecido aqui',
);

import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import type { Meta } from '../core/database.js';
import type { Signable } from './layout.js';

const signatureSpace = 'http://www.w3.org/2000/09/xmldsig#';
const c14n = 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315';

/** The storage of a signature between reads, as `<digest> <value>`. */
interface KeptSignature {
  readonly text: string | null | undefined;
  keep(text: string): void;
}

/**
 * Signs a document (facts §6: enveloped, C14N 1.0, RSA-SHA1, SHA-1). The bytes are always the same: RSA with PKCS #1
 * v1.5 is deterministic. A signature costs a thousand times the rest, so a stored one for the same text is reused.
 */
export function signedXml(signable: Signable, certificate: TestCertificate, kept?: KeptSignature): string {
  const canonical = signable.signed(true);
  const digest = createHash('sha1').update(canonical, 'utf8').digest('base64');
  const known = kept?.text?.startsWith(`${digest} `) === true ? kept.text.slice(digest.length + 1) : undefined;
  const value = known ?? signatureValue(signable.id, digest, certificate);
  if (known === undefined) kept?.keep(`${digest} ${value}`);
  const signature =
    `<Signature xmlns="${signatureSpace}">${signedInfo(signable.id, digest, false)}` +
    `<SignatureValue>${value}</SignatureValue>` +
    `<KeyInfo><X509Data><X509Certificate>${certificate.certificate}</X509Certificate></X509Data></KeyInfo></Signature>`;
  return signable.wrap(signature, digest);
}

function signatureValue(id: string, digest: string, { privateKey }: TestCertificate): string {
  return sign('sha1', Buffer.from(signedInfo(id, digest, true)), privateKey).toString('base64');
}

/** Alone it declares its namespace, which it inherits inside the Signature. */
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

/** The self-signed certificate for the documents of one sandbox. Not valid elsewhere. */
export interface TestCertificate {
  /** PEM. */
  readonly privateKey: string;
  /** DER in base64, on one line, for an X509Certificate element. */
  readonly certificate: string;
}

const names = { privateKey: 'certificate.key', certificate: 'certificate.der' };
export const certificateNames = Object.values(names);

/** Creates the certificate on first use and stores it in the file, so that all processes share it. */
export function openCertificate(meta: Meta): () => TestCertificate {
  return () => {
    const privateKey = meta.get(names.privateKey);
    const certificate = meta.get(names.certificate);
    if (privateKey !== undefined && certificate !== undefined) return { privateKey, certificate };
    const made = makeCertificate();
    meta.set(names.privateKey, made.privateKey);
    meta.set(names.certificate, made.certificate);
    return made;
  };
}

const version3 = Buffer.from([0xa0, 0x03, 0x02, 0x01, 0x02]);
/** sha256WithRSAEncryption, 1.2.840.113549.1.1.11. */
const sha256WithRsa = '2a864886f70d01010b';
/** commonName, 2.5.4.3. */
const commonName = '550403';

/** The holder and the validity, in milliseconds. */
export interface Holder {
  readonly commonName: string;
  readonly from: number;
  readonly until: number;
}

const nobody: Holder = {
  commonName: 'fiscal sandbox: test only',
  from: Date.UTC(2020, 0, 1),
  until: Date.UTC(2049, 11, 31, 23, 59, 59),
};

/** Creates a self-signed X.509 v3 certificate without extensions (RFC 5280 §4.1). */
export function makeCertificate(holder: Holder = nobody): TestCertificate {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const spki = publicKey.export({ type: 'spki', format: 'der' });
  const algorithm = der(tags.list, oid(sha256WithRsa), der(tags.null));
  const name = der(
    tags.list,
    der(tags.set, der(tags.list, oid(commonName), der(tags.utf8, Buffer.from(holder.commonName)))),
  );
  const validity = der(tags.list, time(holder.from), time(holder.until));
  const serial = der(tags.integer, Buffer.concat([Buffer.from([0x01]), digestOf(spki).subarray(0, 8)]));
  const toBeSigned = der(tags.list, version3, serial, algorithm, name, validity, name, spki);
  const signature = der(tags.bits, Buffer.from([0x00]), sign('sha256', toBeSigned, privateKey));
  return {
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    certificate: der(tags.list, toBeSigned, algorithm, signature).toString('base64'),
  };
}

/** UTCTime, which RFC 5280 §4.1.2.5 requires until 2049. */
function time(at: number): Buffer {
  const digits = new Date(at).toISOString().replaceAll(/[-:T]|\.\d+Z$/g, '');
  return der(tags.time, Buffer.from(`${digits.slice(2)}Z`, 'ascii'));
}

function digestOf(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest();
}

const tags = {
  integer: 0x02,
  bits: 0x03,
  null: 0x05,
  oid: 0x06,
  utf8: 0x0c,
  time: 0x17,
  list: 0x30,
  set: 0x31,
} as const;

/** A DER element: tag, length, content. */
function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([tag]), lengthOf(content.length), content]);
}

/** An object identifier from its content in hexadecimal. */
function oid(hex: string): Buffer {
  return der(tags.oid, Buffer.from(hex, 'hex'));
}

function lengthOf(length: number): Buffer {
  if (length < 0x80) return Buffer.from([length]);
  if (length < 0x100) return Buffer.from([0x81, length]);
  return Buffer.from([0x82, length >> 8, length & 0xff]);
}

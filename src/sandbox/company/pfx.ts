import { X509Certificate, createPrivateKey } from 'node:crypto';
import forge from 'node-forge';
import { type Holder, makeCertificate } from '../xml/sign.js';

const { asn1 } = forge;
const { oids } = forge.pki;

/** Why a file contains no certificate that can sign. */
export type PfxFault = 'not-pfx' | 'wrong-password' | 'no-key' | 'no-certificate' | 'too-many-iterations';

/** The certificate of the private key in a file, or why it has none. */
export type PfxReading = { readonly certificate: X509Certificate } | { readonly fault: PfxFault };

/**
 * The most iterations of key derivation that one file may require, all parts together. Firefox writes 1,800,000
 * (600,000 in each of three parts), Java 30,000, OpenSSL and Windows about 6,000. The maximum takes 10 to 25 seconds,
 * depending on the hash.
 */
export const mostIterations = 2_000_000;

/**
 * Opens a password-protected PKCS #12 file (RFC 7292), encrypted by old (RC2, 3DES) or new (AES) exporters. Never
 * throws.
 */
export function readPfx(file: Buffer, password: string): PfxReading {
  try {
    return signingCertificate(openPfx(file, password));
  } catch (error) {
    // Any other error comes from a part that forge or Node cannot parse.
    return { fault: error instanceof PfxError ? error.fault : 'not-pfx' };
  }
}

class PfxError extends Error {
  constructor(readonly fault: PfxFault) {
    super(fault);
  }
}

/** The state of opening one file. */
interface Opener {
  readonly password: string;
  iterationsLeft: number;
}

interface Bag {
  /** An OID. */
  readonly type: string;
  readonly value: forge.asn1.Asn1;
}

/** The bags of a file, with decrypted keys. forge can open a whole file, but without a limit on iterations. */
function openPfx(file: Buffer, password: string): readonly Bag[] {
  const opener = { password, iterationsLeft: mostIterations };
  const [, authSafe, macData] = partsOf(parseDer(file.toString('latin1')));
  const content = octetsOf(explicitValue(authSafe));
  checkMac(partsOf(macData), content, opener);
  return partsOf(parseDer(content)).flatMap((contentInfo) => openContent(contentInfo, opener));
}

function openContent(contentInfo: forge.asn1.Asn1, opener: Opener): readonly Bag[] {
  const value = explicitValue(contentInfo);
  const isEncrypted = oidOf(contentInfo) === oids['encryptedData'];
  const [, algorithm, encrypted] = isEncrypted ? partsOf(partsOf(value)[1]) : [];
  const bags = isEncrypted ? decrypt(algorithm, encrypted, opener) : parseDer(octetsOf(value));
  return partsOf(bags).map((bag) => openBag(bag, opener));
}

function openBag(bag: forge.asn1.Asn1, opener: Opener): Bag {
  const type = oidOf(bag);
  const value = explicitValue(bag);
  if (type !== oids['pkcs8ShroudedKeyBag']) return { type, value };
  const [algorithm, encrypted] = partsOf(value);
  return { type, value: decrypt(algorithm, encrypted, opener) };
}

/** Without a MAC by the password, anybody could have written the file. */
function checkMac([info, salt, count]: readonly forge.asn1.Asn1[], content: string, opener: Opener): void {
  const [algorithm, digest] = partsOf(info);
  const hash = macHashes.find((name) => oids[name] === oidOf(algorithm));
  if (hash === undefined) throw new PfxError('not-pfx');
  const iterations = count === undefined ? 1 : largestInteger(count);
  spend(opener, iterations);
  const mac = macOf(content, { hash, password: opener.password, salt: octetsOf(salt), iterations });
  if (mac !== octetsOf(digest)) throw new PfxError('wrong-password');
}

/** Encrypted content and encrypted keys have the same form: the algorithm and the ciphertext. */
function decrypt(
  algorithm: forge.asn1.Asn1 | undefined,
  encrypted: forge.asn1.Asn1 | undefined,
  opener: Opener,
): forge.asn1.Asn1 {
  if (algorithm === undefined) throw new PfxError('not-pfx');
  spend(opener, largestInteger(algorithm));
  // PBES2 (RFC 8018) takes the password as UTF-8, the old encryptions and the MAC take it as UTF-16.
  const isUtf8 = oidOf(algorithm) === oids['pkcs5PBES2'];
  const password = isUtf8 ? forge.util.encodeUtf8(opener.password) : opener.password;
  return forge.pki.decryptPrivateKeyInfo(sequence([algorithm, octetString(octetsOf(encrypted))]), password);
}

function spend(opener: Opener, iterations: number): void {
  opener.iterationsLeft -= iterations;
  if (opener.iterationsLeft < 0) throw new PfxError('too-many-iterations');
}

/** Returns the iteration count of derivation parameters, which is their largest integer. */
function largestInteger({ type, value }: forge.asn1.Asn1): number {
  if (typeof value !== 'string') return Math.max(0, ...value.map(largestInteger));
  return type === asn1.Type.INTEGER ? Number(`0x0${forge.util.bytesToHex(value)}`) : 0;
}

function signingCertificate(bags: readonly Bag[]): PfxReading {
  const key = bags.find(({ type }) => type === oids['keyBag'] || type === oids['pkcs8ShroudedKeyBag']);
  if (key === undefined) return { fault: 'no-key' };
  const privateKey = createPrivateKey({ key: derOf(key.value), format: 'der', type: 'pkcs8' });
  const certificate = bags
    .filter(({ type }) => type === oids['certBag'])
    .map(({ value }) => new X509Certificate(Buffer.from(octetsOf(explicitValue(value)), 'latin1')))
    .find((each) => each.checkPrivateKey(privateKey));
  return certificate === undefined ? { fault: 'no-certificate' } : { certificate };
}

interface MadePfx {
  readonly file: Buffer;
  /** SHA-1 of the certificate, 40 hexadecimal digits. */
  readonly thumbprint: string;
}

/**
 * Creates a self-signed PKCS #12 file for tests, not valid elsewhere. The key is encrypted with AES-256, or with 3DES
 * as older exporters do.
 */
export function makePfx(holder: Holder, password: string, encryption: 'modern' | 'legacy'): MadePfx {
  const { certificate, privateKey } = makeCertificate(holder);
  const x509 = new X509Certificate(Buffer.from(certificate, 'base64'));
  const key = forge.pki.privateKeyFromPem(privateKey);
  const own = forge.pki.certificateFromPem(x509.toString());
  // PBES2 takes the password as UTF-8, the old encryption and the MAC take it as UTF-16.
  const pfx =
    encryption === 'legacy'
      ? forge.pkcs12.toPkcs12Asn1(key, own, password, { algorithm: '3des' })
      : withMac(
          forge.pkcs12.toPkcs12Asn1(key, own, forge.util.encodeUtf8(password), { algorithm: 'aes256', useMac: false }),
          password,
        );
  return { file: derOf(pfx), thumbprint: x509.fingerprint.replaceAll(':', '') };
}

/** Adds the MAC (SHA-1) to a PFX without one; forge uses one password for both. */
function withMac(pfx: forge.asn1.Asn1, password: string): forge.asn1.Asn1 {
  const salt = forge.random.getBytesSync(8);
  const iterations = 2048;
  const content = octetsOf(explicitValue(partsOf(pfx)[1]));
  const mac = macOf(content, { hash: 'sha1', password, salt, iterations });
  const sha1 = asn1.oidToDer(oids['sha1'] ?? '').getBytes();
  const algorithm = sequence([primitive(asn1.Type.OID, sha1), primitive(asn1.Type.NULL, '')]);
  const count = primitive(asn1.Type.INTEGER, asn1.integerToDer(iterations).getBytes());
  const macData = sequence([sequence([algorithm, octetString(mac)]), octetString(salt), count]);
  return sequence([...partsOf(pfx), macData]);
}

const macHashes = ['sha1', 'sha256', 'sha384', 'sha512', 'md5'] as const;

interface MacParameters {
  readonly hash: (typeof macHashes)[number];
  readonly password: string;
  readonly salt: string;
  readonly iterations: number;
}

/** The MAC of a content (RFC 7292 appendix B), as a binary string. */
function macOf(content: string, { hash, password, salt, iterations }: MacParameters): string {
  const digest = forge.md[hash].create();
  const saltBuffer = forge.util.createBuffer(salt);
  const key = forge.pkcs12.generateKey(password, saltBuffer, 3, iterations, digest.digestLength, digest);
  const hmac = forge.hmac.create();
  hmac.start(digest, key);
  hmac.update(content);
  return hmac.digest().getBytes();
}

function parseDer(bytes: string): forge.asn1.Asn1 {
  return asn1.fromDer(forge.util.createBuffer(bytes), false);
}

function derOf(value: forge.asn1.Asn1): Buffer {
  return Buffer.from(asn1.toDer(value).getBytes(), 'latin1');
}

function partsOf(value: forge.asn1.Asn1 | undefined): readonly forge.asn1.Asn1[] {
  return Array.isArray(value?.value) ? value.value : [];
}

/** The OID at the start of a content, a bag or an algorithm. */
function oidOf(value: forge.asn1.Asn1 | undefined): string {
  return asn1.derToOid(octetsOf(partsOf(value)[0]));
}

/** What follows the OID: `[0] EXPLICIT`. */
function explicitValue(value: forge.asn1.Asn1 | undefined): forge.asn1.Asn1 {
  const [inner] = partsOf(partsOf(value)[1]);
  if (inner === undefined) throw new PfxError('not-pfx');
  return inner;
}

/** The bytes of a value; BER may write them in chunks. */
function octetsOf(value: forge.asn1.Asn1 | undefined): string {
  if (value === undefined) throw new PfxError('not-pfx');
  return typeof value.value === 'string' ? value.value : value.value.map(octetsOf).join('');
}

function sequence(parts: readonly forge.asn1.Asn1[]): forge.asn1.Asn1 {
  return asn1.create(asn1.Class.UNIVERSAL, asn1.Type.SEQUENCE, true, [...parts]);
}

function octetString(bytes: string): forge.asn1.Asn1 {
  return primitive(asn1.Type.OCTETSTRING, bytes);
}

function primitive(type: forge.asn1.Type, bytes: string): forge.asn1.Asn1 {
  return asn1.create(asn1.Class.UNIVERSAL, type, false, bytes);
}

/** The fields of an upload form (public), with the opened file. */
export interface CertificateUpload {
  readonly file: Uint8Array | undefined;
  readonly password: string | undefined;
  readonly reading: PfxReading | undefined;
}

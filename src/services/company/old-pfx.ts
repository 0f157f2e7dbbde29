import { createPrivateKey, X509Certificate } from 'node:crypto';
import forge from 'node-forge';
import type { PfxReading } from './pfx.js';

const { asn1 } = forge;
const { oids } = forge.pki;

type Asn1 = forge.asn1.Asn1;

/** A content or a key, as its algorithm has encrypted it. */
type Decrypt = (algorithm: Asn1 | undefined, encrypted: Asn1 | undefined) => Asn1 | undefined;

interface Bag {
  /** An OID. */
  readonly type: string;
  readonly value: Asn1;
}

/** Opens a PKCS #12 file (RFC 7292) that is encrypted with RC2. Its MAC, and so its password, has been checked. */
export function openOldPfx(file: Uint8Array, password: string, mostIterations: number): PfxReading {
  let left = mostIterations;
  try {
    const bags = bagsOf(file, (algorithm, encrypted) => {
      if (algorithm === undefined) return undefined;
      left -= largestInteger(algorithm);
      if (left < 0) throw new RangeError('too many iterations');
      if (oidOf(algorithm) === oids['pbeWithSHAAnd128BitRC2-CBC']) return fromRc2(password, algorithm, encrypted);
      const whole = sequence([algorithm, primitive(asn1.Type.OCTETSTRING, octetsOf(encrypted))]);
      // PBES2 (RFC 8018) takes the password as UTF-8, the old encryptions take it as UTF-16.
      const isUtf8 = oidOf(algorithm) === oids['pkcs5PBES2'];
      return forge.pki.decryptPrivateKeyInfo(whole, isUtf8 ? forge.util.encodeUtf8(password) : password);
    });
    return signingCertificate(bags);
  } catch {
    // Whatever forge or Node cannot read of it stays what OpenSSL called it.
    return { fault: left < 0 ? 'too-many-iterations' : 'old-encryption' };
  }
}

/** RC2 with a key of 128 bits, which forge knows by its name alone; the derivations 1 and 2 of PKCS #12 give key and vector. */
function fromRc2(password: string, algorithm: Asn1, encrypted: Asn1 | undefined): Asn1 {
  const [salt, iterations] = partsOf(partsOf(algorithm)[1]);
  if (iterations === undefined) throw new TypeError('no iterations');
  const derived = (id: 1 | 2, bytes: number): forge.util.ByteBuffer =>
    forge.pkcs12.generateKey(password, forge.util.createBuffer(octetsOf(salt)), id, largestInteger(iterations), bytes);
  const cipher = forge.rc2.createDecryptionCipher(derived(1, 16), 128);
  cipher.start(derived(2, 8));
  cipher.update(forge.util.createBuffer(octetsOf(encrypted)));
  if (!cipher.finish()) throw new TypeError('not decrypted');
  return parseDer(cipher.output.getBytes());
}

/**
 * Whether the MAC and the encryptions of a file require more iterations than that, by what can be read of it without its password.
 * What is no PKCS #12 file requires none.
 */
export function requiresMore(file: Uint8Array, mostIterations: number): boolean {
  let iterations = 0;
  try {
    const [, , macData] = partsOf(parseDer(Buffer.from(file).toString('latin1')));
    iterations += macData === undefined ? 0 : largestInteger({ ...macData, value: partsOf(macData).slice(2) });
    bagsOf(file, (algorithm) => {
      iterations += algorithm === undefined ? 0 : largestInteger(algorithm);
      return undefined;
    });
  } catch {
    // OpenSSL says what is wrong with the file.
  }
  return iterations > mostIterations;
}

function bagsOf(file: Uint8Array, decrypt: Decrypt): readonly Bag[] {
  const [, authSafe] = partsOf(parseDer(Buffer.from(file).toString('latin1')));
  return partsOf(parseDer(octetsOf(explicitValue(authSafe)))).flatMap((content) => {
    const value = explicitValue(content);
    const isEncrypted = oidOf(content) === oids['encryptedData'];
    const [, algorithm, encrypted] = isEncrypted ? partsOf(partsOf(value)[1]) : [];
    const bags = isEncrypted ? decrypt(algorithm, encrypted) : parseDer(octetsOf(value));
    return partsOf(bags).flatMap((bag): readonly Bag[] => {
      const type = oidOf(bag);
      const inner = explicitValue(bag);
      if (type !== oids['pkcs8ShroudedKeyBag']) return [{ type, value: inner }];
      const [keyAlgorithm, encryptedKey] = partsOf(inner);
      const key = decrypt(keyAlgorithm, encryptedKey);
      return key === undefined ? [] : [{ type, value: key }];
    });
  });
}

function signingCertificate(bags: readonly Bag[]): PfxReading {
  const key = bags.find(({ type }) => type === oids['keyBag'] || type === oids['pkcs8ShroudedKeyBag']);
  if (key === undefined) return { fault: 'no-key' };
  const der = Buffer.from(asn1.toDer(key.value).getBytes(), 'latin1');
  const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  const certificate = bags
    .filter(({ type }) => type === oids['certBag'])
    .map(({ value }) => new X509Certificate(Buffer.from(octetsOf(explicitValue(value)), 'latin1')))
    .find((each) => each.checkPrivateKey(privateKey));
  return certificate === undefined ? { fault: 'no-key' } : { certificate };
}

/** The iteration count of derivation parameters, which is their largest integer. */
function largestInteger({ type, value }: Asn1): number {
  if (typeof value !== 'string') return Math.max(0, ...value.map(largestInteger));
  return type === asn1.Type.INTEGER ? Number(`0x0${forge.util.bytesToHex(value)}`) : 0;
}

function parseDer(bytes: string): Asn1 {
  // OpenSSL takes a file with bytes after its end.
  const options = { strict: false, parseAllBytes: false, decodeBitStrings: false };
  // @ts-expect-error: the types of node-forge know the first option alone.
  return asn1.fromDer(forge.util.createBuffer(bytes), options);
}

function partsOf(value: Asn1 | undefined): readonly Asn1[] {
  return Array.isArray(value?.value) ? value.value : [];
}

/** The OID at the start of a content, a bag or an algorithm. */
function oidOf(value: Asn1 | undefined): string {
  return asn1.derToOid(octetsOf(partsOf(value)[0]));
}

/** What follows the OID: `[0] EXPLICIT`. */
function explicitValue(value: Asn1 | undefined): Asn1 {
  const [inner] = partsOf(partsOf(value)[1]);
  if (inner === undefined) throw new TypeError('no value');
  return inner;
}

/** The bytes of a value; BER may write them in chunks. */
function octetsOf(value: Asn1 | undefined): string {
  if (value === undefined) throw new TypeError('no bytes');
  return typeof value.value === 'string' ? value.value : value.value.map(octetsOf).join('');
}

function sequence(parts: readonly Asn1[]): Asn1 {
  return asn1.create(asn1.Class.UNIVERSAL, asn1.Type.SEQUENCE, true, [...parts]);
}

function primitive(type: forge.asn1.Type, bytes: string): Asn1 {
  return asn1.create(asn1.Class.UNIVERSAL, type, false, bytes);
}

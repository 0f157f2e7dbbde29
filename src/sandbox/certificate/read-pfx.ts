import { createHmac, createPrivateKey, timingSafeEqual, X509Certificate } from 'node:crypto';
import { child, children, type Element, octets, oidOf, readElement, tags } from './der.js';
import { decrypt, iterationsOf } from './pfx-decrypt.js';
import { derive, type Derivation, purposes } from './pfx-keys.js';

/** Why a file is no certificate that can sign. */
export type PfxFault = 'not-pfx' | 'wrong-password' | 'no-key' | 'no-certificate';

/** The certificate of the private key that is in the file, or why there is none. */
export type PfxReading = { readonly certificate: X509Certificate } | { readonly fault: PfxFault };

const types = {
  data: '1.2.840.113549.1.7.1',
  encrypted: '1.2.840.113549.1.7.6',
  key: '1.2.840.113549.1.12.10.1.1',
  shroudedKey: '1.2.840.113549.1.12.10.1.2',
  certificate: '1.2.840.113549.1.12.10.1.3',
};

const hashes: Readonly<Record<string, Derivation['hash']>> = {
  '1.3.14.3.2.26': 'sha1',
  '2.16.840.1.101.3.4.2.1': 'sha256',
  '2.16.840.1.101.3.4.2.2': 'sha384',
  '2.16.840.1.101.3.4.2.3': 'sha512',
};

/** Opens a PKCS #12 file (RFC 7292) that is protected by a password, old and new ways of encryption alike. */
export function readPfx(file: Buffer, password: string): PfxReading {
  const opened = openPfx(file);
  if (opened === undefined) return { fault: 'not-pfx' };
  try {
    if (!isGenuine(opened, password)) return { fault: 'wrong-password' };
    return pairOf(bagsOf(opened.content, password), password);
  } catch {
    // The seal fits, so what cannot be read is written in a way that nobody here knows.
    return { fault: 'not-pfx' };
  }
}

interface Opened {
  readonly content: Buffer;
  readonly seal: Element;
}

function openPfx(file: Buffer): Opened | undefined {
  try {
    const [version, content, seal] = children(readElement(file));
    const isPfx = version?.tag === tags.integer && version.content[0] === 3;
    if (!isPfx || content === undefined || seal === undefined) return undefined;
    if (oidOf(child(content, 0)) !== types.data) return undefined;
    return { content: octets(child(child(content, 1), 0)), seal };
  } catch {
    // Not even ASN.1: a PDF, a PEM, an empty file.
    return undefined;
  }
}

/** MacData: the seal over the whole content, which only the password makes. */
function isGenuine({ content, seal }: Opened, password: string): boolean {
  const [digestInfo, salt, rounds] = children(seal);
  if (digestInfo === undefined || salt === undefined) return false;
  const hash = hashes[oidOf(child(child(digestInfo, 0), 0))];
  if (hash === undefined) throw new RangeError('unknown seal');
  const expected = octets(child(digestInfo, 1));
  const iterations = rounds === undefined ? 1 : iterationsOf(rounds);
  const derivation = { hash, salt: octets(salt), iterations };
  const key = derive(password, derivation, { purpose: purposes.mac, length: expected.length });
  const found = createHmac(hash, key).update(content).digest();
  return found.length === expected.length && timingSafeEqual(found, expected);
}

interface Bag {
  readonly type: string;
  readonly value: Element;
}

function bagsOf(content: Buffer, password: string): readonly Bag[] {
  return children(readElement(content)).flatMap((part) =>
    children(readElement(contentOf(part, password))).map((bag) => ({
      type: oidOf(child(bag, 0)),
      value: child(child(bag, 1), 0),
    })),
  );
}

function contentOf(part: Element, password: string): Buffer {
  const inner = child(child(part, 1), 0);
  switch (oidOf(child(part, 0))) {
    case types.data:
      return octets(inner);
    case types.encrypted: {
      const [, algorithm, data] = children(child(inner, 1));
      if (algorithm === undefined || data === undefined) throw new RangeError('nothing encrypted');
      return decrypt(algorithm, octets(data), password);
    }
    default:
      throw new RangeError('unknown content');
  }
}

function pairOf(bags: readonly Bag[], password: string): PfxReading {
  const key = bags.map((bag) => keyOf(bag, password)).find((each) => each !== undefined);
  if (key === undefined) return { fault: 'no-key' };
  const privateKey = createPrivateKey({ key, format: 'der', type: 'pkcs8' });
  const certificate = bags
    .filter(({ type }) => type === types.certificate)
    .map(({ value }) => new X509Certificate(octets(child(child(value, 1), 0))))
    .find((each) => each.checkPrivateKey(privateKey));
  return certificate === undefined ? { fault: 'no-certificate' } : { certificate };
}

function keyOf({ type, value }: Bag, password: string): Buffer | undefined {
  if (type === types.key) return value.whole;
  if (type !== types.shroudedKey) return undefined;
  return decrypt(child(value, 0), octets(child(value, 1)), password);
}

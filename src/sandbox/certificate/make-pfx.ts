import {
  createCipheriv,
  createHash,
  createHmac,
  createPrivateKey,
  pbkdf2Sync,
  randomBytes,
} from 'node:crypto';
import { type Holder, makeCertificate } from '../xml/certificate.js';
import { der, tags } from '../xml/der.js';
import { derive, purposes } from './pfx-keys.js';

export const encryptions = ['modern', 'legacy'] as const;
export type Encryption = (typeof encryptions)[number];

export interface MadePfx {
  readonly file: Buffer;
  /** SHA-1 of the certificate, 40 hexadecimal digits. */
  readonly thumbprint: string;
}

const iterations = 2_048;
const saltLength = 8;

/** A PKCS #12 file for tests: self-signed, worth nothing elsewhere. `legacy`: as older exporters encrypt (SHA-1, 3DES). */
export function makePfx(holder: Holder, password: string, encryption: Encryption): MadePfx {
  const { certificate, privateKey } = makeCertificate(holder);
  const certificateDer = Buffer.from(certificate, 'base64');
  const keyDer = createPrivateKey(privateKey).export({ format: 'der', type: 'pkcs8' });
  const wrap = encryption === 'modern' ? wrapModern : wrapLegacy;
  const certificateBag = bag(
    names.certificateBag,
    der(tags.list, names.x509, explicit(der(tags.octets, certificateDer))),
  );
  const wrappedKey = wrap(keyDer, password);
  const keyBag = bag(
    names.shroudedKeyBag,
    der(tags.list, wrappedKey.algorithm, der(tags.octets, wrappedKey.data)),
  );
  const content = der(
    tags.list,
    encryptedContent(wrap(der(tags.list, certificateBag), password)),
    dataContent(der(tags.list, keyBag)),
  );
  const file = der(tags.list, whole(3), dataContent(content), seal(content, password, encryption));
  const thumbprint = createHash('sha1').update(certificateDer).digest('hex').toUpperCase();
  return { file, thumbprint };
}

interface Wrapped {
  readonly algorithm: Buffer;
  readonly data: Buffer;
}

const names = {
  data: named('2a864886f70d010701'),
  encrypted: named('2a864886f70d010706'),
  shroudedKeyBag: named('2a864886f70d010c0a0102'),
  certificateBag: named('2a864886f70d010c0a0103'),
  x509: named('2a864886f70d01091601'),
  pbes2: named('2a864886f70d01050d'),
  pbkdf2: named('2a864886f70d01050c'),
  hmacSha256: named('2a864886f70d0209'),
  aes256: named('60864801650304012a'),
  tripleDes: named('2a864886f70d010c0103'),
  sha1: named('2b0e03021a'),
  sha256: named('608648016503040201'),
};

/** PBES2 (RFC 8018): PBKDF2 with SHA-256, AES-256 in CBC. */
function wrapModern(plain: Buffer, password: string): Wrapped {
  const [salt, iv] = [randomBytes(saltLength), randomBytes(16)];
  const key = pbkdf2Sync(password, salt, iterations, 32, 'sha256');
  const derivation = der(
    tags.list,
    names.pbkdf2,
    der(
      tags.list,
      der(tags.octets, salt),
      whole(iterations),
      der(tags.list, names.hmacSha256, der(tags.null)),
    ),
  );
  const scheme = der(tags.list, names.aes256, der(tags.octets, iv));
  return {
    algorithm: der(tags.list, names.pbes2, der(tags.list, derivation, scheme)),
    data: encipher('aes-256-cbc', { key, iv }, plain),
  };
}

/** RFC 7292 appendix C: SHA-1 and 3DES. */
function wrapLegacy(plain: Buffer, password: string): Wrapped {
  const salt = randomBytes(saltLength);
  const derivation = { hash: 'sha1', salt, iterations } as const;
  const key = derive(password, derivation, { purpose: purposes.key, length: 24 });
  const iv = derive(password, derivation, { purpose: purposes.iv, length: 8 });
  const parameters = der(tags.list, der(tags.octets, salt), whole(iterations));
  return {
    algorithm: der(tags.list, names.tripleDes, parameters),
    data: encipher('des-ede3-cbc', { key, iv }, plain),
  };
}

function encipher(
  cipher: string,
  { key, iv }: { readonly key: Buffer; readonly iv: Buffer },
  plain: Buffer,
): Buffer {
  const wrap = createCipheriv(cipher, key, iv);
  return Buffer.concat([wrap.update(plain), wrap.final()]);
}

function seal(content: Buffer, password: string, encryption: Encryption): Buffer {
  const [hash, name, length] =
    encryption === 'modern' ? (['sha256', names.sha256, 32] as const) : (['sha1', names.sha1, 20] as const);
  const salt = randomBytes(saltLength);
  const key = derive(password, { hash, salt, iterations }, { purpose: purposes.mac, length });
  const digest = createHmac(hash, key).update(content).digest();
  const info = der(tags.list, der(tags.list, name, der(tags.null)), der(tags.octets, digest));
  return der(tags.list, info, der(tags.octets, salt), whole(iterations));
}

function bag(type: Buffer, value: Buffer): Buffer {
  return der(tags.list, type, explicit(value));
}

function dataContent(content: Buffer): Buffer {
  return der(tags.list, names.data, explicit(der(tags.octets, content)));
}

function encryptedContent({ algorithm, data }: Wrapped): Buffer {
  const info = der(tags.list, names.data, algorithm, der(tags.octetsAt0, data));
  return der(tags.list, names.encrypted, explicit(der(tags.list, whole(0), info)));
}

function explicit(value: Buffer): Buffer {
  return der(tags.explicit, value);
}

/** A whole number below 32768. */
function whole(value: number): Buffer {
  return der(tags.integer, value < 0x80 ? Buffer.from([value]) : Buffer.from([value >> 8, value & 0xff]));
}

function named(hex: string): Buffer {
  return der(tags.oid, Buffer.from(hex, 'hex'));
}

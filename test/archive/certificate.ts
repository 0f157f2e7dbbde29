import { createSign, generateKeyPairSync, type KeyObject } from 'node:crypto';

/** A key with a certificate of its own, written by hand in DER: nothing but node:crypto is needed. */
export interface TestSigner {
  readonly privateKey: KeyObject;
  /** DER in base64, as it stands in `X509Certificate`. */
  readonly certificate: string;
  readonly pem: string;
}

export function testSigner(name = 'EMPRESA DE TESTE:11222333000181'): TestSigner {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const algorithm = der(0x30, oid([1, 2, 840, 113549, 1, 1, 11]), Buffer.from([5, 0]));
  const subject = der(0x30, der(0x31, der(0x30, oid([2, 5, 4, 3]), der(0x0c, Buffer.from(name)))));
  const term = der(0x30, der(0x17, Buffer.from('250101000000Z')), der(0x17, Buffer.from('260101000000Z')));
  const body = der(
    0x30,
    der(0xa0, der(2, Buffer.from([2]))),
    der(2, Buffer.from([1])),
    algorithm,
    subject,
    term,
    subject,
    publicKey.export({ type: 'spki', format: 'der' }),
  );
  const signature = createSign('sha256').update(body).sign(privateKey);
  const certificate = der(0x30, body, algorithm, der(3, Buffer.from([0]), signature)).toString('base64');
  const lines = certificate.match(/.{1,64}/g) ?? [];
  const pem = ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----'].join('\n');
  return { privateKey, certificate, pem };
}

/** A signer with another key: the tests of a worker share a few (`test/support/rsa-keys.ts`). */
export function anotherSigner(than: TestSigner, name: string): TestSigner {
  const signer = testSigner(name);
  return signer.privateKey.equals(than.privateKey) ? anotherSigner(than, name) : signer;
}

function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([tag, ...lengthOf(content.length)]), content]);
}

function lengthOf(length: number): readonly number[] {
  if (length < 128) return [length];
  return length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
}

function oid([first = 0, second = 0, ...rest]: readonly number[]): Buffer {
  return der(6, Buffer.from([first * 40 + second, ...rest.flatMap((part) => base128(part))]));
}

function base128(part: number): readonly number[] {
  const low = part & 0x7f;
  return part < 128 ? [low] : [...base128(part >> 7).map((byte) => byte | 0x80), low];
}

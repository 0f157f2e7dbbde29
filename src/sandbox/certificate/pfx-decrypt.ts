import { createDecipheriv, pbkdf2Sync } from 'node:crypto';
import { child, children, type Element, octets, oidOf, tags, wholeOf } from './der.js';
import { derive, type Derivation, purposes } from './pfx-keys.js';
import { decryptRc2 } from './rc2.js';

/** Keeps a file from keeping the service busy. */
const mostIterations = 1_000_000;

/** The old ways (RFC 7292 appendix C): cipher and bytes of its key. */
const oldWays: Readonly<Record<string, { readonly cipher: string; readonly length: number }>> = {
  '1.2.840.113549.1.12.1.3': { cipher: 'des-ede3-cbc', length: 24 },
  '1.2.840.113549.1.12.1.5': { cipher: 'rc2', length: 16 },
  '1.2.840.113549.1.12.1.6': { cipher: 'rc2', length: 5 },
};

/** The ways of today (RFC 8018). */
const ciphers: Readonly<Record<string, { readonly cipher: string; readonly length: number }>> = {
  '2.16.840.1.101.3.4.1.2': { cipher: 'aes-128-cbc', length: 16 },
  '2.16.840.1.101.3.4.1.22': { cipher: 'aes-192-cbc', length: 24 },
  '2.16.840.1.101.3.4.1.42': { cipher: 'aes-256-cbc', length: 32 },
  '1.2.840.113549.3.7': { cipher: 'des-ede3-cbc', length: 24 },
};

const pseudoRandom: Readonly<Record<string, Derivation['hash']>> = {
  '1.2.840.113549.2.7': 'sha1',
  '1.2.840.113549.2.9': 'sha256',
  '1.2.840.113549.2.10': 'sha384',
  '1.2.840.113549.2.11': 'sha512',
};
const pbes2 = '1.2.840.113549.1.5.13';

/** Undoes what an AlgorithmIdentifier names. Throws for an unknown one and for a wrong password. */
export function decrypt(algorithm: Element, data: Buffer, password: string): Buffer {
  const name = oidOf(child(algorithm, 0));
  const parameters = child(algorithm, 1);
  if (name === pbes2) return decryptPbes2(parameters, data, password);
  const way = oldWays[name];
  if (way === undefined) throw new RangeError(`unknown encryption ${name}`);
  const derivation = {
    hash: 'sha1',
    salt: octets(child(parameters, 0)),
    iterations: iterationsOf(child(parameters, 1)),
  } as const;
  const key = derive(password, derivation, { purpose: purposes.key, length: way.length });
  const iv = derive(password, derivation, { purpose: purposes.iv, length: 8 });
  return way.cipher === 'rc2' ? unpad(decryptRc2(key, iv, data)) : decipher(way.cipher, { key, iv }, data);
}

export function iterationsOf(element: Element): number {
  const iterations = wholeOf(element);
  if (iterations < 1 || iterations > mostIterations) throw new RangeError('too many iterations');
  return iterations;
}

function decryptPbes2(parameters: Element, data: Buffer, password: string): Buffer {
  const derivation = child(child(parameters, 0), 1);
  const scheme = child(parameters, 1);
  const way = ciphers[oidOf(child(scheme, 0))];
  const [salt, rounds, ...others] = children(derivation);
  if (way === undefined || salt === undefined || rounds === undefined)
    throw new RangeError('unknown encryption');
  const prf = others.find(({ tag }) => tag === tags.list);
  const hash = prf === undefined ? 'sha1' : pseudoRandom[oidOf(child(prf, 0))];
  if (hash === undefined) throw new RangeError('unknown derivation');
  const key = pbkdf2Sync(password, octets(salt), iterationsOf(rounds), way.length, hash);
  return decipher(way.cipher, { key, iv: octets(child(scheme, 1)) }, data);
}

function decipher(
  cipher: string,
  { key, iv }: { readonly key: Buffer; readonly iv: Buffer },
  data: Buffer,
): Buffer {
  const undo = createDecipheriv(cipher, key, iv);
  return Buffer.concat([undo.update(data), undo.final()]);
}

/** RFC 8018 §6.1.1: as many bytes as each of them says. */
function unpad(data: Buffer): Buffer {
  const count = data.at(-1) ?? 0;
  const isPadding = count >= 1 && count <= 8 && data.subarray(-count).every((byte) => byte === count);
  if (!isPadding) throw new RangeError('wrong padding');
  return data.subarray(0, -count);
}

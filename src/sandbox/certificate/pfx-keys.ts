import { createHash } from 'node:crypto';

/** What a derived key is for (RFC 7292 appendix B.3). */
export const purposes = { key: 1, iv: 2, mac: 3 } as const;

export interface Derivation {
  readonly hash: 'sha1' | 'sha256' | 'sha384' | 'sha512';
  readonly salt: Buffer;
  readonly iterations: number;
}

/** RFC 7292 appendix B.2: so many bytes for one purpose from a password. */
export function derive(
  password: string,
  { hash, salt, iterations }: Derivation,
  wanted: { readonly purpose: number; readonly length: number },
): Buffer {
  const block = hash === 'sha1' || hash === 'sha256' ? 64 : 128;
  const diversifier = Buffer.alloc(block, wanted.purpose);
  let input: Buffer = Buffer.concat([stretch(salt, block), stretch(bmpText(password), block)]);
  const parts: Buffer[] = [];
  for (let made = 0; made < wanted.length; ) {
    let digest = createHash(hash).update(diversifier).update(input).digest();
    for (let round = 1; round < iterations; round += 1) digest = createHash(hash).update(digest).digest();
    parts.push(digest);
    made += digest.length;
    input = addToBlocks(input, repeat(digest, block));
  }
  return Buffer.concat(parts).subarray(0, wanted.length);
}

/** Every block as a number, plus the other, plus one. */
function addToBlocks(input: Buffer, other: Buffer): Buffer {
  const sum = Buffer.from(input);
  for (let start = 0; start < sum.length; start += other.length) {
    let carry = 1;
    for (let index = other.length - 1; index >= 0; index -= 1) {
      carry += sum.readUInt8(start + index) + other.readUInt8(index);
      sum.writeUInt8(carry & 0xff, start + index);
      carry >>= 8;
    }
  }
  return sum;
}

/** Repeated up to whole blocks; nothing stays nothing. */
function stretch(bytes: Buffer, block: number): Buffer {
  return repeat(bytes, Math.ceil(bytes.length / block) * block);
}

function repeat(bytes: Buffer, length: number): Buffer {
  return Buffer.alloc(length, bytes.length === 0 ? 0 : bytes);
}

/** UTF-16 with the high byte first and two zeros at the end. */
function bmpText(text: string): Buffer {
  return Buffer.from(`${text}\0`, 'utf16le').swap16();
}

/** RC2 (RFC 2268), which still wraps the certificates of many A1 files and which OpenSSL 3 no longer brings. */

const pi = Buffer.from(
  'd978f9c419ddb5ed28e9fd794aa0d89dc67e37832b76538e624c6488448bfba2179a59f587b34f1361456d8d09817d32' +
    'bd8f40eb86b77b0bf09521225c6b4e8254d66593ce60b21c7356c014a78cf1dc1275ca1f3bbee4d1423dd430a33cb626' +
    '6fbf0eda4669075727f21d9bbc944303f811c7f690ef3ee706c3d52fc8661ed708e8eade8052eef784aa72ac354d6a2a' +
    '961ad2715a1549744b9fd05e0418a4ecc2e0416e0f51cbcc2491af50a1f47039997c3a8523b8b47afc02365b25559731' +
    '2d5dfa98e38a92ae05df2910676cbac9d300e6cfe19ea82c6316013f58e289a90d38341bab33ffb0bb480c5fb9b1cd2e' +
    'c5f3db47e5a59c770aa62068fe7fc1ad',
  'hex',
);
const blockSize = 8;

/** Undoes RC2 in CBC; the padding is left on. The key has as many effective bits as it has bytes times eight. */
export function decryptRc2(key: Buffer, iv: Buffer, data: Buffer): Buffer {
  if (data.length % blockSize !== 0) throw new RangeError('not whole blocks');
  const words = expand(key);
  let before = iv;
  const blocks: Buffer[] = [];
  for (let at = 0; at < data.length; at += blockSize) {
    const block = data.subarray(at, at + blockSize);
    const plain = decryptBlock(words, block);
    for (let index = 0; index < blockSize; index += 1) {
      plain.writeUInt8(plain.readUInt8(index) ^ before.readUInt8(index), index);
    }
    blocks.push(plain);
    before = block;
  }
  return Buffer.concat(blocks);
}

/** RFC 2268 §2: 128 bytes from the key, read as 64 words. */
function expand(key: Buffer): readonly number[] {
  const bytes = Buffer.alloc(128);
  key.copy(bytes);
  const size = key.length;
  for (let at = size; at < 128; at += 1) {
    bytes.writeUInt8(pi.readUInt8((bytes.readUInt8(at - 1) + bytes.readUInt8(at - size)) & 0xff), at);
  }
  bytes.writeUInt8(pi.readUInt8(bytes.readUInt8(128 - size)), 128 - size);
  for (let at = 127 - size; at >= 0; at -= 1) {
    bytes.writeUInt8(pi.readUInt8(bytes.readUInt8(at + 1) ^ bytes.readUInt8(at + size)), at);
  }
  return Array.from({ length: 64 }, (_, index) => bytes.readUInt16LE(index * 2));
}

const shifts = [1, 2, 3, 5];

/** RFC 2268 §4: five, six and five rounds of mixing, parted by two of mashing, backwards. */
function decryptBlock(words: readonly number[], block: Buffer): Buffer {
  const state = [0, 2, 4, 6].map((at) => block.readUInt16LE(at));
  let next = 63;
  const unmix = (rounds: number): void => {
    for (let round = 0; round < rounds; round += 1) {
      for (const place of [3, 2, 1, 0]) {
        const shift = shifts[place] ?? 0;
        const value = wordAt(state, place);
        const turned = ((value >>> shift) | (value << (16 - shift))) & 0xffff;
        state[place] = (turned - wordAt(words, next) - mixed(state, place)) & 0xffff;
        next -= 1;
      }
    }
  };
  const unmash = (): void => {
    for (const place of [3, 2, 1, 0]) {
      state[place] = (wordAt(state, place) - wordAt(words, wordAt(state, (place + 3) % 4) & 63)) & 0xffff;
    }
  };
  unmix(5);
  unmash();
  unmix(6);
  unmash();
  unmix(5);
  const plain = Buffer.alloc(blockSize);
  for (const [index, word] of state.entries()) plain.writeUInt16LE(word, index * 2);
  return plain;
}

/** What a round of mixing adds to a word from the three before it. */
function mixed(state: readonly number[], place: number): number {
  const [one, two, three] = [1, 2, 3].map((back) => wordAt(state, (place + 4 - back) % 4));
  return ((one ?? 0) & (two ?? 0)) + (~(one ?? 0) & 0xffff & (three ?? 0));
}

function wordAt(words: readonly number[], index: number): number {
  return words[index] ?? 0;
}

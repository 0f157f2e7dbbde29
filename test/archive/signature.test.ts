import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { TextDigests } from '../../src/archive/signature.js';

test.each([0, 3, 40_000])('the digest of %i pieces equals that of the whole, at any time', (count) => {
  const digests = new TextDigests();
  let whole = '';
  for (let index = 0; index < count; index += 1) {
    digests.add(index % 3 === 0 ? Buffer.from(`ção ${index}`) : `ção ${index}`);
    whole += `ção ${index}`;
  }
  for (const name of ['sha1', 'sha256'] as const) {
    expect(digests.of(name)).toBe(createHash(name).update(whole).digest('base64'));
  }
  digests.add('!');
  expect(digests.of('sha1')).toBe(createHash('sha1').update(`${whole}!`).digest('base64'));
});

test('a character split over two pieces is joined', () => {
  const digests = new TextDigests();
  for (const half of '\u{1f600}'.split('')) digests.add(half);
  expect(digests.of('sha1')).toBe(createHash('sha1').update('\u{1f600}').digest('base64'));
});

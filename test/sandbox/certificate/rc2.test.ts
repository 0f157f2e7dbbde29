import { describe, expect, it } from 'vitest';
import { decryptRc2 } from '../../../src/sandbox/certificate/rc2.js';

const zeros = Buffer.alloc(8);
const undo = (key: string, data: string, iv = zeros): string =>
  decryptRc2(Buffer.from(key, 'hex'), iv, Buffer.from(data, 'hex')).toString('hex');

describe('RC2', () => {
  it.each([
    ['ffffffffffffffff', '278b27e42e2f0d49', 'ffffffffffffffff'],
    ['3000000000000000', '30649edf9be7d2c2', '1000000000000001'],
    ['88bca90e90875a7f0f79c384627bafb2', '2269552ab0f85ca6', '0000000000000000'],
  ])('with the key %s gives the plain text of RFC 2268', (key, data, plain) => {
    expect(undo(key, data)).toBe(plain);
  });

  it('chains its blocks', () => {
    const iv = Buffer.from('0f0f0f0f0f0f0f0f', 'hex');
    expect(undo('ffffffffffffffff', '278b27e42e2f0d49278b27e42e2f0d49', iv)).toBe(
      'f0f0f0f0f0f0f0f0d874d81bd1d0f2b6',
    );
  });

  it('refuses what is no whole block', () => {
    expect(() => undo('ffffffffffffffff', '27')).toThrow('whole blocks');
  });
});

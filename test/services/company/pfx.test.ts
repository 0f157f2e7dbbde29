import fc from 'fast-check';
import { expect, test } from 'vitest';
import { holderCnpj } from '../../../src/domain/holder-number.js';
import { openPfx } from '../../../src/services/company/pfx.js';

test('any bytes are refused with a reason', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      expect(openPfx(bytes, 'x')).toEqual({ fault: expect.any(String) });
      expect(openPfx(Uint8Array.from([0x30, 0x82, ...bytes]), 'x')).toEqual({ fault: expect.any(String) });
    }),
  );
});

const oid = [0x06, 0x05, 0x60, 0x4c, 0x01, 0x03, 0x03];
const name = (tag: number, cnpj: string) =>
  Uint8Array.from([0x30, 0x40, ...oid, 0xa0, cnpj.length + 2, tag, cnpj.length, ...Buffer.from(cnpj), 1, 2]);

test.each([
  ['an octet string', name(0x04, '12ABC34501DE35'), '', '12ABC34501DE35'],
  ['UTF-8 text', name(0x0c, '11222333000181'), '', '11222333000181'],
  [
    'its own name before the common one',
    name(0x13, '11222333000181'),
    'CN=X:33000167000101',
    '11222333000181',
  ],
  [
    'the common name',
    Uint8Array.from([1]),
    'C=BR\nO=ICP-Brasil\nCN=PADARIA SOL:11222333000181',
    '11222333000181',
  ],
  ['a name cut short', name(0x0c, '11222333000181').subarray(0, 12), '', undefined],
  ['a person', Uint8Array.from([1]), 'CN=MARIA DA SILVA:52998224725', undefined],
] as const)('the CNPJ of the holder is read from %s', (...[, der, subject, expected]) => {
  expect(holderCnpj(der, subject)).toBe(expected);
});

import { readFile } from 'node:fs/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { holderNumber } from '../../../src/domain/holder-number.js';
import { checkPfx, openPfx } from '../../../src/services/company/pfx.js';
import { slowFiles } from './slow-pfx.js';

const context = {
  env: {},
  interruption: new AbortController().signal,
  program: { execPath: process.execPath, path: '', pid: 0 },
};

test('any bytes are refused with a reason', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (bytes) => {
      expect(await openPfx(bytes, 'x', context)).toEqual({ fault: expect.any(String) });
      expect(await openPfx(Uint8Array.from([0x30, 0x82, ...bytes]), 'x', context)).toEqual({
        fault: expect.any(String),
      });
    }),
    // Each second one starts a process.
    { numRuns: 10 },
  );
});

const fileOf = (file: string) => readFile(new URL(`../../sandbox/certificate/files/${file}`, import.meta.url));

test.each([
  ['AES', 'openssl-3.pfx'],
  ['RC2, which OpenSSL 3 does not support', 'openssl-1.pfx'],
])('a file encrypted with %s is opened by its password alone', async (_name, file) => {
  const [read, wrong] = await Promise.all(
    ['senha çã€', 'senha'].map(async (each) => openPfx(await fileOf(file), each, context)),
  );
  expect(read && 'certificate' in read && read.certificate.fingerprint.replaceAll(':', '')).toBe(
    'FEEE9775006C77989CF2B5C8294ECE6DA44DB0CB',
  );
  expect(wrong).toEqual({ fault: 'wrong-password' });
});

test.each([
  ['encrypted', 'no-mac.pfx'],
  ['not encrypted', 'no-mac-plain.pfx'],
  ['encrypted with RC2', 'no-mac-rc2.pfx'],
])('a file without a MAC is said to be one, with the commands that convert it: %s', async (_name, name) => {
  const file = await readFile(new URL(`files/${name}`, import.meta.url));
  const use = {
    path: `/home/a/${name}`,
    file,
    password: '1234',
    now: Date.now(),
    context,
    companyTaxNumber: undefined,
  };
  const pem = name.replace('.pfx', '.pem');
  await expect(checkPfx(use)).rejects.toMatchObject({
    ...{ code: 'certificate.unusable', exitCode: 2 },
    message: expect.stringMatching(
      `without a MAC, .*; convert it: openssl pkcs12 -legacy -in ${name} -out ${pem} && openssl pkcs12 -export -in ${pem} -out new-${name}`,
    ),
  });
});

test.each(['openssl-iterations.pfx', 'mac-iterations.pfx'])(
  'a file that requires too many iterations is refused before they run: %s',
  async (file) => {
    expect(await openPfx(await fileOf(file), 'senha', context)).toEqual({ fault: 'too-many-iterations' });
  },
);

test.each(
  slowFiles('senha').map(
    ([hidden, file], at) => [hidden, at === 0 ? 'too-many-iterations' : 'too-slow', file] as const,
  ),
)('a file that derives a key without end is given up: %s', async (_hidden, fault, file) => {
  expect(await openPfx(file, 'senha', context, 300)).toEqual({ fault });
});

test('a signal ends the opening of a file at once', async () => {
  const stop = new AbortController();
  const [, slow] = slowFiles('senha');
  const reading = openPfx(slow?.[1] ?? Buffer.of(), 'senha', { ...context, interruption: stop.signal });
  setTimeout(() => stop.abort(new Error('interrupted')), 300);
  await expect(reading).rejects.toThrow('interrupted');
});

test.each([
  ['the CPF of the company', '52998224725', '52998224725'],
  [
    'another CPF',
    '11144477735',
    /belongs to CPF \*{3}\.\*{3}\.\*{3}-25, and the company is CPF \*{3}\.\*{3}\.\*{3}-35/,
  ],
  [
    'a CNPJ that begins alike',
    '52998224000186',
    /belongs to CPF \*{3}\.\*{3}\.\*{3}-25, and the company is 52\.998\.224\/0001-86/,
  ],
])('an e-CPF, encrypted with RC2 of 128 bits, for %s', async (_name, companyTaxNumber, expected) => {
  const file = await readFile(new URL('files/rc2-128-cpf.pfx', import.meta.url));
  const use = { path: 'maria.pfx', file, password: '1234', companyTaxNumber, now: Date.UTC(2027, 0, 1), context };
  const seen = await checkPfx(use).then(
    ({ taxNumber }) => taxNumber,
    (error: unknown) => String(error),
  );
  expect(seen).toEqual(typeof expected === 'string' ? expected : expect.stringMatching(expected));
});

test('a file encrypted with what nothing here opens is refused with the commands that convert it', async () => {
  const file = await readFile(new URL('files/rc4.pfx', import.meta.url));
  const use = { path: '/clients/padaria sol.pfx', file, companyTaxNumber: undefined, now: 0, context };
  const refused = (password: string) => checkPfx({ ...use, password }).catch((error: unknown) => String(error));
  expect([await refused('1234'), await refused('4321')]).toEqual([
    "FiscalError: /clients/padaria sol.pfx cannot be used as a certificate: the password is correct, but the encryption is too old to be opened here; convert it: openssl pkcs12 -legacy -in 'padaria sol.pfx' -out 'padaria sol.pem' && openssl pkcs12 -export -in 'padaria sol.pem' -out 'new-padaria sol.pfx'",
    'FiscalError: /clients/padaria sol.pfx cannot be used as a certificate: the password does not open it',
  ]);
});

const oid = [0x06, 0x05, 0x60, 0x4c, 0x01, 0x03, 0x03];
const name = (tag: number, cnpj: string) =>
  Uint8Array.from([0x30, 0x40, ...oid, 0xa0, cnpj.length + 2, tag, cnpj.length, ...Buffer.from(cnpj), 1, 2]);

const person = (data: string) =>
  Uint8Array.from([
    0x30,
    0x40,
    ...oid.slice(0, -1),
    0x01,
    0xa0,
    data.length + 2,
    0x04,
    data.length,
    ...Buffer.from(data),
  ]);

test.each([
  ['an octet string', name(0x04, '12ABC34501DE35'), '', '12ABC34501DE35'],
  ['UTF-8 text', name(0x0c, '11222333000181'), '', '11222333000181'],
  ['its own name before the common one', name(0x13, '11222333000181'), 'CN=X:33000167000101', '11222333000181'],
  ['the common name', Uint8Array.from([1]), 'C=BR\nO=ICP-Brasil\nCN=PADARIA SOL:11222333000181', '11222333000181'],
  ['a name cut short', name(0x0c, '11222333000181').subarray(0, 12), '', undefined],
  ['the common name of a person', Uint8Array.from([1]), 'CN=MARIA DA SILVA:52998224725', '52998224725'],
  ['the data of a person', person('0101198052998224725000'), 'CN=MARIA DA SILVA', '52998224725'],
  [
    'the CNPJ beside the person who answers for it',
    person('0101198052998224725000'),
    'CN=SOL:11222333000181',
    '11222333000181',
  ],
  ['no number at all', person('0101198000000000000000'), 'CN=MARIA DA SILVA', undefined],
] as const)('the CNPJ or CPF of the holder is read from %s', (...[, der, subject, expected]) => {
  expect(holderNumber(der, subject)).toBe(expected);
});

import { readFile } from 'node:fs/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cnpjOfHolder, receiveCertificate } from '../../../src/sandbox/company/certificates.js';
import { makePfx, mostIterations, readPfx } from '../../../src/sandbox/company/pfx.js';
import { encryptions } from '../../../src/sandbox/control/company.js';
import type { KnownCompany } from '../../../src/sandbox/core/records.js';
import { reachable } from '../../architecture/graph.js';
import { readSourceFiles } from '../../architecture/source-files.js';

const holder = {
  commonName: 'PADARIA DO LARGO LTDA:12345678000195',
  from: Date.UTC(2026, 0, 1),
  until: Date.UTC(2027, 0, 1),
};

describe.each(encryptions)('a PFX with %s', (encryption) => {
  const { file, thumbprint } = makePfx(holder, 'senha çã€', encryption);

  it('opens with its password and names its holder', () => {
    const reading = readPfx(file, 'senha çã€');
    if (!('certificate' in reading)) throw new Error(reading.fault);
    const { certificate } = reading;
    expect([
      certificate.fingerprint.replaceAll(':', ''),
      cnpjOfHolder(certificate),
      certificate.subject,
      new Date(certificate.validTo).toISOString(),
    ]).toEqual([thumbprint, '12345678000195', `CN=${holder.commonName}`, '2027-01-01T00:00:00.000Z']);
  });

  it('does not open with another password', () => {
    expect(['', 'senha', 'senha çã€ '].map((password) => readPfx(file, password))).toEqual([
      { fault: 'wrong-password' },
      { fault: 'wrong-password' },
      { fault: 'wrong-password' },
    ]);
  });

  it('that is truncated or changed anywhere is refused, and never throws', () => {
    fc.assert(
      fc.property(fc.nat(file.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
        const changed = Buffer.from(file);
        changed.writeUInt8(changed.readUInt8(at) ^ change, at);
        for (const each of [changed, file.subarray(0, at)]) {
          const reading = readPfx(each, 'wrong');
          expect('fault' in reading).toBe(true);
        }
      }),
      { numRuns: 60 },
    );
  });
});

describe('a PFX written by another program', () => {
  it.each([
    ['openssl-3.pfx', 'AES-256, PBKDF2 and SHA-256'],
    ['openssl-1.pfx', 'RC2 of 40 bits, 3DES and SHA-1'],
  ])('%s opens: %s', async (name) => {
    const file = await readFile(new URL(`files/${name}`, import.meta.url));
    const reading = readPfx(file, 'senha çã€');
    if (!('certificate' in reading)) throw new Error(reading.fault);
    expect([reading.certificate.fingerprint.replaceAll(':', ''), cnpjOfHolder(reading.certificate)]).toEqual([
      'FEEE9775006C77989CF2B5C8294ECE6DA44DB0CB',
      '12345678000195',
    ]);
    expect(readPfx(file, 'senha')).toEqual({ fault: 'wrong-password' });
  });
});

describe('a PFX that asks for too many iterations', () => {
  it.each([
    ['openssl-iterations.pfx', '50,000,000 for each encryption (openssl pkcs12 -export -iter 50000000)'],
    ['mac-iterations.pfx', '50,000,000 for the MAC'],
    ['nested-iterations.pfx', '96 too many in all, most of them for a key inside an encrypted content'],
  ])('%s is refused before they run: %s', async (name) => {
    const file = await readFile(new URL(`files/${name}`, import.meta.url));
    expect(readPfx(file, 'senha')).toEqual({ fault: 'too-many-iterations' });
  });

  it('is refused with the limit in the error', () => {
    const upload = { file: Buffer.of(1), password: 'x', reading: { fault: 'too-many-iterations' } } as const;
    const company = { federalTaxNumber: '12345678000195' } as KnownCompany;
    const limit = mostIterations.toLocaleString('en');
    expect(() => receiveCertificate(upload, company, 0)).toThrow(
      expect.objectContaining({
        details: [{ field: 'file', message: `Needs more than ${limit} iterations of key derivation.` }],
      }),
    );
  });
});

describe('a file that is not a PFX', () => {
  it.each([
    ['a PDF', Buffer.from('%PDF-1.4\n%âãÏÓ')],
    ['nothing', Buffer.alloc(0)],
    ['a PEM', Buffer.from('-----BEGIN CERTIFICATE-----\n')],
    ['a list of lists', Buffer.from('3080'.repeat(500), 'hex')],
  ])('%s is refused as such', (_what, file) => {
    expect(readPfx(file, 'x')).toEqual({ fault: 'not-pfx' });
  });
});

it('a PFX is read by a library that the sandbox does not load on start', async () => {
  const edges = (await readSourceFiles()).flatMap(({ imports }) => imports);
  const loaded = reachable(['sandbox/start.ts'], edges, ['static']);
  expect([loaded.has('sandbox/company/certificates.ts'), loaded.has('sandbox/company/pfx.ts')]).toEqual([true, false]);
  const users = edges.filter(({ to }) => to === 'node-forge').map(({ from }) => from);
  expect(users.filter((from) => from.startsWith('sandbox/'))).toEqual(['sandbox/company/pfx.ts']);
});

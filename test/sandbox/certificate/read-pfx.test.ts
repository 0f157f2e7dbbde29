import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cnpjOfHolder, commonNameOf } from '../../../src/sandbox/certificate/holder.js';
import { encryptions, makePfx } from '../../../src/sandbox/certificate/make-pfx.js';
import { readPfx } from '../../../src/sandbox/certificate/read-pfx.js';

const holder = {
  commonName: 'PADARIA DO LARGO LTDA:12345678000195',
  from: Date.UTC(2026, 0, 1),
  until: Date.UTC(2027, 0, 1),
};

describe.each(encryptions)('a PFX of the %s kind', (encryption) => {
  const { file, thumbprint } = makePfx(holder, 'senha çã€', encryption);

  it('opens with its password and tells its holder', () => {
    const reading = readPfx(file, 'senha çã€');
    if (!('certificate' in reading)) throw new Error(reading.fault);
    const { certificate } = reading;
    expect([
      certificate.fingerprint.replaceAll(':', ''),
      cnpjOfHolder(certificate),
      commonNameOf(certificate),
      new Date(certificate.validTo).toISOString(),
    ]).toEqual([thumbprint, '12345678000195', holder.commonName, '2027-01-01T00:00:00.000Z']);
  });

  it('does not open with another', () => {
    expect(['', 'senha', 'senha çã€ '].map((password) => readPfx(file, password))).toEqual([
      { fault: 'wrong-password' },
      { fault: 'wrong-password' },
      { fault: 'wrong-password' },
    ]);
  });

  it('that is cut or changed anywhere is refused, and never throws', () => {
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

describe('a file that is no PFX', () => {
  it.each([
    ['a PDF', Buffer.from('%PDF-1.4\n%âãÏÓ')],
    ['nothing', Buffer.alloc(0)],
    ['a PEM', Buffer.from('-----BEGIN CERTIFICATE-----\n')],
    ['a list of lists', Buffer.from('3080'.repeat(500), 'hex')],
  ])('%s is told so', (_what, file) => {
    expect(readPfx(file, 'x')).toEqual({ fault: 'not-pfx' });
  });
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bestOf, endsSooner } from '../../../src/services/company/certificate.js';

const now = Date.UTC(2026, 0, 15, 12);
const taxNumber = '29638438000181';
const none = { validUntil: null, daysLeft: null, subject: null, thumbprint: null };
const one = (validUntil: string | undefined, status?: string) => ({ thumbprint: 'AB', validUntil, status });

test.each([
  ['none at all', [], { ...none, state: 'missing' }],
  ['none in use', [one('2030-01-01T00:00:00Z', 'Pending'), one(undefined, 'inactive')], { ...none, state: 'missing' }],
  [
    'an old one beside its successor',
    [one('2026-01-01T00:00:00Z', 'Overdue'), one('2026-02-15T12:00:00Z', 'Active')],
    { ...none, state: 'valid', validUntil: '2026-02-15T12:00:00.000Z', daysLeft: 31, thumbprint: 'AB' },
  ],
  [
    'one that ended a moment ago, whatever its word',
    [one('2026-01-15T12:00:00Z', 'Active')],
    { ...none, state: 'expired', validUntil: '2026-01-15T12:00:00.000Z', daysLeft: 0, thumbprint: 'AB' },
  ],
  [
    'a word that nobody knows, by its day',
    [one('2026-01-16T12:00:00Z', 'Novo')],
    { ...none, state: 'valid', validUntil: '2026-01-16T12:00:00.000Z', daysLeft: 1, thumbprint: 'AB' },
  ],
  ['one without a day, whatever its word', [one(undefined, 'Active')], { ...none, state: 'unknown', thumbprint: 'AB' }],
  [
    'one without a day beside an expired one',
    [one('2026-01-01T00:00:00Z', 'Overdue'), one('soon', 'Active')],
    { ...none, state: 'unknown', thumbprint: 'AB' },
  ],
  ['one that is no record', ['AB'], { ...none, state: 'unknown' }],
  ['one without a day that is overdue', [one('soon', 'Overdue')], { ...none, state: 'expired', thumbprint: 'AB' }],
])('%s', (_, list, expected) => {
  expect(bestOf(list, { now, taxNumber })).toEqual(expected);
});

test('a valid certificate is never hidden by others', () => {
  const any = fc.record({
    thumbprint: fc.constant('X'),
    validUntil: fc.oneof(
      fc.date({ noInvalidDate: true, min: new Date(0), max: new Date(now) }).map((day) => day.toISOString()),
      fc.string(),
    ),
    status: fc.constantFrom('Overdue', 'Pending', 'Inactive'),
  });
  fc.assert(
    fc.property(fc.array(any), fc.array(any), (before, after) => {
      const valid = one('2027-01-01T00:00:00Z', 'Active');
      expect(bestOf([...before, valid, ...after], { now, taxNumber }).state).toBe('valid');
    }),
  );
});

test.each([
  ['CN=UM LTDA:29638438000181, O=ICP-Brasil, C=BR', 'valid'],
  ['C=BR, O=ICP-Brasil, CN=UM LTDA:29638438000181', 'valid'],
  // Of the head office, or another establishment.
  ['CN=UM LTDA:29638438000262', 'valid'],
  // It does not name its holder as ICP-Brasil writes it.
  ['CN=Um', 'valid'],
  ['CN=OUTRA LTDA:07933914000154, O=ICP-Brasil', 'other'],
  ['O=ICP-Brasil, CN=FULANO DE TAL:11144477735', 'other'],
] as const)('the certificate of %s is %s for the company', (subject, state) => {
  const day = '2027-01-01T00:00:00.000Z';
  const listed = { subject, thumbprint: 'AB', status: 'Active', validUntil: day };
  expect(bestOf([listed], { now, taxNumber })).toEqual({
    ...{ state, validUntil: day, daysLeft: 350, subject, thumbprint: 'AB' },
  });
  // One of its own serves better than any of somebody else.
  expect(bestOf([listed, one('2026-02-01T00:00:00Z')], { now, taxNumber }).state).toBe('valid');
  expect(bestOf([listed], { now, taxNumber: undefined }).state).toBe('valid');
});

test.each([
  ['a longer one', [one('2027-01-01T00:00:00Z', 'Active')], true],
  ['a longer one of a word that nobody knows', [one('2027-01-01T00:00:00Z', 'Novo')], true],
  ['a longer one that is not in use', [one('2027-01-01T00:00:00Z', 'Inactive')], false],
  ['one that ends at the same moment', [one('2026-02-15T12:00:00Z', 'Active')], false],
  ['one that has ended', [one('2026-01-01T00:00:00Z', 'Active')], false],
  ['one without a day', [one(undefined, 'Active')], false],
  ['the same one', [{ ...one('2027-01-01T00:00:00Z', 'Active'), thumbprint: 'ab:'.repeat(20).slice(0, -1) }], false],
  ['none', [], false],
])('over %s an upload is spoken of', (_, list, isSooner) => {
  const made = { thumbprint: 'AB'.repeat(20), validUntil: '2026-02-15T12:00:00.000Z' };
  expect(endsSooner(made, list, { now, taxNumber }) !== undefined).toBe(isSooner);
});

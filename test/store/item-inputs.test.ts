import { describe, expect, test } from 'vitest';
import { damagedField } from '../../src/store/item-inputs.js';
import { kindNames } from '../../src/jobs/kinds/registry.js';
import { inputs, nfseEvent } from '../jobs/kinds/inputs.js';

type Input = Readonly<Record<string, unknown>>;

const sometimes = new Set([
  ...['stateTaxId', 'environment', 'reasonCode', 'justification', 'hidden', 'expected', 'plan', 'wasReleased'],
  ...['number', 'birthDate', 'companyUnchecked'],
]);
const mayMiss = (kind: string, field: string): boolean =>
  sometimes.has(field) ||
  (field === 'companyId' && /^(?:lookup-|manifestation)/.test(kind)) ||
  (field === 'reason' && kind.endsWith('-cancel'));

test('the input of every kind of job is described', () => {
  expect(Object.keys(inputs).toSorted()).toEqual(kindNames.toSorted());
  expect(kindNames.filter((kind) => damagedField(kind, {}) === undefined)).toEqual([]);
});

const cases: readonly (readonly [string, Input])[] = [
  ...Object.entries(inputs).map(([kind, input]) => [kind, { ...input }] as const),
  ['manifestation', nfseEvent],
];

describe.each(cases)('an input of %s', (kind, input) => {
  // The path of the deprecated event names no family.
  const fields = Object.keys(input).filter((field) => kind === 'manifestation' || field !== 'family');

  test('is taken as it is', () => {
    expect(damagedField(kind, input)).toBeUndefined();
  });

  test('is damaged where a field is missing', () => {
    const found = fields.map((field) => damagedField(kind, { ...input, [field]: undefined }));
    // An event of an NFS-e names its company in the path.
    const isSure = (field: string) => input['family'] === 'nfse' && field === 'companyId';
    expect(found).toEqual(fields.map((field) => (mayMiss(kind, field) && !isSure(field) ? undefined : field)));
  });

  test.each([[null], [[]], [Symbol('another type')]])('is damaged where a field is %s', (value) => {
    expect(fields.map((field) => damagedField(kind, { ...input, [field]: value }))).toEqual(fields);
  });
});

test('a number in the place of a text, and a text in the place of a number, are damage', () => {
  expect(damagedField('fetch-by-key', { companyId: 1, accessKey: 'k' })).toBe('companyId');
  expect(damagedField('fetch-by-key', { companyId: '', accessKey: 'k' })).toBe('companyId');
  expect(damagedField('manifestation', { ...inputs.manifestation, eventCode: '210210' })).toBe('eventCode');
  expect(damagedField('manifestation', { ...inputs.manifestation, family: 'constructor' })).toBe('family');
  expect(damagedField('backfill-release', { companyId: 'c', released: 'true' })).toBe('released');
  expect(damagedField('nfe-cancel', { ...inputs['nfe-cancel'], model: 'nfce' })).toBe('model');
});

test('the input of a kind of a newer program is anything', () => {
  expect(damagedField('of-a-newer-program', {})).toBeUndefined();
});

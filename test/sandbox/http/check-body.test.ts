import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { requestSchemas } from '../../../src/contract/request-schemas.js';
import type { Schema } from '../../../src/contract/schema.js';
import { misfits } from '../../../src/sandbox/http/check-body.js';

/** Names and types only: what `misfits` promises to check. */
function shapeOf({ type, properties, additionalProperties, items }: Schema): object {
  const inner = Object.entries(properties ?? {}).map(([name, each]) => [name, shapeOf(each)]);
  return {
    ...(type === undefined ? {} : { type }),
    ...(properties === undefined ? {} : { properties: Object.fromEntries(inner) }),
    ...(items === undefined ? {} : { items: shapeOf(items) }),
    ...(typeof additionalProperties === 'object'
      ? { additionalProperties: shapeOf(additionalProperties) }
      : { additionalProperties: additionalProperties ?? true }),
  };
}

function fieldOf({ instancePath, params }: ErrorObject): string {
  const parts = instancePath.split('/').slice(1);
  const extra: unknown = params['additionalProperty'];
  return [...parts, ...(typeof extra === 'string' ? [extra] : [])]
    .map((part) => (/^\d+$/.test(part) ? `[${part}]` : `.${part}`))
    .join('')
    .replace(/^\./, '');
}

/** A body with the names of the schema, some of them foreign, and values of any type. */
function bodyOf(schema: Schema): fc.Arbitrary<unknown> {
  const type = [schema.type ?? []].flat()[0];
  const wild = fc.oneof(
    fc.string(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.boolean(),
    fc.constant([]),
    fc.constant({}),
  );
  const fitting: Record<string, () => fc.Arbitrary<unknown>> = {
    object: () => {
      const known = Object.entries(schema.properties ?? {}).map(([name, each]) => [name, bodyOf(each)]);
      const foreign = { foreign: wild, [Object.keys(schema.properties ?? {})[0]?.toUpperCase() ?? 'X']: wild };
      return fc.record({ ...foreign, ...Object.fromEntries(known) }, { requiredKeys: [] });
    },
    array: () => fc.array(bodyOf(schema.items ?? {}), { maxLength: 2 }),
    string: () => fc.string(),
    number: () => fc.double({ noNaN: true, noDefaultInfinity: true }),
    integer: () => fc.integer(),
    boolean: () => fc.boolean(),
  };
  return fc.oneof({ weight: 12, arbitrary: fitting[type ?? '']?.() ?? wild }, { weight: 1, arbitrary: wild });
}

const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true });

describe('the check of names and types finds what a validator of JSON Schema finds', () => {
  test.each(Object.entries<Schema>(requestSchemas))('%s', (_operation, schema) => {
    const validate = ajv.compile(shapeOf(schema));
    fc.assert(
      fc.property(bodyOf(schema), (body) => {
        validate(body);
        const expected = (validate.errors ?? []).map(fieldOf);
        expect(misfits(schema, body, '').map(({ field }) => field)).toEqual(expect.arrayContaining(expected));
        expect(misfits(schema, body, '')).toHaveLength(expected.length);
      }),
      { numRuns: 60 },
    );
  });
});

test('each misfit is named with its path and what it must be', () => {
  const body = {
    issuer: { taxRegime: 'RealProfit', state: 'SP', city: 'São Paulo' },
    recipient: { state: 35 },
    operationType: 'Outgoing',
    items: [{ id: '1', operationCode: 1.5, quantity: '10', icms: { pICMS: 18, vIcms: '1' } }, 'x'],
  };
  expect(misfits(requestSchemas['tax.calculate'], body, '')).toEqual([
    { field: 'issuer.city', message: 'Is unknown.' },
    { field: 'recipient.state', message: 'Must be text.' },
    { field: 'items[0].operationCode', message: 'Must be a whole number.' },
    { field: 'items[0].quantity', message: 'Must be a number.' },
    { field: 'items[0].icms.pICMS', message: 'Must be text.' },
    { field: 'items[0].icms.vIcms', message: 'Is unknown.' },
    { field: 'items[1]', message: 'Must be an object.' },
  ]);
});

test('null counts as absent, and an open body has any other field', () => {
  expect(misfits(requestSchemas['tax.calculate'], { issuer: null, items: [null] }, '')).toEqual([]);
  expect(misfits(requestSchemas['product.create'], { anything: [1], sku: 'A' }, '')).toEqual([]);
});

test('every schema is a valid one, and names only fields that it has as required', () => {
  for (const schema of Object.values<Schema>(requestSchemas)) {
    expect(() =>
      new Ajv2020({
        strict: true,
        allowUnionTypes: true,
        strictTypes: false,
        formats: { date: true, 'date-time': true, uri: true },
      }).compile(schema),
    ).not.toThrow();
  }
});

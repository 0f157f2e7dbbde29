import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { matchesEvent, readWebhookEvent } from '../../src/domain/webhook-event.js';

const read = (content: unknown, header = '') => readWebhookEvent(Buffer.from(JSON.stringify(content)), header);

describe('a delivery', () => {
  test('takes its name from the signed body, or from the header if the body has none', () => {
    expect(read({ action: 'a', payload: {} }, 'b')?.name).toBe('a');
    expect(read({ payload: {} }, 'b')?.name).toBe('b');
    expect(read([], '')).toEqual({ name: '', resource: '', payload: [] });
  });

  test('is about the resource that its most stable id names', () => {
    const resource = (payload: unknown) => read({ action: 'a', payload })?.resource;
    expect(resource({ id: 'i-1' })).toBe('i-1');
    expect(resource({ id: 'i-1', accessKey: '35' })).toBe('i-1');
    expect(resource({ accessKey: '35' })).toBe('35');
    expect(resource({ id: 7 })).toBe('7');
    expect(resource({ productInvoice: { id: 'i-2' } })).toBe('i-2');
    expect(resource({ id: '', nsu: '12' })).toBe('12');
    expect(resource({ id: { deep: 1 } })).toBe('');
    expect(read({ id: 'whole' })?.resource).toBe('whole');
  });

  test('has long texts replaced by their digest, so that a sender does not choose the size of a row', () => {
    const long = read({ action: 'a'.repeat(500), payload: { id: 'i'.repeat(500) } });
    expect(long?.name).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(long?.resource).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(long?.name).not.toBe(long?.resource);
  });

  test('of any bytes never throws', () => {
    fc.assert(fc.property(fc.uint8Array(), (bytes) => readWebhookEvent(bytes, '') !== null));
    fc.assert(fc.property(fc.json(), (text) => readWebhookEvent(Buffer.from(text), '') !== undefined));
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    expect(readWebhookEvent(Buffer.from(deep), 'x')).toEqual({ name: 'x', resource: '', payload: undefined });
    expect(readWebhookEvent(Buffer.from(`{"payload":${deep}}`), 'x')?.payload).toBeUndefined();
  });
});

describe('names with asterisks', () => {
  test.each([
    ['product.active', 'product.active', true],
    ['product.*', 'product.active', true],
    ['*.active', 'product.active', true],
    ['p*t.a*e', 'product.active', true],
    ['*', '', true],
    ['PRODUCT.*', 'product.active', true],
    ['product', 'product.active', false],
    ['a*a', 'a', false],
    ['product.*.x', 'product.active', false],
  ])('%s and %s: %s', (name, event, expected) => {
    expect(matchesEvent([name], event)).toBe(expected);
  });

  test('match if one of several matches; no names match nothing', () => {
    expect(matchesEvent(['a', 'b*'], 'bc')).toBe(true);
    expect(matchesEvent([], 'bc')).toBe(false);
  });

  test('match as a regular expression does', () => {
    const part = fc.string({ unit: fc.constantFrom('a', 'b', '*', '.'), maxLength: 8 });
    const name = fc.string({ unit: fc.constantFrom('a', 'b', '.'), maxLength: 10 });
    fc.assert(
      fc.property(part, name, (pattern, event) => {
        const expression = new RegExp(`^${pattern.replaceAll('.', '\\.').replaceAll('*', '.*')}$`);
        return matchesEvent([pattern], event) === expression.test(event);
      }),
    );
  });
});

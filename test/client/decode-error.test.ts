import { expect, test } from 'vitest';
import { decodeError } from '../../src/client/answer-error.js';

const cases: readonly (readonly [string, string, unknown])[] = [
  [
    'the shape of the document',
    '{"error":{"code":"validation_error","message":"bad","details":[{"field":"sku","message":"missing"}],"requestId":"r1"}}',
    { code: 'validation_error', message: 'bad', details: [{ field: 'sku', message: 'missing' }], requestId: 'r1' },
  ],
  [
    'a list of errors',
    '{"errors":[{"code":10,"message":"one"},{"message":"two"}]}',
    { code: '10', message: 'one', details: [{ field: '', message: 'two' }] },
  ],
  ['a bare JSON string', '"not allowed"', { message: 'not allowed', details: [] }],
  [
    'problem details',
    '{"type":"about:blank","title":"Invalid","status":400,"detail":"see errors","errors":{"Sku":["too long","bad"]},"traceId":"t9"}',
    {
      message: 'Invalid: see errors',
      details: [
        { field: 'Sku', message: 'too long' },
        { field: 'Sku', message: 'bad' },
      ],
      requestId: 't9',
    },
  ],
  ['flat code and message', '{"code":"X1","message":"no"}', { code: 'X1', message: 'no', details: [] }],
  [
    'an OAuth shape',
    '{"error":"invalid_token","error_description":"expired"}',
    { code: 'invalid_token', message: 'expired', details: [] },
  ],
  ['plain text', 'upstream is tired', { message: 'upstream is tired', details: [] }],
  [
    'HTML',
    '<html><head><title>502 Bad Gateway</title></head><body>x</body></html>',
    { message: '502 Bad Gateway', details: [] },
  ],
  ['HTML without a title', '<html><body>x</body></html>', { details: [] }],
  ['nothing', ' \r\n', { details: [] }],
  [
    'JSON of another kind',
    '[1, null, {"message":"in a list"}]',
    { message: '1', details: [{ field: '', message: 'in a list' }] },
  ],
  ['a message that is no text', '{"error":{"message":{"a":1},"code":null}}', { details: [] }],
];

test.each(cases)('%s is decoded', (_name, body, decoded) => {
  expect(decodeError(new TextEncoder().encode(body), [])).toEqual(decoded);
});

test('texts are bounded in size and number, and free of keys and CPF', () => {
  const details = Array.from({ length: 500 }, () => ({ field: 'f', message: 'x'.repeat(5_000) }));
  const body = JSON.stringify({ error: { message: 'key K-123 of 529.982.247-25', details } });
  const decoded = decodeError(new TextEncoder().encode(body), ['K-123']);
  // 2.5 MB are beyond what is read, so it is no JSON any more: text, cut.
  expect(decoded.message?.length).toBe(1_001);
  const small = JSON.stringify({ error: { message: 'key K-123 of 529.982.247-25', details: details.slice(0, 3) } });
  const read = decodeError(new TextEncoder().encode(small), ['K-123']);
  expect(read.message).toBe('key *** of ***.***.***-25');
  expect(read.details.map(({ message }) => message.length)).toEqual([1_001, 1_001, 1_001]);
});

test('a document nested without end is handled', () => {
  const deep = '{"error":'.repeat(20_000) + '1' + '}'.repeat(20_000);
  expect(decodeError(new TextEncoder().encode(deep), [])).toEqual({ details: [] });
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { redactData, redactHeaders, redactText, redactUrl, secretsIn } from '../../src/client/redact.js';

test('a CPF is masked in every form, a longer number is not', () => {
  expect(redactText('529.982.247-25 52998224725 x52998224725y 52998224726')).toBe(
    '***.***.***-25 ***.***.***-25 x***.***.***-25y 52998224726',
  );
  const accessKey = '35250530057049000141550010000280181030656857';
  expect(redactText(accessKey)).toBe(accessKey);
});

test('keys are masked wherever they appear', () => {
  expect(redactText('a?apikey=abc&x=1 sbx_invoice_1f eyJhbGciOi.eyJzdWIiOi.sig K1', ['K1'])).toBe(
    'a?apikey=***&x=1 *** *** ***',
  );
});

test('a URL loses its key and its user', () => {
  expect(redactUrl(new URL('https://u:p@h/x/52998224725?apikey=k%2F1&a=1'), ['k/1'])).toBe(
    'https://h/x/***.***.***-25?apikey=***&a=1',
  );
});

test('headers that hold secrets are masked whatever their case', () => {
  expect(redactHeaders({ Authorization: 'k', Cookie: 'c', accept: 'a' })).toEqual({
    Authorization: '***',
    Cookie: '***',
    accept: 'a',
  });
});

test('fields of secrets are masked at any depth, and the depth is bounded', () => {
  expect(redactData({ a: [{ Password: 'p', cpf: 52998224725, n: 1 }], secret: { x: 1 } })).toEqual({
    a: [{ Password: '***', cpf: '***.***.***-25', n: 1 }],
    secret: '***',
  });
  let deep: unknown = 'end';
  for (let depth = 0; depth < 5_000; depth += 1) deep = [deep];
  expect(JSON.stringify(redactData(deep))).toContain('…');
});

test.each([
  ['{"municipalTax":{"LoginPassword":"PWLEAK9",}', '{"municipalTax":{"LoginPassword":"***",}'],
  ['{"authIssueValue" : "PWLEAK9 \\" PWLEAK9', '{"authIssueValue" : "***"'],
  [String.raw`"{\"loginName\":\"PWLEAK9\"}`, String.raw`"{\"loginName\":\"***\"`],
  ['{"securityCredential":{"id":{"n":1},"Code":"PWLEAK9",}', '{"securityCredential":***'],
  ['{"securityCredential": ["a]", "PWLEAK9"],}', '{"securityCredential": ***'],
  ["{loginPassword: 'PWLEAK9'}", "{loginPassword: '***'}"],
  ['loginName=u&LOGINPASSWORD=PWLEAK9&a=1', 'loginName=***&LOGINPASSWORD=***&a=1'],
  ['"token":12345', '"token":***'],
])('the fields of secrets are masked in text that is not JSON: %s', (text, shown) => {
  expect(redactText(text)).toBe(shown);
});

test('the name of a secret field in a sentence masks nothing', () => {
  const text = 'loginPassword: too short; "loginName" is required; mytoken=1';
  expect(redactText(text)).toBe(text);
});

test('the secrets of a body are found at any depth, and are safe to encode', () => {
  const securityCredential = { id: 1, code: ['a b"c'] };
  const body = { tax: [{ LoginName: 1234.5, loginPassword: '\ud800bcd', password: 'abc' }], securityCredential };
  expect(secretsIn(body)).toEqual(['%EF%BF%BDbcd', 'a%20b%22c', '1234.5', String.raw`a b\"c`, 'a b"c', '\ufffdbcd']);
  expect(redactText('user-1 user', secretsIn({ loginName: 'user', loginPassword: 'user-1' }))).toBe('*** ***');
  let deep: unknown = { password: 'hunter2' };
  for (let depth = 0; depth < 20_000; depth += 1) deep = [deep];
  expect(secretsIn(deep)).toEqual([]);
});

test('the values of the headers of a webhook are masked, their names are not', () => {
  const body = { webHook: { uri: 'https://x', headers: { 'X-Caller': 'canary-7731', 'X-Other': ['b'] } } };
  expect(redactData(body)).toEqual({ webHook: { uri: 'https://x', headers: { 'X-Caller': '***', 'X-Other': '***' } } });
  expect(secretsIn(body)).toEqual(['canary-7731']);
});

test('no secret survives in any text', () => {
  const secrets = fc.string({ unit: fc.constantFrom(...'abcXYZ019-_.+/='), minLength: 6, maxLength: 30 });
  fc.assert(
    fc.property(fc.string(), secrets, fc.string(), (before, secret, after) => {
      fc.pre(!'***'.includes(secret));
      expect(redactText(before + secret + after, [secret])).not.toContain(secret);
    }),
  );
});

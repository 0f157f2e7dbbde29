import { expect, test } from 'vitest';
import { masked, maskedChange } from '../../../src/commands/company/registration-secrets.js';

test('credentials are masked wherever they stand, in any letter case', () => {
  const answer = {
    LoginPassword: 'LEAK',
    loginName: '',
    nested: { loginPassword: 'LEAK', securityCredential: { code: 'LEAK' }, kept: 1 },
    y: [{ authIssueValue: 12345 }, ['text']],
  };
  expect(masked(answer)).toEqual({
    LoginPassword: '***',
    loginName: '',
    nested: { loginPassword: '***', securityCredential: { code: '***' }, kept: 1 },
    y: [{ authIssueValue: '***' }, ['text']],
  });
});

test.each([
  ['LEAK', '***'],
  [['LEAK'], ['***']],
  [
    { id: 3, Code: 'LEAK' },
    { id: 3, Code: '***' },
  ],
  [
    { id: { a: 'LEAK' }, code: null },
    { id: { a: '***' }, code: null },
  ],
])('the CSC is masked whatever the service puts in its place: %j', (securityCredential, shown) => {
  expect(masked({ securityCredential, serie: 1 })).toEqual({ securityCredential: shown, serie: 1 });
});

test.each([
  ['securityCredential.code', 'LEAK', '***'],
  ['securityCredential.id', 3, 3],
  ['securityCredential', { id: 3, code: 'LEAK' }, { id: 3, code: '***' }],
  ['processingDetails', { token: ['LEAK'] }, { token: ['***'] }],
  ['LOGINNAME', 'LEAK', '***'],
])('a change of %s shows no secret', (field, to, shown) => {
  expect(maskedChange({ field, from: to, to })).toEqual({ field, from: shown, to: shown });
});

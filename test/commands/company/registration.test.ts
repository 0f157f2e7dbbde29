import { expect, test } from 'vitest';
import { masked, type RegistrationForm } from '../../../src/commands/company/registration.js';

const form: RegistrationForm = {
  envelope: 'stateTax',
  name: { en: 'registration', pt: 'inscrição' },
  fields: ['code', 'token'],
  secrets: ['nested.mine'],
  check: () => [],
};

test('credentials are masked wherever they stand, in any letter case', () => {
  const answer = {
    LoginPassword: 'LEAK',
    loginName: '',
    nested: { loginPassword: 'LEAK', mine: 'LEAK', kept: 1 },
    y: [{ authIssueValue: 12345 }, ['text']],
  };
  expect(masked(form, answer)).toEqual({
    LoginPassword: '***',
    loginName: '',
    nested: { loginPassword: '***', mine: '***', kept: 1 },
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
  expect(masked(form, { securityCredential, serie: 1 })).toEqual({ securityCredential: shown, serie: 1 });
});

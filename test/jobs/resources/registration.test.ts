import { expect, test } from 'vitest';
import {
  registrationForms,
  registrationResource,
  sendable,
  shownRegistration,
} from '../../../src/jobs/resources/registration.js';

const form = registrationForms.state;
const { masked } = registrationResource(form, { companyId: 'c1', id: 's1' });

test('credentials are masked wherever they stand, in any letter case', () => {
  const answer = {
    LoginPassword: 'LEAK',
    loginName: '',
    nested: { loginPassword: 'LEAK', securityCredential: { code: 'LEAK' }, kept: 1 },
    y: [{ authIssueValue: 12345 }, ['text']],
  };
  expect(shownRegistration(form, answer)).toEqual({
    kind: 'state',
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
  expect(shownRegistration(form, { securityCredential, serie: 1 })).toEqual({
    kind: 'state',
    securityCredential: shown,
    serie: 1,
  });
});

test.each([
  ['securityCredential.code', 'LEAK', '***'],
  ['securityCredential.id', 3, 3],
  ['securityCredential', { id: 3, code: 'LEAK' }, { id: 3, code: '***' }],
  ['processingDetails', { token: ['LEAK'] }, { token: ['***'] }],
  ['LOGINNAME', 'LEAK', '***'],
])('a change of %s shows no secret', (field, to, shown) => {
  expect(masked?.({ field, from: to, to })).toEqual({ field, from: shown, to: shown });
});

test('what the service masks or hides is not sent back', () => {
  const standing = {
    ...{ id: 'ie1', code: 'SP', serie: 0, loginName: 'user', loginPassword: '•••' },
    securityCredential: { id: 3, code: '***' },
  };
  const fields = ['code', 'serie', 'loginName', 'loginPassword', 'securityCredential'];
  expect(sendable(fields, standing)).toEqual({
    ...{ code: 'SP', serie: 0, loginName: 'user' },
    securityCredential: { id: 3 },
  });
});

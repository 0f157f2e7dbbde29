import { expect, test } from 'vitest';
import { sendable } from '../../../src/jobs/kinds/registration-body.js';

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

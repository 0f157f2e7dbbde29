import { describe, expect, it } from 'vitest';
import type { Operation } from '../../../src/contract/operation.js';
import type { Caller } from '../../../src/sandbox/core/callers.js';
import { authorize } from '../../../src/sandbox/http/authenticate.js';
import { Refusal } from '../../../src/sandbox/core/refusal.js';

const operation: Operation = {
  summary: { en: 'x', pt: 'x' },
  method: 'PUT',
  path: '/{tenantId}/x',
  host: 'product',
  key: 'invoice',
  role: 'Management',
  success: [204],
  replay: 'safe',
  billed: null,
  queryKey: false,
  mark: 'doc §5',
};
const caller: Caller = { tenantId: 't', kind: 'invoice', roles: ['Management'], companyRoles: {}, by: 'key' };

function statusOf(given: Caller | undefined, path: Record<string, string> = {}): number {
  try {
    authorize(operation, { caller: given, keyKind: null }, path);
    return 200;
  } catch (error) {
    return error instanceof Refusal ? error.status : 0;
  }
}

describe('authorize', () => {
  it('accepts the right key with the role', () => {
    expect(statusOf(caller, { tenantId: 't' })).toBe(200);
  });

  it('answers 403 without the role (§5)', () => {
    expect(statusOf({ ...caller, roles: ['NFeDist', 'NFSeDist'] })).toBe(403);
  });

  it('uses the roles for the company in the path, if the key has any', () => {
    const some: Caller = { ...caller, companyRoles: { one: ['NFSeDist'], two: ['Management'] } };
    expect(statusOf(some, { companyId: 'one' })).toBe(403);
    expect(statusOf({ ...some, roles: [] }, { companyId: 'two' })).toBe(200);
    expect(statusOf(some, { companyId: 'three' })).toBe(200);
    // No company has these names, though every object has something under them.
    expect(statusOf(some, { companyId: 'constructor' })).toBe(200);
  });

  it('answers 401 for the wrong kind before it checks roles', () => {
    expect(statusOf({ ...caller, kind: 'data', roles: [] })).toBe(401);
  });

  it('answers 403 on the path of another tenant', () => {
    expect(statusOf(caller, { tenantId: 'other' })).toBe(403);
  });
});

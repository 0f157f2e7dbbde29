import { expect, test } from 'vitest';
import { activityOf, shownActivity } from '../../src/domain/capture-settings.js';

test.each([
  [{ companyId: 'c1', status: 'Active' }, 'active'],
  [{ id: 'c1', isActive: true, deactivatedAt: null }, 'active'],
  [{ companyId: 'c1', status: 'Inactive' }, 'inactive'],
  [{ companyId: 'c1', status: 'inactive' }, 'inactive'],
  [{ companyId: 'c1', status: 'None' }, 'inactive'],
  [{ id: 'c1', isActive: false }, 'inactive'],
  [{ id: 'c1', isActive: true, status: 'Inactive' }, 'inactive'],
  [{ id: 'c1', deactivatedAt: '2026-10-01T00:00:00Z' }, 'inactive'],
  [{ id: 'c1', status: 'Active', deactivatedAt: '2026-10-01T00:00:00Z' }, 'inactive'],
  [{ id: 'c1', status: 'Active', deactivationReason: 'CertificateExpired' }, 'inactive'],
  [{ id: 'c1', status: 'Active', deactivatedAt: null, deactivationReason: '' }, 'active'],
  [{ id: 'c1', deactivationReason: 'CertificateExpired' }, 'inactive'],
  [{ companyId: 'c1', status: 1 }, 'unclear'],
  [{ companyId: 'c1', status: 0 }, 'unclear'],
  [{ companyId: 'c1', status: 'Suspended' }, 'unclear'],
  [{ companyId: 'c1' }, 'unclear'],
  [{ companyId: 'c1', status: null }, 'unclear'],
  [{ companyId: 'c1', status: '' }, 'unclear'],
  [{ companyId: 'c1', status: true }, 'unclear'],
  [{ companyId: 'c1', status: ['Active'] }, 'unclear'],
  [{ companyId: 'c1', isActive: null }, 'unclear'],
  [{ companyId: 'c1', isActive: 'true' }, 'unclear'],
  [{ companyId: 'c1', isActive: null, status: 'Active' }, 'active'],
  [undefined, 'unclear'],
] as const)('settings %j are %s', (settings, activity) => {
  expect(activityOf(settings)).toBe(activity);
});

test.each([
  [{ companyId: 'c1' }, 'no status'],
  [{ companyId: 'c1', status: null }, 'status null'],
  [{ companyId: 'c1', status: 0 }, 'status 0'],
  [{ companyId: 'c1', status: 'Suspended' }, 'status Suspended'],
  [{ companyId: 'c1', isActive: 'true' }, 'isActive true'],
] as const)('unclear settings %j show %s', (settings, shown) => {
  expect(shownActivity(settings)).toBe(shown);
});

import { expect, test } from 'vitest';
import { createdTime, modifiedTime } from '../../src/domain/row-times.js';

test('the times of a row are read by either published name', () => {
  expect(createdTime({ createdOn: '2026-10-01T00:00:00Z' })).toBe('2026-10-01T00:00:00Z');
  expect(createdTime({ createdAt: '2026-10-02T00:00:00Z' })).toBe('2026-10-02T00:00:00Z');
  expect(modifiedTime({ modifiedOn: '2026-10-03T00:00:00Z' })).toBe('2026-10-03T00:00:00Z');
  expect(modifiedTime({ updatedAt: '2026-10-04T00:00:00Z' })).toBe('2026-10-04T00:00:00Z');
});

test('an empty, absent or null time does not hide the other name', () => {
  expect(createdTime({ createdOn: null, createdAt: '2026-10-02T00:00:00Z' })).toBe('2026-10-02T00:00:00Z');
  expect(modifiedTime({ modifiedOn: '', updatedAt: '2026-10-04T00:00:00Z' })).toBe('2026-10-04T00:00:00Z');
  expect([createdTime({}), modifiedTime(null), createdTime([])]).toEqual([undefined, undefined, undefined]);
});

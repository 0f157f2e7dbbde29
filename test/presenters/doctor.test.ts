import { expect, test } from 'vitest';
import { doctorView } from '../../src/presenters/doctor.js';
import { plainPaint } from '../../src/presenters/render.js';

test('a status that is not known is not called ok', () => {
  const check = (status: unknown) => ({ check: 'store', status, found: { en: 'found', pt: 'achado' } });
  const look = { language: 'en', columns: 80, paint: plainPaint } as const;
  expect(doctorView([check('ok'), check('new'), check(undefined)], look)).toEqual([
    'ok        store: found',
    'new       store: found',
    '          store: found',
  ]);
});

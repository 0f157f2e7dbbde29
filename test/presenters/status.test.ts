import { expect, test } from 'vitest';
import { plainPaint } from '../../src/presenters/render.js';
import { statusView } from '../../src/presenters/status.js';

test('a figure says the days and hours that it was counted by', () => {
  const common = { byCompany: [], unknown: [], asOf: '2026-11-21T10:00:00Z', next: 'fiscal' };
  const none = { expired: 0, missing: 0, other: 0, failed: 0, inactive: 0, unclear: 0 };
  const profile = {
    ...{ profile: 'acme', companies: 3 },
    certificates: { ...common, ...none, ending: 2, withinDays: 10 },
    capture: { ...common, ...none, behind: 1, behindAfterHours: 6 },
  };
  const linesIn = (language: 'en' | 'pt') =>
    statusView({ at: '2026-11-21T10:00:00Z', profiles: [profile] }, { language, columns: 100, paint: plainPaint });
  expect([linesIn('en')[1], linesIn('en')[4], linesIn('pt')[1], linesIn('pt')[4]]).toEqual([
    '! Certificates: 2 expire within 10 days',
    '! Capture: 1 company not synced for 6 hours',
    '! Certificados: 2 vencem em 10 dias',
    '! Captura: 1 empresa sem sincronizar há 6 horas',
  ]);
});

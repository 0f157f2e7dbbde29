import { expect, test } from 'vitest';
import { checkView } from '../../src/presenters/status-check.js';
import { type RenderOptions, plainPaint } from '../../src/presenters/render.js';

const look = (columns: number, language: RenderOptions['language'] = 'en'): RenderOptions => ({
  language,
  columns,
  paint: plainPaint,
});
const on = { capture: 'on', rateLimitedUntil: null, lastDocumentOn: '2026-01-05T00:00:00Z', idleDays: 10 };
const row = {
  companyId: '5a0dbe11-7e57-4c0d-9a6e-000000c09a27',
  companyName: 'Indústria Serra Azul Ltda',
  state: 'critical',
  nfe: on,
  cte: { ...on, capture: 'off' },
  nfse: {
    ...on,
    lastDocumentOn: null,
    rateLimitedUntil: '2026-01-15T00:00:00Z',
    startFromDate: '2025-06-01T00:00:00Z',
  },
  backfill: { released: false, hiddenDocumentsCount: 1234 },
  certificate: { state: 'valid', validUntil: '2027-07-02T00:00:00Z' },
  manifestations: { open: 2, lost: 1, presumed: 0, nextDeadline: null },
  problems: [
    {
      ...{ code: 'deadline_overdue', level: 'critical', next: 'fiscal manifestation due' },
      message: { en: '1 term is over', pt: '1 prazo terminou' },
    },
    { code: 'hidden_documents', level: 'info', message: { en: 'x', pt: 'x' }, next: 'y' },
  ],
};
const plain = {
  ...{ companyId: 'c2', state: 'ok', nfe: { capture: 'unknown' }, cte: { capture: 'inactive' } },
  ...{ nfse: { ...on, idleDays: null, lastDocumentOn: null }, backfill: { hiddenDocumentsCount: null } },
  ...{ certificate: { state: 'missing', validUntil: null }, problems: [] },
  manifestations: { open: null, lost: null, presumed: null },
};

test('a wide terminal shows every column, with the problems and the next command below', () => {
  expect(checkView([row, plain], look(160))).toEqual([
    ' company                   │ state    │ nfe │ cte      │ nfse        │ certificate │ due   │ hidden │ cut-off    │ company id',
    ' Indústria Serra Azul Ltda │ critical │ 10d │ off      │ none spaced │ 2027-07-01  │ 2 +1! │   1234 │ 2025-06-01 │ 5a0dbe11-7e57-4c0d-9a6e-000000c09a27',
    ' c2                        │ ok       │ ?   │ inactive │ ?           │ missing     │       │        │            │ c2',
    'CRITICAL Indústria Serra Azul Ltda: 1 term is over',
    '  → fiscal manifestation due',
  ]);
});

test('a narrow terminal omits columns from the right and truncates no date', () => {
  expect(checkView([row], look(61, 'pt'))).toEqual([
    ' empresa                   │ situação │ nfe │ cte',
    ' Indústria Serra Azul Ltda │ crítico  │ 10d │ não',
    'não mostrados: nfse, certificate, due, hidden, startFrom,',
    'companyId (um terminal mais largo, --fields ou -o json)',
    'CRÍTICO Indústria Serra Azul Ltda: 1 prazo terminou',
    '  → fiscal manifestation due',
  ]);
});

test('an empty result is reported', () => {
  expect(checkView([], look(80, 'pt'))).toEqual(['nada a mostrar']);
});

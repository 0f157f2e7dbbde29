import { describe, expect, test } from 'vitest';
import { FiscalError } from '../../../src/errors/fiscal-error.js';
import { observeAccepted, observeEvent, observeLive } from '../../../src/jobs/kinds/manifestation-answer.js';
import { said } from '../../../src/errors/reasons.js';

const expected = { accessKey: 'K', eventCode: 210200, nSequencia: 1 };

describe('an event that was read', () => {
  test.each([
    [{ status: 'Pending' }, { state: 'pending', remoteStatus: 'Pending' }],
    [{ status: 'Accepted' }, { state: 'succeeded', remoteStatus: 'Accepted' }],
    [{ status: 'Queued' }, { state: 'pending', remoteStatus: 'Queued' }],
    [{ status: 'accepted' }, { state: 'succeeded', remoteStatus: 'Accepted' }],
    [
      { status: 'REJECTED', errorCode: '573' },
      { state: 'skipped', remoteStatus: 'Rejected', errorCode: '573', answer: { code: '573' } },
    ],
    [{ status: 1 }, { state: 'pending', remoteStatus: '1' }],
    [{}, { state: 'pending' }],
    [null, { state: 'pending' }],
    ['Accepted', { state: 'pending' }],
    [
      { status: 'Rejected', errorCode: 596, errorMessage: 'late' },
      {
        ...{ state: 'rejected', remoteStatus: 'Rejected', errorCode: '596', reason: said('late') },
        answer: { code: '596', text: 'late' },
      },
    ],
    [
      { status: 'Accepted', protocol: '135', cStat: '135', xMotivo: 'Evento registrado' },
      {
        ...{ state: 'succeeded', remoteStatus: 'Accepted' },
        answer: { protocol: '135', code: '135', text: 'Evento registrado' },
      },
    ],
    [
      { status: 'Rejected', errorCode: '573' },
      { state: 'skipped', remoteStatus: 'Rejected', errorCode: '573', answer: { code: '573' } },
    ],
    [{ status: 'Failed' }, { state: 'failed', remoteStatus: 'Failed', errorCode: 'outcome.ended_badly' }],
    [
      { ...expected, status: 'Accepted' },
      { state: 'succeeded', remoteStatus: 'Accepted' },
    ],
  ])('%j', (body, seen) => {
    expect(observeEvent(body, expected)).toEqual(seen);
  });

  test.each([
    [{ errorCode: ' 596 ' }, '596'],
    [{ errorCode: 'cStat 596' }, '596'],
    [{ errorCode: 'Rejeição: 596', errorMessage: '650 - other' }, '596'],
    [{ errorMessage: '596 - Rejeição: Evento fora do prazo' }, '596'],
    [{ errorMessage: 'Rejeicao 596: Evento fora do prazo' }, '596'],
    [{ errorMessage: '[596] Evento fora do prazo' }, '596'],
    [{ errorCode: '', errorMessage: '(596) Evento' }, '596'],
    [{ errorCode: null, xMotivo: 'cStat=596: Evento' }, '596'],
    [{ errorCode: 'E1833', errorMessage: '596 - x' }, 'E1833'],
    [{ errorMessage: 'NF-e 596 fora do prazo' }, 'outcome.ended_badly'],
    [{ errorMessage: '5961 - x' }, 'outcome.ended_badly'],
  ])('has the code of the authority wherever it is written: %j', (said, errorCode) => {
    expect(observeEvent({ status: 'Rejected', ...said }, expected).errorCode).toBe(errorCode);
  });

  test.each([{ accessKey: 'L' }, { eventCode: 210210 }, { nSequencia: 2 }])(
    'that is about something else decides nothing: %j',
    (other) => {
      const seen = observeEvent({ ...expected, status: 'Accepted', ...other }, expected);
      expect(seen.state).toBe('uncertain');
    },
  );

  test('keeps a bounded reason', () => {
    const body = { status: 'Rejected', errorMessage: 'x'.repeat(100_000) };
    expect(observeEvent(body, expected).reason).toEqual(said('x'.repeat(1_000)));
  });
});

describe('an accepted submission', () => {
  test.each([
    [{ body: { id: 'e-1', status: 'Pending' } }, 'e-1'],
    [{ body: undefined, createdId: 'e-9' }, 'e-9'],
    [{ body: { documentId: 'e-2' } }, 'e-2'],
  ])('is followed by its id: %j', (answer, resourceId) => {
    const seen = observeAccepted({ status: 202, attempts: 1, ...answer }, expected);
    expect(seen).toEqual({ state: 'pending', resourceId, remoteStatus: 'Pending' });
  });

  test('without an id is uncertain', () => {
    expect(observeAccepted({ status: 202, attempts: 1, body: {} }, expected).state).toBe('uncertain');
  });
});

describe('a 409', () => {
  const conflict = (details: readonly { field: string; message: string }[]) =>
    new FiscalError('service.conflict', {}, { httpStatus: 409, details });

  test('names the active event in its details', () => {
    const details = [
      { field: 'id', message: 'e-1' },
      { field: 'status', message: 'Accepted' },
    ];
    expect(observeLive(conflict(details))).toEqual({ state: 'pending', resourceId: 'e-1', remoteStatus: 'Accepted' });
  });

  test.each([
    ['nothing', []],
    ['another field', [{ field: 'eventCode', message: '210200' }]],
    ['an id that is none', [{ field: 'id', message: '../../companies' }]],
  ])('that names %s is not followed', (_name, details) => {
    expect(observeLive(conflict(details))).toBeUndefined();
  });
});

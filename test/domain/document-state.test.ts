import { describe, expect, test } from 'vitest';
import {
  documentStates,
  endsDocument,
  mayStand,
  stateOf,
  stateOfStatus,
  stateWords,
} from '../../src/domain/document-state.js';

describe('the state of a document', () => {
  test.each([
    [110111, 'cancelled'],
    [110112, 'substituted'],
    [240140, 'substituted'],
    [240150, 'annulled'],
    [101101, 'cancelled'],
    [105102, 'substituted'],
    [105104, 'cancelled'],
    [305101, 'cancelled'],
  ])('is, by its event %i, %s', (code, state) => {
    expect(stateOf({ eventCodes: [code] })).toEqual({ state, source: 'event', detail: String(code) });
    expect(endsDocument(code)).toBe(true);
  });

  test.each([
    ['a letter of correction', 110110],
    ['an awareness', 210210],
    ['a disavowal by the recipient', 210220],
    ['a disagreement of the taker of a CT-e', 610110],
    ['a request to cancel an NFS-e, which is not decided', 101103],
    ['a request to cancel an NFS-e, which was not granted', 105105],
    ['a passage of the vehicle', 610600],
  ])('is not changed by %s (%i)', (_what, code) => {
    expect(stateOf({ eventCodes: [code], status: 'Received', situation: '1', protocolCode: '100' })).toEqual({
      ...{ state: 'standing', source: 'none' },
    });
    expect(endsDocument(code)).toBe(false);
  });

  test('is substituted, when it was cancelled for another one', () => {
    expect(stateOf({ eventCodes: [110111, 110112] })).toEqual({
      ...{ state: 'substituted', source: 'event', detail: '110112' },
    });
  });

  test.each([
    ['2', 'denied'],
    ['3', 'cancelled'],
    ['9', 'unknown'],
  ])('is, by the situation %s of its summary, %s', (situation, state) => {
    expect(stateOf({ eventCodes: [], situation })).toEqual({ state, source: 'summary', detail: situation });
  });

  test.each([
    ...(['110', '205', '301', '302', '303'] as const).map((code) => [code, 'denied'] as const),
    ...(['101', '151', '155'] as const).map((code) => [code, 'cancelled'] as const),
  ])('is, by the protocol %s in its XML, %s', (protocolCode, state) => {
    expect(stateOf({ eventCodes: [], protocolCode })).toEqual({
      ...{ state, source: 'protocol', detail: protocolCode },
    });
  });

  test.each(['100', '150', '102', ''])('is not changed by the protocol %j', (protocolCode) => {
    expect(stateOf({ eventCodes: [], protocolCode })).toEqual({ state: 'standing', source: 'none' });
  });

  test.each([
    ['Cancelled', 'cancelled'],
    ['canceled', 'cancelled'],
    ['Cancelada', 'cancelled'],
    ['Cancelado', 'cancelled'],
    ['Substituted', 'substituted'],
    ['Substituída', 'substituted'],
    ['replaced', 'substituted'],
    ['Annulled', 'annulled'],
    ['Anulado', 'annulled'],
    ['Denied', 'denied'],
    ['IssueDenied', 'denied'],
    ['Denegada', 'denied'],
    ['Disabled', 'disabled'],
    ['Inutilizada', 'disabled'],
  ])('is, by the status %s of the list, %s', (status, state) => {
    expect(stateOf({ eventCodes: [], status })).toEqual({ state, source: 'status', detail: status });
  });

  test.each(['Received', 'Processed', 'Failed', 'Issued', 'CancelFailed', 'Not cancelled', '', undefined])(
    'is not told by the status %j',
    (status) => {
      expect(stateOfStatus(status)).toBeUndefined();
    },
  );

  test('is substituted, where the list names another key that stands in its place', () => {
    expect(stateOf({ eventCodes: [], accessKey: 'a', substituteAccessKey: 'b' })).toEqual({
      ...{ state: 'substituted', source: 'substitute', detail: 'b' },
    });
    expect(stateOf({ eventCodes: [], accessKey: 'a', substituteAccessKey: 'a' })).toEqual({
      ...{ state: 'standing', source: 'none' },
    });
  });

  test('is cancelled, where the authority refused an event because of that', () => {
    expect(stateOf({ eventCodes: [], isRefusedAsCancelled: true })).toEqual({
      ...{ state: 'cancelled', source: 'answer' },
    });
  });

  test('is unknown, where an event of it could not be told, unless something else ends it', () => {
    expect(stateOf({ eventCodes: [210210], unreadEvents: 1, status: 'Received' })).toEqual({
      ...{ state: 'unknown', source: 'event' },
    });
    expect(stateOf({ eventCodes: [], unreadEvents: 1, status: 'Cancelled' })).toEqual({
      ...{ state: 'cancelled', source: 'status', detail: 'Cancelled' },
    });
  });

  test('is by its events before anything else', () => {
    const evidence = { status: 'Denied', situation: '2', protocolCode: '302', substituteAccessKey: 'b' };
    expect(stateOf({ eventCodes: [210210, 110111], ...evidence })).toEqual({
      ...{ state: 'cancelled', source: 'event', detail: '110111' },
    });
  });
});

test('only what stands, or may stand, counts', () => {
  expect(documentStates.filter(mayStand)).toEqual(['standing', 'unknown']);
});

test('every state has a word of its own in each language', () => {
  for (const language of ['en', 'pt'] as const)
    expect(new Set(documentStates.map((state) => stateWords[state][language])).size).toBe(7);
});

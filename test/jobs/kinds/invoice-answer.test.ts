import { describe, expect, test } from 'vitest';
import {
  observeCancelled,
  observeCreated,
  observeInvoice,
  observeTaken,
} from '../../../src/jobs/kinds/invoice-answer.js';
import { said } from '../../../src/errors/reasons.js';

describe('the status of an invoice', () => {
  test.each([
    ['Issued', 'succeeded'],
    ['Cancelled', 'succeeded'],
    ['CancelFailed', 'succeeded'],
    ['Processing', 'pending'],
    ['WaitingReturn', 'pending'],
    ['EmFilaNova', 'pending'],
    ['Error', 'rejected'],
    ['IssueDenied', 'rejected'],
    ['IssueFailed', 'rejected'],
  ])('%s is %s', (status, state) => {
    expect(observeInvoice({ status })).toMatchObject({ state, remoteStatus: status });
    expect(observeInvoice({ flowStatus: status, status: 'Created' })).toMatchObject({ state, remoteStatus: status });
  });

  test.each([
    ['issued', 'succeeded', 'Issued'],
    ['ISSUEDCONTINGENCY', 'succeeded', 'IssuedContingency'],
    ['cancelled', 'succeeded', 'Cancelled'],
    ['error', 'rejected', 'Error'],
    ['emFila', 'pending', 'emFila'],
    [2, 'pending', '2'],
  ])('is read in any letter case, and as it came where it is not known: %s', (status, state, shown) => {
    expect(observeInvoice({ status })).toMatchObject({ state, remoteStatus: shown });
  });

  test('of a cancelled invoice is read in any letter case', () => {
    expect(observeCancelled({ status: 'cancelled' })).toEqual({ state: 'succeeded', remoteStatus: 'Cancelled' });
    expect(observeCancelled({ flowStatus: 'cancelfailed' })).toMatchObject({ state: 'rejected' });
  });

  test('that is missing is waited for', () => {
    expect([observeInvoice({}), observeInvoice(undefined), observeInvoice('Issued')]).toEqual([
      { state: 'pending' },
      { state: 'pending' },
      { state: 'pending' },
    ]);
  });

  test('includes the reason of the service, bounded, wherever it is', () => {
    const refused = { status: 'IssueDenied', errorCode: 301, errorMessage: 'x'.repeat(5_000) };
    expect(observeInvoice(refused)).toEqual({
      state: 'rejected',
      remoteStatus: 'IssueDenied',
      errorCode: '301',
      reason: said('x'.repeat(1_000)),
    });
    expect(observeInvoice({ status: 'Error', authorization: { message: 'denied' } })).toMatchObject({
      reason: said('denied'),
    });
    const events = [
      { type: 'Denied', sequence: 2, data: { message: 'Rejeicao: 539' } },
      { type: 'Sent', sequence: 1, data: { message: 'sent' } },
      { type: 'Noted', sequence: 3, data: {} },
    ];
    expect(observeInvoice({ status: 'Error', lastEvents: { events, hasMore: false } })).toMatchObject({
      reason: said('Rejeicao: 539'),
    });
  });

  test('of an issue in contingency counts as issued', () => {
    expect(observeInvoice({ status: 'IssuedContingency' })).toEqual({
      state: 'succeeded',
      remoteStatus: 'IssuedContingency',
    });
  });
});

describe('the answer of an issue', () => {
  const answer = { status: 202, body: { id: 'i1', status: 'Created' }, attempts: 1 };

  test('names the invoice in its body or its Location', () => {
    expect(observeTaken(answer)).toEqual({ state: 'pending', remoteStatus: 'Created', resourceId: 'i1' });
    expect(observeTaken({ ...answer, body: undefined, createdId: 'i2' })).toEqual({
      state: 'pending',
      resourceId: 'i2',
    });
  });

  test('that names none is uncertain, never sent again', () => {
    expect(observeTaken({ ...answer, body: {} })).toMatchObject({ state: 'uncertain' });
  });

  test('of POST /v2/nota-fiscal is final if it is 201 without a status', () => {
    const body = { id: 'i1' };
    expect(observeCreated({ ...answer, status: 201, body })).toEqual({ state: 'succeeded', resourceId: 'i1' });
    expect(observeCreated({ ...answer, status: 202, body })).toEqual({ state: 'pending', resourceId: 'i1' });
  });
});

test.each([
  ['Cancelled', 'succeeded'],
  ['CancelFailed', 'rejected'],
  ['Issued', 'pending'],
  ['WaitingSendCancel', 'pending'],
])('a cancellation that reads %s is %s', (flowStatus, state) => {
  expect(observeCancelled({ flowStatus })).toMatchObject({ state, remoteStatus: flowStatus });
});

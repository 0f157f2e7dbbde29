import { expect, test } from 'vitest';
import type { Client } from '../../../src/client/client.js';
import type { AdmitContext } from '../../../src/jobs/kind.js';
import { changeKinds } from '../../../src/jobs/kinds/invoice-change.js';
import { decisionOn, eventsOfInvoice, reasonOfEvent } from '../../../src/jobs/kinds/invoice-events.js';
import type { ItemRow } from '../../../src/store/store.js';
import { failureOf } from '../../client/support/client.js';
import { noClient } from '../no-client.js';
import { said } from '../../../src/errors/reasons.js';

const path = { companyId: 'c1', invoiceId: 'i1' };
const letters = Array.from({ length: 23 }, (_, index) => ({
  type: 'CorrectionLetter',
  sequence: index + 1,
  data: { reason: `correction number ${index + 1}`, status: 'Accepted' },
}));

/** Answers each call with the next body, and the last one again. */
function clientOf(...bodies: readonly ((startingAfter: number | undefined) => unknown)[]) {
  const asked: unknown[] = [];
  const call = async (_operation: string, { query }: { query?: { startingAfter?: number } }) => {
    const body = bodies[Math.min(asked.length, bodies.length - 1)];
    asked.push(query?.startingAfter);
    return Promise.resolve({ status: 200, body: body?.(query?.startingAfter), attempts: 1 });
  };
  return { client: { ...noClient, call: call as unknown as Client['call'] }, asked };
}

const paged =
  (first: 0 | 1) =>
  (after: number | undefined): unknown => {
    const from = after === undefined ? 0 : after + 1 - first;
    return { events: letters.slice(from, from + 10), hasMore: from + 10 < letters.length };
  };

test.each([0, 1] as const)('all pages are read, with an index that counts from %i', async (first) => {
  const { client } = clientOf(paged(first));
  const events = await eventsOfInvoice(client, 'nfe', { path }, {});
  expect(events.map((event) => event['reason'])).toEqual(letters.map(({ data }) => data.reason));
});

test('the fields of an event are read from "data", or beside the type, which stays', async () => {
  const { client } = clientOf(() => ({
    events: [
      { type: 'Cancellation', sequence: 2, status: 'Accepted' },
      { type: 'CorrectionLetter', sequence: 1, data: { type: 'x', status: 'Rejected', message: 'Why.' } },
    ],
  }));
  expect(await eventsOfInvoice(client, 'nfce', { path }, {})).toEqual([
    { type: 'CorrectionLetter', sequence: 1, status: 'Rejected', message: 'Why.' },
    { type: 'Cancellation', sequence: 2, status: 'Accepted' },
  ]);
});

test('without "hasMore", a short page or a repeated one ends the list', async () => {
  const whole = clientOf(() => ({ events: letters.slice(0, 10) }));
  expect((await eventsOfInvoice(whole.client, 'nfe', { path }, {})).length).toBe(10);
  expect(whole.asked).toEqual([undefined, 9]);
  const short = clientOf(() => ({ events: letters.slice(0, 9) }));
  expect((await eventsOfInvoice(short.client, 'nfe', { path }, {})).length).toBe(9);
  expect(short.asked).toEqual([undefined]);
});

test('a list that announces more and repeats itself is cut, not whole', async () => {
  const { client } = clientOf(() => ({ events: letters.slice(0, 10), hasMore: true }));
  const failure = await failureOf(eventsOfInvoice(client, 'nfe', { path }, {}));
  expect(failure.code).toBe('service.list_cut');
});

test('an event is decided by its status in any case; one without a status is listed because it is registered', () => {
  const decisions = ['accepted', 'Registered', 'REJECTED', 'error', 'Processing', undefined].map((status) =>
    decisionOn({ status }),
  );
  expect(decisions).toEqual(['registered', 'registered', 'refused', 'refused', 'pending', 'registered']);
  expect(reasonOfEvent({ message: 'Too late.' })).toEqual({
    errorCode: 'outcome.ended_badly',
    reason: said('Too late.'),
  });
});

test('a correction letter on a later page is found after an interrupted send, and not sent again', async () => {
  const kind = changeKinds.find(({ name }) => name === 'nfe-correct');
  const input = { ...path, reason: 'correction number 23' };
  // A look-up reads no more of the row than this.
  const item = { input, sentAt: 0 } as unknown as ItemRow;
  const parts = { signal: new AbortController().signal } as unknown as AdmitContext;
  const { client } = clientOf(paged(0));
  const found = { state: 'succeeded', remoteStatus: 'Accepted' };
  expect(await kind?.lookUp(client, item, parts)).toEqual({ ...found, resourceId: 'i1' });
  expect(await kind?.read(clientOf(paged(0)).client, item, {})).toEqual(found);
});

import { expect, test } from 'vitest';
import type { Client } from '../../../src/client/client.js';
import type { AdmitContext } from '../../../src/jobs/kind.js';
import { cancelKinds } from '../../../src/jobs/kinds/invoice-change.js';
import type { ItemRow } from '../../../src/store/store.js';
import { noClient } from '../no-client.js';

const input = { model: 'nfe', companyId: 'c1', invoiceId: 'i1', reason: 'um motivo de quinze letras' };

/** A service that shows the invoice as issued, and then this cancellation among its events. */
function clientOf(status: string | undefined): Client {
  const cancellation = { type: 'Cancellation', status };
  const bodies: Readonly<Record<string, unknown>> = {
    'nfe.get': { id: 'i1', status: 'Issued' },
    'nfe.events': { events: status === undefined ? [] : [cancellation] },
  };
  const call = async (operation: string) => Promise.resolve({ status: 200, body: bodies[operation], attempts: 1 });
  return { ...noClient, call: call as unknown as Client['call'] };
}

async function lookedUp(status: string | undefined): Promise<unknown> {
  const kind = cancelKinds.find(({ name }) => name === 'nfe-cancel');
  // A look-up reads no more of the row than this.
  const item = { input, sentAt: 0 } as unknown as ItemRow;
  const parts = { signal: new AbortController().signal } as unknown as AdmitContext;
  return await kind?.lookUp(clientOf(status), item, parts);
}

test('a cancellation that was accepted after the invoice was read is not requested again', async () => {
  const underWay = { state: 'pending', remoteStatus: 'Issued', resourceId: 'i1' };
  expect(await Promise.all(['Pending', 'Accepted', 'Processing'].map(lookedUp))).toEqual([
    underWay,
    underWay,
    underWay,
  ]);
});

test('a rejected or unlisted cancellation leaves the invoice valid', async () => {
  expect(await Promise.all(['Rejected', undefined].map(lookedUp))).toEqual(['absent', 'absent']);
});

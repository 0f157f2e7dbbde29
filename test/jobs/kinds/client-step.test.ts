import { expect, test } from 'vitest';
import { FiscalError } from '../../../src/errors/fiscal-error.js';
import { clientSteps } from '../../../src/jobs/kinds/client-step.js';
import type { ItemRow, ItemState } from '../../../src/store/store.js';

const item = { input: { step: 'capture', family: 'nfe', after: [3], wanted: {} } } as unknown as ItemRow;

/** What may be said of the item before it is sent, where the company before it stands so. */
async function admission(state: ItemState): Promise<unknown> {
  const company = { state, label: '11444777000161 company', resourceId: 'c1' };
  const items = { list: async () => await Promise.resolve([company]) };
  const own = await clientSteps().ofItem?.(item, { store: { items } as never, jobId: 'j1' });
  return await own?.kind.admit?.({} as never, item);
}

test.each(['succeeded', 'skipped'] as const)('a step after one that has %s is sent', async (state) => {
  expect(await admission(state)).toBeUndefined();
});

test.each(['failed', 'rejected', 'uncertain', 'cancelled'] as const)(
  'a step after one that is %s is not sent, and says why',
  async (state) => {
    expect(await admission(state)).toMatchObject({
      code: 'client.step_blocked',
      message: 'not sent, because an earlier step of the same client did not succeed: 11444777000161 company',
    });
  },
);

test.each(['prepared', 'sending', 'pending'] as const)('a step waits for one that is %s', async (state) => {
  await expect(admission(state)).rejects.toMatchObject({ code: 'client.step_waits' });
});

test('a PFX that cannot be opened any more fails its own step', async () => {
  const certificate = { input: { step: 'certificate', file: 'a.pfx', after: [], wanted: {} } };
  const unusable = new FiscalError('certificate.unusable', { path: 'a.pfx', reason: 'gone' }, { sent: 'no' });
  const secrets = { pfx: () => Promise.reject(unusable), webhookSecret: () => Promise.resolve('') };
  const place = { store: {} as never, jobId: 'j1' };
  const own = await clientSteps(secrets).ofItem?.(certificate as unknown as ItemRow, place);
  expect(await own?.kind.admit?.({} as never, item)).toBe(unusable);
});

test('without passwords a certificate is not sent', async () => {
  const certificate = { input: { step: 'certificate', file: 'a.pfx', after: [], wanted: {} } };
  const own = await clientSteps().ofItem?.(certificate as unknown as ItemRow, { store: {} as never, jobId: 'j1' });
  expect(await own?.kind.admit?.({} as never, item)).toMatchObject({ code: 'client.secret_needed' });
});

test('one sending opens a PFX once', async () => {
  const certificate = { input: { step: 'certificate', file: 'a.pfx', after: [], wanted: {} } };
  const opened: string[] = [];
  const pfx = async (file: string) => {
    opened.push(file);
    return await Promise.resolve({ file: new Uint8Array([1]), password: 'x' });
  };
  const secrets = { pfx, webhookSecret: () => Promise.resolve('') };
  const place = { store: {} as never, jobId: 'j1' };
  const own = await clientSteps(secrets).ofItem?.(certificate as unknown as ItemRow, place);
  if (own === undefined) throw new Error('the step has no kind');
  const sent: string[] = [];
  const client = {
    call: async (operation: string) => {
      sent.push(operation);
      return await Promise.resolve({ status: 200, body: { certificates: [] } });
    },
  };
  expect(await own.kind.admit?.({} as never, own.item)).toBeUndefined();
  await own.kind.send(client as never, own.item, {});
  expect([opened, sent]).toEqual([['a.pfx'], ['certificate.upload', 'certificate.list']]);
});

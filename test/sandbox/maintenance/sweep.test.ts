import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RunningSandbox } from '../../../src/contract/sandbox.js';
import { startSandbox } from '../../../src/sandbox/start.js';
import { sendTo } from '../../conformance/service.js';
import { backfillPath, nfseListPath } from '../../facts/inbound.js';
import { noticesPath, releasePath } from '../../facts/maintenance.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

async function using<Result>(path: string, use: (sandbox: RunningSandbox) => Promise<Result>) {
  const sandbox = await startSandbox({ path });
  try {
    return await use(sandbox);
  } finally {
    await sandbox.close();
  }
}

/** `request` is the method and the path, e.g. `GET /v2/companies`. */
async function send({ ready }: RunningSandbox, request: string, body?: object) {
  const [method = '', path = ''] = request.split(' ');
  const sending = { key: ready.invoiceKey, ...(body === undefined ? {} : { body }) };
  return (await sendTo(ready.url)(method, path, sending)).json;
}

const advance = (sandbox: RunningSandbox, by: string) => send(sandbox, 'POST /__sandbox/clock', { advance: by });
const ask = (sandbox: RunningSandbox, released: boolean) =>
  send(sandbox, `POST ${releasePath(sandbox.ready.companyId)}`, { released });
const summary = (sandbox: RunningSandbox) => send(sandbox, `GET ${backfillPath(sandbox.ready.companyId)}`);
const listed = async (sandbox: RunningSandbox): Promise<number> =>
  (await send(sandbox, `GET ${nfseListPath(sandbox.ready.companyId)}?hasTotals=true`)).totalResults;
const notices = async (sandbox: RunningSandbox) =>
  (await send(sandbox, `GET ${noticesPath(sandbox.ready.companyId)}`)).notifications;

/** A history of ten documents, a batch of three each second, and a clock that stands still. */
async function prepare(sandbox: RunningSandbox): Promise<void> {
  await send(sandbox, 'POST /__sandbox/seed', { scenario: 'history', documents: 10, companies: 1 });
  await send(sandbox, 'POST /__sandbox/sweep', { documents: 3, every: '1s' });
  await send(sandbox, 'POST /__sandbox/clock', { freeze: true });
}

describe('a sweep of the history', () => {
  it('resumes after a restart, each document once', async () => {
    const path = join(temporaryFolder(), 'sandbox.db');
    await using(path, async (sandbox) => {
      await prepare(sandbox);
      await ask(sandbox, true);
      await advance(sandbox, '2s');
      expect(await summary(sandbox)).toMatchObject({ released: true, hiddenDocumentsCount: 4 });
    });
    await using(path, async (sandbox) => {
      expect(await summary(sandbox)).toMatchObject({ released: true, hiddenDocumentsCount: 4 });
      await advance(sandbox, '1s');
      expect(await summary(sandbox)).toMatchObject({ released: true, hiddenDocumentsCount: 1 });
    });
    await using(path, async (sandbox) => {
      await advance(sandbox, '1s');
      expect(await summary(sandbox)).toMatchObject({ released: true, hiddenDocumentsCount: 0 });
      const { documents } = await send(sandbox, `GET ${nfseListPath(sandbox.ready.companyId)}`);
      const times = documents.map(({ modifiedOn }: { modifiedOn: string }) => modifiedOn);
      expect([documents.length, new Set(times).size]).toEqual([10, 4]);
      expect(await notices(sandbox)).toMatchObject([{ type: 'BackfillReleased' }]);
      expect((await send(sandbox, 'GET /__sandbox/status')).dueWork).toBe(0);
    });
  });

  it('catches up with the work that fell due while no process ran', async () => {
    const path = join(temporaryFolder(), 'sandbox.db');
    await using(path, async (sandbox) => {
      await prepare(sandbox);
      await ask(sandbox, true);
    });
    await using(path, async (sandbox) => {
      await advance(sandbox, '1h');
      expect(await summary(sandbox)).toMatchObject({ released: true, hiddenDocumentsCount: 0 });
    });
  });

  it.each([
    { first: true, last: false, hidden: 10, kind: 'BackfillRevoked' },
    { first: false, last: true, hidden: 0, kind: 'BackfillReleased' },
  ])('is replaced by a newer request: $last after $first', async ({ first, last, hidden, kind }) => {
    await using(':memory:', async (sandbox) => {
      await prepare(sandbox);
      if (!first) {
        await ask(sandbox, true);
        await advance(sandbox, '1m');
      }
      await ask(sandbox, first);
      await advance(sandbox, '2s');
      expect(await summary(sandbox)).toMatchObject({ released: first, hiddenDocumentsCount: first ? 4 : 6 });
      await ask(sandbox, last);
      expect(await summary(sandbox)).toMatchObject({ released: last, hiddenDocumentsCount: first ? 4 : 6 });
      await advance(sandbox, '1m');
      expect(await summary(sandbox)).toMatchObject({ released: last, hiddenDocumentsCount: hidden });
      expect(await listed(sandbox)).toBe(10 - hidden);
      expect((await notices(sandbox)).slice(0, 2)).toMatchObject([{ type: kind }, { type: 'BackfillReplaced' }]);
    });
  });

  it('ends as last requested, however often that changes', async () => {
    await using(':memory:', async (sandbox) => {
      await prepare(sandbox);
      for (const released of [true, false, true, false, true]) {
        await ask(sandbox, released);
        await advance(sandbox, '1s');
      }
      await advance(sandbox, '1m');
      expect(await summary(sandbox)).toMatchObject({ released: true, hiddenDocumentsCount: 0 });
      expect((await send(sandbox, 'GET /__sandbox/status')).dueWork).toBe(0);
    });
  });

  it('of one company does not affect the others', async () => {
    await using(':memory:', async (sandbox) => {
      await send(sandbox, 'POST /__sandbox/seed', { scenario: 'history', documents: 10, companies: 2 });
      await send(sandbox, 'POST /__sandbox/clock', { freeze: true });
      const { companies } = await send(sandbox, 'GET /v2/companies');
      await ask(sandbox, true);
      await advance(sandbox, '1m');
      const summaries = companies.map(({ id }: { id: string }) => send(sandbox, `GET ${backfillPath(id)}`));
      expect(await Promise.all(summaries)).toMatchObject([
        { released: true, hiddenDocumentsCount: 0 },
        { released: false, hiddenDocumentsCount: 5 },
      ]);
    });
  });

  it('advances in real time, without the clock route', async () => {
    await using(':memory:', async (sandbox) => {
      await send(sandbox, 'POST /__sandbox/seed', { scenario: 'history', documents: 10, companies: 1 });
      await send(sandbox, 'POST /__sandbox/sweep', { documents: 3, every: '5ms' });
      await ask(sandbox, true);
      let hidden = 10;
      while (hidden > 0) hidden = (await summary(sandbox)).hiddenDocumentsCount;
      expect(await listed(sandbox)).toBe(10);
    });
  });

  it('runs once when two servers share the file, and continues when one of them stops', async () => {
    const path = join(temporaryFolder(), 'sandbox.db');
    await using(path, async (one) => {
      await using(path, async (two) => {
        await prepare(one);
        await ask(one, true);
        await advance(two, '2s');
        expect(await summary(one)).toMatchObject({ hiddenDocumentsCount: 4 });
      });
      await advance(one, '1m');
      expect(await summary(one)).toMatchObject({ released: true, hiddenDocumentsCount: 0 });
      expect(await notices(one)).toMatchObject([{ type: 'BackfillReleased' }]);
    });
  });

  it('is not restarted when the capture is registered again, which ends the release', async () => {
    await using(':memory:', async (sandbox) => {
      await prepare(sandbox);
      await ask(sandbox, true);
      await advance(sandbox, '2s');
      const { companyId } = sandbox.ready;
      await send(sandbox, `DELETE ${nfseListPath(companyId)}/details`);
      await send(sandbox, 'POST /v2/companies/inbound/nfse', { companyId, startFromDate: '2020-01-01' });
      await advance(sandbox, '1m');
      expect(await summary(sandbox)).toEqual({ startFromDate: '2020-01-01', released: false, hiddenDocumentsCount: 0 });
    });
  });
});

describe('the pace of the sweep', () => {
  it('is shown, changed in part and reset', async () => {
    await using(':memory:', async (sandbox) => {
      const usual = { documents: 1_000, everyMs: 200 };
      expect(await send(sandbox, 'GET /__sandbox/sweep')).toEqual(usual);
      expect(await send(sandbox, 'POST /__sandbox/sweep', { every: '2s' })).toEqual({
        documents: 1_000,
        everyMs: 2_000,
      });
      expect(await send(sandbox, 'DELETE /__sandbox/sweep')).toEqual(usual);
    });
  });

  it.each([{ documents: 0 }, { every: '0s' }, { every: 'soon' }, { pace: 1 }])('cannot be %j', async (wrong) => {
    await using(':memory:', async (sandbox) => {
      expect((await send(sandbox, 'POST /__sandbox/sweep', wrong)).error.code).toBe('validation_error');
    });
  });
});

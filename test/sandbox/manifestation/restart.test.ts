import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RunningSandbox } from '../../../src/contract/sandbox.js';
import { startSandbox } from '../../../src/sandbox/start.js';
import { sendTo } from '../../conformance/service.js';
import {
  nfeEventPath,
  nfeKey,
  nfeSubmitPath,
  nfseDetailPath,
  nfseKey,
  nfseSubmitPath,
} from '../../facts/manifestation.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

async function using<Result>(path: string, use: (sandbox: RunningSandbox) => Promise<Result>) {
  const sandbox = await startSandbox({ path, validationDelayMs: 60_000 });
  try {
    return await use(sandbox);
  } finally {
    await sandbox.close();
  }
}

/** `request` is the method and the path, e.g. `GET /v2/companies`. */
function send({ ready }: RunningSandbox, request: string, body?: object) {
  const [method = '', path = ''] = request.split(' ');
  return sendTo(ready.url)(method, path, { key: ready.invoiceKey, ...(body === undefined ? {} : { body }) });
}

const body = { eventCode: 210200, nSequencia: 1, detail: {} };
const submitNfe = (sandbox: RunningSandbox) => send(sandbox, `POST ${nfeSubmitPath(nfeKey)}`, body);

describe('a restart in the middle', () => {
  it('keeps Pending events and sends them once afterwards', async () => {
    const path = join(temporaryFolder(), 'sandbox.db');
    const ids = await using(path, async (sandbox) => {
      const taker = nfseSubmitPath(sandbox.ready.companyId, nfseKey);
      const nfse = await send(sandbox, `POST ${taker}`, { eventCode: 203202 });
      return [(await submitNfe(sandbox)).json.id, nfse.json.id];
    });
    await using(path, async (sandbox) => {
      const [nfe = '', nfse = ''] = ids;
      expect((await submitNfe(sandbox)).status).toBe(409);
      await send(sandbox, 'POST /__sandbox/clock', { advance: '2m' });
      const events = [nfeEventPath(nfe), nfseDetailPath(sandbox.ready.companyId, nfse)];
      const statuses = events.map(async (url) => (await send(sandbox, `GET ${url}`)).json.status);
      expect(await Promise.all(statuses)).toEqual(['Accepted', 'Accepted']);
      const authority = await send(sandbox, 'GET /__sandbox/authority');
      expect(authority.json).toEqual({ rules: [], sendings: 2, registered: 2 });
    });
  });

  it('keeps a delayed send', async () => {
    const path = join(temporaryFolder(), 'sandbox.db');
    const id = await using(path, async (sandbox) => {
      await send(sandbox, 'POST /__sandbox/authority', { delayMs: 86_400_000, outcome: 'fail' });
      const { json } = await submitNfe(sandbox);
      await send(sandbox, 'POST /__sandbox/clock', { advance: '2m' });
      return json.id;
    });
    await using(path, async (sandbox) => {
      const statusOf = async () => (await send(sandbox, `GET ${nfeEventPath(id)}`)).json.status;
      expect(await statusOf()).toBe('Pending');
      await send(sandbox, 'POST /__sandbox/clock', { advance: '1d' });
      expect(await statusOf()).toBe('Failed');
    });
  });

  it('sends in real time, within the delay of the sandbox, without the clock route', async () => {
    const sandbox = await startSandbox({ path: ':memory:', validationDelayMs: 20 });
    try {
      const { json } = await submitNfe(sandbox);
      let status = 'Pending';
      while (status === 'Pending') status = (await send(sandbox, `GET ${nfeEventPath(json.id)}`)).json.status;
      expect(status).toBe('Accepted');
    } finally {
      await sandbox.close();
    }
  });

  it('leaves at most one active event per key, code and sequence when two servers accept the same one at once', async () => {
    const path = join(temporaryFolder(), 'sandbox.db');
    await using(path, (one) =>
      using(path, async (two) => {
        const servers = [one, two];
        const answers = await Promise.all(
          Array.from({ length: 20 }, (_, index) => submitNfe(servers[index % 2] ?? one)),
        );
        const count = (status: number) => answers.filter((answer) => answer.status === status).length;
        expect([count(202), count(409)]).toEqual([1, 19]);
        const { json } = await send(one, 'GET /__sandbox/ledger?effects=true');
        expect(json.entries.map((entry: { effect: unknown }) => entry.effect)).toEqual([
          {
            created: 'nfe-manifestation',
            id: expect.any(String),
            accessKey: nfeKey,
            eventCode: '210200',
            nSequencia: '1',
          },
        ]);
      }),
    );
  });
});

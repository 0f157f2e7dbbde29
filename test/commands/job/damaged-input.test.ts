import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { ItemState } from '../../../src/store/store.js';
import { kindNames } from '../../../src/jobs/kinds/registry.js';
import { virtualClock } from '../../jobs/virtual-clock.js';
import { newItem, newJob, noon, openJob } from '../../store/samples.js';
import { runFiscal, testHost, type TestHost } from '../../support/host.js';
import { seed } from '../seed.js';

let server: Server;
let requests = 0;

beforeAll(async () => {
  server = createServer((_incoming, outgoing) => {
    requests += 1;
    outgoing.writeHead(500).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
beforeEach(() => {
  requests = 0;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/** A machine with one job of this kind, whose one item has lost its input. */
async function hostWith(kind: string, state: ItemState): Promise<TestHost> {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const host = testHost({
    clock: virtualClock(Date.now()),
    env: {
      ...{ FISCAL_PRODUCT_URL: url, FISCAL_QUERY_URL: url, FISCAL_SERVICE_URL: url },
      ...{ FISCAL_INVOICE_KEY: 'k', FISCAL_DATA_KEY: 'k', FISCAL_TENANT: 't-1', FISCAL_COMPANY: 'c-1' },
    },
  });
  await seed(host, async (store) => {
    const item = newItem(1, { input: {} });
    await openJob(store, [item], newJob({ kind, profile: 'environment' }));
    if (state === 'prepared') return;
    const patch = { state, holdsKey: state !== 'failed', keep: false, attempts: 1, sentAt: noon };
    await store.items.decide(item.id, 'prepared', patch, { at: noon, step: { is: 'read' } });
  });
  return host;
}

const states = ['prepared', 'sending', 'pending', 'failed', 'uncertain'] as const;
const works = [['items'], ['items', '--full'], ['resume', '--yes'], ['resume', '--failed', '--yes'], ['show']] as const;

test.each(kindNames)('a %s whose item has lost its input is damage, and nothing is sent', async (kind) => {
  for (const state of states) {
    const host = await hostWith(kind, state);
    for (const [verb, ...flags] of works) {
      const line = ['job', verb, 'job-1', ...flags, '-o', 'json', '--no-input'];
      const { exitCode, stderr } = await runFiscal(line, host);
      expect({ verb, state, isDefect: exitCode === 1, stderr }).toMatchObject({ isDefect: false });
      if (verb === 'items') expect(stderr).toContain(`"code":"store.damaged"`);
    }
    const words = ['job', 'items', 'job-1', '-o', 'table', '--lang', 'pt-BR'];
    const { exitCode, stderr } = await runFiscal(words, host);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(`a entrada do item item-1 não é uma de ${kind}: `);
  }
  expect(requests).toBe(0);
});

import { describe, expect, it } from 'vitest';
import { runFiscal, type RunResult, testHost } from '../../support/host.js';
import { openReceiver } from '../../support/webhook-receiver.js';

const json = (result: RunResult) => JSON.parse(result.stdout);

/** A sandbox with one webhook, and what reaches that after its ping. */
async function subscribed() {
  const host = testHost();
  const receiver = await openReceiver();
  const run = (...words: string[]) => runFiscal([...words, '--profile', 'sandbox', '-o', 'json'], host);
  const created = await run('webhook', 'create', receiver.url, '--yes');
  expect(created.exitCode).toBe(0);
  receiver.received.length = 0;
  return { receiver, deliver: (...words: string[]) => run('sandbox', 'deliver', ...words), run };
}

describe('fiscal sandbox deliver', () => {
  it('sends one event before it exits, and shows the result', async () => {
    const { receiver, deliver } = await subscribed();
    const result = await deliver('product.active', '--resource', 'p-1', '--payload', '{"sku":"A"}');
    expect(receiver.received.map((one) => one.json)).toEqual([
      { action: 'product.active', payload: { id: 'p-1', sequence: 1, sku: 'A' } },
    ]);
    expect(json(result)).toMatchObject([
      { type: 'delivery', event: 'product.active', resource: 'p-1', state: 'delivered', status: 200 },
    ]);
  });

  it('counts many, with the requested faults', async () => {
    const { receiver, deliver, run } = await subscribed();
    const added = await run('sandbox', 'fault', 'add', '--kind', 'doubled', '--count', '3');
    expect(json(added)).toMatchObject({ operation: 'deliveries', kind: 'doubled', count: 3 });
    const result = await deliver('product.error', '--count', '40', '--resources', '5');
    expect(json(result)).toEqual({
      event: 'product.error',
      events: 40,
      genuine: { delivered: 40 },
      copies: { delivered: 3 },
      forged: {},
    });
    const ids = receiver.received.map((one) => one.json.payload.id);
    expect([ids.length, new Set(ids).size]).toEqual([43, 5]);
  });

  it('reports that no webhook subscribes to the event', async () => {
    const result = await runFiscal(['sandbox', 'deliver', 'product.active']);
    expect([result.exitCode, result.stderr.includes('No active webhook')]).toEqual([6, true]);
  });

  it.each([
    [['deliver']],
    [['deliver', 'product.active', '--payload', 'x']],
    [['deliver', 'product.active', '--payload', '[1]']],
    [['deliver', 'product.active', '--count', '0']],
  ])('exits 2 on %j', async (words) => {
    const result = await runFiscal(['sandbox', ...words]);
    expect([result.exitCode, result.stdout]).toEqual([2, '']);
  });
});

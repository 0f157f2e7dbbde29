import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startSandbox } from '../../../src/sandbox/start.js';
import { sendTo } from '../../conformance/service.js';
import { webhooksPath } from '../../facts/webhook.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { openReceiver } from '../../support/webhook-receiver.js';

it('two servers on one file send each delivery once', async () => {
  const path = join(temporaryFolder(), 'sandbox.db');
  const receiver = await openReceiver();
  const one = await startSandbox({ path });
  const two = await startSandbox({ path });
  try {
    const { invoiceKey: key } = one.ready;
    const body = { webHook: { uri: receiver.url } };
    await sendTo(one.url)('POST', webhooksPath, { key, body });
    receiver.received.length = 0;
    const deliver = (url: string, event: string) =>
      sendTo(url)('POST', '/__sandbox/deliveries', { body: { event, count: 150, resources: 30 } });
    await Promise.all([deliver(one.url, 'product.active'), deliver(two.url, 'product.error')]);
    await receiver.arrived(300);
    const seen = receiver.received.map(({ headers }) => headers['x-hook-id']);
    expect([seen.length, new Set(seen).size]).toEqual([300, 300]);
  } finally {
    await Promise.all([one.close(), two.close()]);
  }
});

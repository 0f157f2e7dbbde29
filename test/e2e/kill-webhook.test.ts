import { expect, it } from 'vitest';
import { drillWebhook } from '../../bench/drill/webhook.js';

it('kill -9 at any moment of a listener whose target comes and goes: every event goes out in order, no forged one is kept', async () => {
  const found = await drillWebhook({ events: 300, resources: 30, kills: 4, seed: 5 });
  expect(found.right).toEqual({
    kills: 4,
    acknowledged: 300,
    forgedTaken: 0,
    forwarded: 300,
    lost: 0,
    outOfOrder: 0,
    stored: { delivered: 300, others: 0, forged: 0 },
    exitCode: 0,
  });
  expect(found.forgedRefused).toBe(3);
  expect(found.copies).toBeGreaterThan(5);
}, 180_000);

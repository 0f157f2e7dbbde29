import { expect, it } from 'vitest';
import { drillWebhook, type WebhookSizes } from '../../bench/drill/webhook.js';

/** What must be so whatever was killed, and whatever the clocks of the listeners said. */
const right = ({ events, kills }: WebhookSizes) => ({
  ...{ kills, acknowledged: events, forgedTaken: 0, lost: 0, outOfOrder: 0, doubled: 0, uncounted: 0 },
  ...{ falselyDone: 0, undelivered: 0, forgedStored: 0, exitCodes: [0, 0] },
});

it('kill -9 at any moment of two listeners with wrong clocks and an unreliable target: every event is forwarded in order, no forged one is kept', async () => {
  const sizes = { scheme: 'hub-sha1', events: 300, resources: 30, kills: 4, seed: 5 } as const;
  const found = await drillWebhook(sizes);
  expect(found.right).toEqual(right(sizes));
  expect([found.forgedRefused, found.askedLater]).toEqual([3, 0]);
  expect(found.copies).toBeGreaterThan(5);
});

it('a listener whose clock is an hour off postpones deliveries with signed times, and loses none', async () => {
  const sizes = { scheme: 'standard-webhooks', events: 40, resources: 8, kills: 6, seed: 5 } as const;
  const found = await drillWebhook(sizes);
  expect(found.right).toEqual(right(sizes));
  expect(found.askedLater).toBeGreaterThan(0);
});

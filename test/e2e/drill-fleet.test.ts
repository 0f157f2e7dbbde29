import { expect, it } from 'vitest';
import { drillFleet } from '../../bench/drill/fleet.js';
import { drillWebhook } from '../../bench/drill/webhook.js';

// `npm run drill -- fleet` and `-- listen` have many more of each.

it.concurrent('runners of several machines on one store, killed and cut off, with every fault: nothing doubled, nothing lost, every claim true', async () => {
  const found = await drillFleet({
    ...{ manifestations: 40, products: 12, invoices: 8 },
    ...{ runners: 2, kills: 2, stops: 1, cuts: 2, seed: 5 },
  });
  // With so few items a life may end before its kill.
  expect([found.kills > 0, found.stops, found.cuts]).toEqual([true, 1, 2]);
  const right = { doubled: 0, lost: 0, miscounted: 0, falselyDone: 0, falselyFailed: 0, unfinished: 0 };
  expect(found.claims).toMatchObject(['manifestations', 'products', 'nfe'].map((kind) => ({ kind, ...right })));
});

it.concurrent('replicas behind a balancer: each event stored once, forwarded, in the order of its resource', async () => {
  const sizes = { scheme: 'hub-sha1', events: 150, resources: 15, kills: 3, seed: 5, replicas: 3 } as const;
  expect((await drillWebhook(sizes)).right).toEqual({
    ...{ kills: 3, acknowledged: 150, forgedTaken: 0, lost: 0, outOfOrder: 0, doubled: 0, uncounted: 0 },
    ...{ falselyDone: 0, undelivered: 0, forgedStored: 0, exitCodes: [0, 0, 0] },
  });
});

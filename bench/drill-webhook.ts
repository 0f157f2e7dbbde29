import { isDeepStrictEqual } from 'node:util';
import { drillWebhook, type WebhookFindings, type WebhookSizes } from './drill/webhook.js';

/**
 * `drill-webhook [events resources kills seed]`: events sent twice, out of order and forged, to two machines, whose listeners are
 * killed with SIGKILL and live with another wall clock each time, while the target of their forwards is away a third of the
 * time. Then a tenth of it with signatures that have a time. Ends 0 only if every acknowledged event was forwarded, each resource in
 * the order of its acknowledgements, every copy counted, and nothing else stored.
 */
async function drill(): Promise<void> {
  const [events = 10_000, resources = 1_000, kills = 30, seed = 1] = process.argv.slice(2).map(Number);
  await report({ scheme: 'hub-sha1', events, resources, kills, seed });
  const [fewer, less] = [Math.ceil(events / 10), Math.ceil(resources / 10)];
  await report({ scheme: 'standard-webhooks', events: fewer, resources: less, kills, seed });
}

async function report(sizes: WebhookSizes): Promise<void> {
  const found = await drillWebhook(sizes);
  const { right, copies, forgedRefused, unanswered, askedLater, repeats, refusedWhileDown } = found;
  const { scheme, events, resources } = sizes;
  console.log(
    `${scheme}: ${events} events of ${resources} resources to two machines; ${right.kills} kills, ${found.lives} lives, ${found.seconds} s`,
  );
  console.log(
    `acknowledged ${right.acknowledged} and ${copies} copies, uncounted ${right.uncounted}, forged ${forgedRefused} refused and ${right.forgedTaken + right.forgedStored} taken`,
  );
  console.log(
    `doubled ${right.doubled}, lost ${right.lost}, falsely done ${right.falselyDone}, undelivered ${right.undelivered}, resources out of order ${right.outOfOrder}`,
  );
  console.log(
    `sent again for want of an answer ${unanswered}, put off ${askedLater}; forwarded again after a kill ${repeats}, refused by the target while away ${refusedWhileDown}`,
  );
  if (isDeepStrictEqual(right, expected(sizes))) return;
  console.log('not as expected', JSON.stringify(right));
  process.exitCode = 1;
}

function expected({ events, kills }: WebhookSizes): WebhookFindings['right'] {
  return {
    ...{ kills, acknowledged: events, forgedTaken: 0, lost: 0, outOfOrder: 0, doubled: 0, uncounted: 0 },
    ...{ falselyDone: 0, undelivered: 0, forgedStored: 0, exitCodes: [0, 0] },
  };
}

await drill();

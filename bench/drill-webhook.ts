import { isDeepStrictEqual } from 'node:util';
import { drillWebhook, type WebhookFindings, type WebhookSizes } from './drill/webhook.js';

/**
 * `drill-webhook [events resources kills seed]`: events sent twice, out of order and forged, while the listener is killed and
 * the target of its forwards is away a third of the time. Ends 0 only if every genuine event was forwarded, each resource in
 * the order of its acknowledgements, and nothing else was stored.
 */
async function drill(): Promise<void> {
  const [events = 10_000, resources = 1_000, kills = 30, seed = 1] = process.argv.slice(2).map(Number);
  const sizes = { events, resources, kills, seed };
  const found = await drillWebhook(sizes);
  const { right, copies, forgedRefused, unanswered, repeats, refusedWhileDown, lives, seconds } = found;
  console.log(
    `${events} events of ${resources} resources, ${copies} doubled, ${forgedRefused} forged; ${right.kills} kills in ${lives} lives, ${seconds} s`,
  );
  console.log(
    `acknowledged ${right.acknowledged}, forwarded ${right.forwarded}, lost ${right.lost}, resources out of order ${right.outOfOrder}`,
  );
  console.log(
    `stored: delivered ${right.stored.delivered}, in other states ${right.stored.others}, forged ${right.stored.forged}; forged and taken ${right.forgedTaken}`,
  );
  console.log(
    `sent again for want of an answer ${unanswered}, forwarded again after a kill ${repeats}, refused by the target while away ${refusedWhileDown}`,
  );
  if (isDeepStrictEqual(right, expected(sizes))) return;
  console.log('not as expected');
  process.exitCode = 1;
}

function expected({ events, kills }: WebhookSizes): WebhookFindings['right'] {
  return {
    ...{ kills, acknowledged: events, forgedTaken: 0, forwarded: events, lost: 0, outOfOrder: 0 },
    ...{ stored: { delivered: events, others: 0, forged: 0 }, exitCode: 0 },
  };
}

await drill();

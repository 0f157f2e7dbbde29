import { drillWebhook } from './drill/webhook.js';

/**
 * `drill-listen [events resources kills replicas seed]`: replicas of `webhook listen` on one store, behind a balancer that gives
 * events of one resource to any of them, while they are killed with SIGKILL. Ends 0 only if each event is stored once, forwarded, and
 * each resource in the order of its acknowledgements.
 */
async function drill(): Promise<void> {
  const [events = 20_000, resources = 2_000, kills = 30, replicas = 3, seed = 1] = process.argv.slice(2).map(Number);
  const found = await drillWebhook({ scheme: 'hub-sha1', events, resources, kills, seed, replicas });
  const { right, lives, seconds, copies, repeats } = found;
  console.log(
    `${events} events of ${resources} resources to ${replicas} replicas, ${right.kills} kills in ${lives} lives, ${seconds} s`,
  );
  console.log(`${copies} copies; forwarded again after a kill ${repeats}; ${JSON.stringify(right)}`);
  const { acknowledged, lost, outOfOrder, doubled, uncounted, falselyDone, undelivered, forgedStored } = right;
  const wrong = lost + outOfOrder + doubled + uncounted + falselyDone + undelivered + forgedStored;
  const ends = right.exitCodes.every((exitCode) => exitCode === 0);
  if (wrong > 0 || acknowledged !== events || right.forgedTaken > 0 || !ends) process.exitCode = 1;
}

await drill();

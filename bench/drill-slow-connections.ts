import { drillSlowConnections } from './drill/slow-connections.js';

/**
 * `drill-slow-connections [connections seconds]`: a listener under slow connections of forty addresses, which are opened again
 * as soon as they are closed, while a signed delivery comes every quarter of a second, in turn from an address of its own and
 * from one of theirs. Ends 0 only if each was acknowledged at its first try within 5 s, and the listener ends within 10 s.
 */
async function drill(): Promise<void> {
  const [connections = 5_000, seconds = 60] = process.argv.slice(2).map(Number);
  const found = await drillSlowConnections({ connections, seconds });
  const { opened, delivered, slowestMs, failed, endedMs, exitCode, heldMost } = found;
  console.log(
    `${connections} slow connections kept open, ${opened} opened in ${seconds} s; the listener held ${heldMost} at most`,
  );
  console.log(
    `${delivered} deliveries acknowledged, the slowest after ${slowestMs} ms, ${failed} not; it ended with ${String(exitCode)} after ${endedMs} ms`,
  );
  const isRight = delivered > 0 && failed === 0 && slowestMs <= 5_000 && exitCode === 0 && endedMs <= 10_000;
  if (isRight) return;
  console.log('not as expected');
  process.exitCode = 1;
}

await drill();

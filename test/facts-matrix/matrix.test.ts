import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { StandingClock } from '../support/clock.js';
import { serveInbound, type InboundService } from '../support/inbound-service.js';
import { machineBefore } from '../support/service-host.js';
import { Cells, summarised } from './cells.js';
import { listLocal, listService, sums, sync } from './lists.js';
import { close, items, packages, reconcile, reconcileSped, report, table, verify } from './months.js';
import { judge } from './reader.js';
import { calendar, due, horizon, plan } from './terms.js';
import { makeWorld, now } from './world.js';

/** In the order of a month in an office: the later ones read what the earlier ones left. */
const commands = [
  ...[sync, listLocal, listService, sums, close, verify, reconcile, reconcileSped],
  ...[due, plan, calendar, horizon, report, table, items, packages],
];

describe.each([
  { seed: 1, documents: 2_000 },
  { seed: 2, documents: 300 },
])('a world of $documents documents, from seed $seed', ({ seed, documents }) => {
  const world = makeWorld({ seed, documents });
  let service: InboundService;

  beforeAll(async () => {
    service = await serveInbound(world, { now: () => now });
  });
  afterAll(() => service.close());

  test('every command says of each document what the law says', { timeout: 240_000 }, async () => {
    const ready = { url: service.url, invoiceKey: 'i-key', dataKey: 'd-key', tenantId: 't1', companyId: 'c1' };
    const machine = machineBefore(ready, { clock: new StandingClock(now) });
    const asking = { machine, cells: new Cells(), judged: judge(world), world };
    for (const command of commands) await command(asking);
    const { cells } = asking;
    const counts = cells.byCommand().map(([command, count]) => `${command} ${count}`);
    console.info(`${cells.total} cells: ${counts.join(', ')}`);
    expect(summarised(cells.differences)).toBe('');
  });
});

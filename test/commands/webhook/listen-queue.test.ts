import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, it } from 'vitest';
import { DeliveryQueue, type DeliveryQueueDependencies, Outage } from '../../../src/commands/webhook/listen-queue.js';
import { failureWords, type Target, type TargetFailure } from '../../../src/commands/webhook/targets.js';
import { thisMachine } from '../../../src/jobs/lease.js';
import { openStore } from '../../../src/store/sqlite/open.js';
import type { Store } from '../../../src/store/store.js';
import { realClock } from '../../support/clock.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

let store: Store;
let path: string;
const failure: TargetFailure = { reason: { is: 'target-status', status: 500 } };

beforeEach(async () => {
  path = join(temporaryFolder(), 'state.db');
  store = await openStore({ path, clock: realClock });
});

afterEach(async () => {
  await store.close();
});

async function add(id: string, resource = `r-${id}`): Promise<void> {
  const body = Buffer.from(`{"id":"${id}"}`);
  const digest = createHash('sha256').update(body).digest('hex');
  const fixed = { profile: 'acme', at: 0, scheme: 'hub-sha1', hookId: 'h', signedId: 'h', event: 'e', wanted: true };
  await store.deliveries.add({ ...fixed, id, resource, body, digest });
}

/** A target with a memory; `answer` decides by the number of the call. */
function target(name: string, answer: (id: string, call: number) => TargetFailure | undefined = () => undefined) {
  const calls: string[] = [];
  const deliver: Target['deliver'] = async ({ id }) => {
    calls.push(id);
    const result = answer(id, calls.length);
    await new Promise((resolve) => setImmediate(resolve));
    return result;
  };
  return { name, calls, deliver };
}

/** Runs until every event is settled. The clock runs ahead, so that pauses cost nothing. */
async function runUntilSettled(
  targets: readonly Target[],
  { store: on = store, ...more }: Partial<DeliveryQueueDependencies> = {},
): Promise<void> {
  const stop = new AbortController();
  let ahead = 0;
  const clock: Store['clock'] = {
    ...store.clock,
    now: () => realClock.now() + ahead,
    async sleep(ms, signal) {
      // The renewal of the lease sleeps longest; it is not what is waited for.
      if (ms === 15_000) return await realClock.sleep(ms, signal);
      await new Promise((resolve) => setImmediate(resolve));
      ahead += Math.min(ms, 1_000);
      const counts = await store.deliveries.counts('acme');
      if (counts.received + counts.forwarding === 0) stop.abort();
    },
  };
  const queue = new DeliveryQueue({
    ...{ store: { ...on, clock }, targets, profile: 'acme', inFlight: 4, maxAttempts: 3 },
    random: { unit: () => 0, uuid: () => crypto.randomUUID() },
    machine: thisMachine(process.pid),
    isBusy: () => false,
    concluded: () => undefined,
    heard: async () => undefined,
    ...more,
  });
  await queue.run(stop.signal);
}

async function state(id: string): Promise<unknown> {
  const row = await store.deliveries.get('acme', id);
  return {
    state: row?.state,
    attempts: row?.attempts,
    doneBy: row?.doneBy,
    error: row?.failures && failureWords(row.failures).en,
  };
}

describe('the queue of events', () => {
  test('delivers every event to every target, and events of one resource in order', async () => {
    for (let number = 0; number < 60; number += 1) await add(`e-${String(number).padStart(2, '0')}`, `r-${number % 3}`);
    const [one, two] = [target('one'), target('two')];
    await runUntilSettled([one, two]);
    for (const { calls } of [one, two]) {
      expect(new Set(calls).size).toBe(60);
      for (const resource of [0, 1, 2]) {
        const own = calls.filter((id) => Number(id.slice(2)) % 3 === resource);
        expect(own).toEqual([...own].sort());
      }
    }
    expect(await store.deliveries.counts('acme')).toMatchObject({ delivered: 60 });
  });

  test('retries only targets that did not accept an event, before the next event of the resource', async () => {
    await add('a', 'same');
    await add('b', 'same');
    const good = target('good');
    const bad = target('bad', (_, call) => (call < 3 ? failure : undefined));
    await runUntilSettled([good, bad]);
    expect(good.calls).toEqual(['a', 'b']);
    expect(bad.calls).toEqual(['a', 'a', 'a', 'b']);
    expect(await state('a')).toEqual({ state: 'delivered', attempts: 3, doneBy: ['good', 'bad'], error: undefined });
  });

  test('gives up an event after its attempts, keeps the reason, and continues with the next of the resource', async () => {
    await add('a', 'same');
    await add('b', 'same');
    const bad = target('bad', (id) => (id === 'a' ? failure : undefined));
    const ends: string[] = [];
    await runUntilSettled([bad], { concluded: ({ id }, patch) => void ends.push(`${id} ${patch.state}`) });
    expect(await state('a')).toEqual({ state: 'dead', attempts: 3, doneBy: [], error: 'bad: HTTP 500' });
    expect(ends).toEqual(['a received', 'a received', 'a dead', 'b delivered']);
  });

  test('uses up the attempts of few events in an outage, and delivers all afterwards', async () => {
    const ids = Array.from({ length: 40 }, (_, number) => `e-${number}`);
    for (const id of ids) await add(id);
    const refusals: (string | undefined)[] = [];
    const down = target('down', (_, call) => (call <= 12 ? failure : undefined));
    const local: Target = { ...target('local'), isLocal: true };
    const heard: DeliveryQueueDependencies['heard'] = async (answers) => {
      refusals.push(...answers.map(({ target: name, refusal }) => `${name}: ${refusal?.is ?? 'taken'}`));
    };
    await runUntilSettled([local, down], { maxAttempts: 9, heard });
    expect(await store.deliveries.counts('acme')).toMatchObject({ delivered: 40, dead: 0 });
    expect(down.calls.length).toBe(52);
    expect(refusals.toSorted()).toEqual([
      ...Array.from({ length: 40 }, () => 'down: taken'),
      ...Array.from({ length: 12 }, () => 'down: target-status'),
    ]);
  });

  test('never delivers an event twice to a target with two queues on one store', async () => {
    for (let number = 0; number < 80; number += 1) await add(`e-${number}`, `r-${number % 20}`);
    const shared = target('shared');
    const second = await openStore({ path, clock: realClock });
    await Promise.all([runUntilSettled([shared]), runUntilSettled([shared], { store: second })]);
    await second.close();
    expect([...shared.calls].sort()).toEqual([...new Set(shared.calls)].sort());
    expect(shared.calls).toHaveLength(80);
  });
});

describe('an outage', () => {
  it('with many concurrent failures counts once, with the shortest pause', () => {
    const outage = new Outage();
    for (let count = 0; count < 16; count += 1) outage.failed(1_000);
    expect([outage.isOn, outage.restUntil]).toEqual([true, 1_250]);
    expect([outage.allowance(1_249, 16, 0), outage.allowance(1_250, 16, 0), outage.allowance(1_250, 16, 1)]).toEqual([
      0, 1, 0,
    ]);
  });

  it('doubles the pause after each failed probe, and ends with the first success', () => {
    const outage = new Outage();
    for (let count = 0; count < 5; count += 1) outage.failed(0);
    const rests = Array.from({ length: 9 }, () => {
      const probeAt = outage.restUntil;
      outage.failed(probeAt);
      return outage.restUntil - probeAt;
    });
    expect(rests).toEqual([500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000]);
    outage.succeeded();
    expect([outage.isOn, outage.allowance(0, 16, 3)]).toEqual([false, 13]);
  });
});

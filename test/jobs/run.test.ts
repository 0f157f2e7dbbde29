import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FiscalError } from '../../src/errors/fiscal-error.js';
import { options, request, scripted, states, workbench, type Workbench } from './workbench.js';

let bench: Workbench;
beforeEach(async () => {
  bench = await workbench();
});
afterEach(async () => {
  await bench.close();
});

const done = () => Promise.resolve({ state: 'succeeded' as const });
const never = () => new Promise<never>(() => undefined);
const refused = (httpStatus: number) =>
  Promise.reject(
    new FiscalError(
      'service.refused',
      { status: httpStatus, message: 'no' },
      { sent: 'yes', httpStatus, retryable: false },
    ),
  );

describe('a run', () => {
  it('sends every item once and ends the job', async () => {
    const kind = scripted(done);
    const engine = await bench.process(1, kind);
    const { job } = await engine.start(request(3));
    const result = await engine.run(job.id, options());
    expect({ stopped: result.stopped, state: result.job.state, sent: kind.sent }).toEqual({
      stopped: 'complete',
      state: 'done',
      sent: ['item 1', 'item 2', 'item 3'],
    });
  });

  it('repeated on the same input finds the same job and sends nothing', async () => {
    const kind = scripted(done);
    const engine = await bench.process(1, kind);
    const first = await engine.start(request(2));
    await engine.run(first.job.id, options());
    const second = await engine.start(request(2));
    await engine.run(second.job.id, options());
    expect({ id: second.job.id, resumed: second.resumed, sent: kind.sent.length }).toEqual({
      id: first.job.id,
      resumed: true,
      sent: 2,
    });
  });

  it('claims the next items while some are left, and holds none at its end', async () => {
    const events: string[] = [];
    const kind = scripted(({ label }) => (events.push(label), done()));
    const engine = await bench.process(1, kind, ({ items }) => {
      const claim = items.claim.bind(items);
      items.claim = async (...wanted) => (events.push('claim'), await claim(...wanted));
    });
    const { job } = await engine.start(request(9));
    const result = await engine.run(job.id, options());
    expect([result.stopped, result.counts.succeeded]).toEqual(['complete', 9]);
    // Four at once, of which two are left when the first two are worked on.
    expect(events.slice(0, 4)).toEqual(['claim', 'item 1', 'item 2', 'claim']);
  });

  it('ends with a claim that fails meanwhile: what is in flight is stored, and the rest is free', async () => {
    const kind = scripted(done);
    let claims = 0;
    const engine = await bench.process(1, kind, ({ items }) => {
      const claim = items.claim.bind(items);
      items.claim = async (...wanted) => {
        claims += 1;
        if (claims > 1) throw new FiscalError('store.full', { path: 'x' });
        return await claim(...wanted);
      };
    });
    const { job } = await engine.start(request(9));
    const result = await engine.run(job.id, options());
    const held: unknown[] = [];
    for await (const { workerId } of engine.items(job.id)) if (workerId !== undefined) held.push(workerId);
    expect({ stopped: result.stopped, claims, held }).toEqual({ stopped: 'store-failed', claims: 2, held: [] });
    expect((await states(engine, job.id)).filter((state) => state === 'succeeded')).toHaveLength(kind.sent.length);
    expect(kind.sent.length).toBeLessThan(5);
  });

  it('without wait stops when everything is sent', async () => {
    const kind = scripted(() => Promise.resolve({ state: 'pending' }));
    const engine = await bench.process(1, kind);
    const { job } = await engine.start(request(2));
    const result = await engine.run(job.id, options({ wait: false }));
    expect([result.stopped, result.job.state, result.counts.pending]).toEqual(['sent', 'open', 2]);
  });

  it('stops at the billable limit with the other items still prepared', async () => {
    const kind = scripted(done);
    const engine = await bench.process(1, kind);
    const billed = { name: 'fake', submit: 'product.create', onceOnly: true, billed: () => true } as const;
    const { job } = await engine.start(request(5, { kind: billed }));
    const result = await engine.run(job.id, options({ maxBillable: 2, concurrency: 1 }));
    expect([result.stopped, result.billed.billed, result.counts.succeeded, result.counts.prepared]).toEqual([
      'billable-limit',
      2,
      2,
      3,
    ]);
  });

  it('counts billed calls by outcome: a refusal does not count, an unknown outcome does', async () => {
    const refused = new FiscalError('service.forbidden', { message: 'no' }, { httpStatus: 403, sent: 'yes' });
    const lost = new FiscalError('service.unavailable', { message: 'cut' }, { sent: 'unknown', retryable: true });
    const outcomes = [refused, refused, lost, undefined, undefined, undefined];
    const kind = scripted(() => {
      const error = outcomes.shift();
      return error === undefined ? done() : Promise.reject(error);
    });
    const engine = await bench.process(1, kind);
    const billed = { name: 'fake', submit: 'product.create', onceOnly: true, billed: () => true } as const;
    const { job } = await engine.start(request(6, { kind: billed }));
    const result = await engine.run(job.id, options({ maxBillable: 3, concurrency: 4 }));
    expect([result.stopped, result.billed, result.counts]).toEqual([
      'billable-limit',
      { billed: 2, unknown: 1, repeats: 0 },
      expect.objectContaining({ failed: 2, uncertain: 1, succeeded: 2, prepared: 1 }),
    ]);
  });

  it('stops at the failure limit', async () => {
    const engine = await bench.process(
      1,
      scripted(() => refused(400)),
    );
    const { job } = await engine.start(request(9));
    const result = await engine.run(job.id, options({ maxFailures: 3, concurrency: 1 }));
    expect([result.stopped, result.counts.failed, result.counts.prepared]).toEqual(['failure-limit', 3, 6]);
  });

  it('stops at 401 and keeps every item for a valid key', async () => {
    const engine = await bench.process(
      1,
      scripted(() => refused(401)),
    );
    const { job } = await engine.start(request(4));
    const result = await engine.run(job.id, options({ concurrency: 1 }));
    expect([result.stopped, result.counts.prepared]).toEqual(['credentials', 4]);
  });

  it('stops when the service asks for a longer pause than allowed, and says so', async () => {
    const facts = { sent: 'yes', httpStatus: 429, retryAfterSeconds: 900, retryable: true } as const;
    const kind = scripted(() => Promise.reject(new FiscalError('service.rate_limited', { seconds: 900 }, facts)));
    const engine = await bench.process(1, kind);
    const { job } = await engine.start(request(1));
    const result = await engine.run(job.id, options());
    expect([result.stopped, result.error?.code, result.counts.prepared]).toEqual([
      'rate-limited',
      'service.rate_limited',
      1,
    ]);
  });

  it('does not wait out a pause of an earlier run that is longer than allowed', async () => {
    const facts = { sent: 'yes', httpStatus: 429, retryAfterSeconds: 900, retryable: true } as const;
    let sends = 0;
    const kind = scripted(() => {
      sends += 1;
      return Promise.reject(new FiscalError('service.busy', { message: '' }, facts));
    });
    const engine = await bench.process(1, kind);
    const { job } = await engine.start(request(1));
    await engine.run(job.id, options());
    const again = await engine.run(job.id, options({ maxRetryWaitMs: 2_000 }));
    expect([sends, again.stopped, again.error?.code, again.error?.facts.retryAfterSeconds]).toEqual([
      1,
      'rate-limited',
      'service.rate_limited',
      900,
    ]);
  });

  it('gives up if the service never answers, with all items still prepared', async () => {
    const facts = { sent: 'no', retryable: true } as const;
    const kind = scripted(() => Promise.reject(new FiscalError('network.unreachable', {}, facts)));
    const engine = await bench.process(1, kind);
    const { job } = await engine.start(request(2));
    const result = await engine.run(job.id, options());
    expect([result.stopped, result.counts.prepared]).toEqual(['unavailable', 2]);
  });

  it('that is interrupted lets requests in flight finish, and prints how to continue', async () => {
    const interruption = new AbortController();
    const reason = new FiscalError('job.interrupted');
    const kind = scripted((_item, nth) => {
      if (nth === 2) interruption.abort(reason);
      return done();
    });
    const engine = await bench.process(1, kind);
    const { job } = await engine.start(request(9));
    const result = await engine.run(job.id, options({ concurrency: 1, signal: interruption.signal }));
    expect(result).toMatchObject({
      ...{ stopped: 'interrupted', finished: 2, counts: { succeeded: 2, prepared: 7 } },
      error: { code: 'job.interrupted', facts: { jobId: job.id, resume: 'fiscal fake' } },
    });
    expect(await states(engine, job.id)).toEqual([
      'succeeded',
      'succeeded',
      ...Array.from({ length: 7 }, () => 'prepared'),
    ]);
  });
});

describe('two processes', () => {
  it('share one job and send each item once', async () => {
    const kind = scripted(async () => {
      await bench.clock.sleep(5);
      return { state: 'succeeded' };
    });
    const one = await bench.process(1, kind);
    const two = await bench.process(2, kind);
    const jobs = await Promise.all([one.start(request(40)), two.start(request(40))]);
    expect(jobs[0]?.job.id).toBe(jobs[1]?.job.id);
    const id = jobs[0]?.job.id ?? '';
    const lockWaitMs = 60_000;
    const results = await Promise.all([one.run(id, options({ lockWaitMs })), two.run(id, options({ lockWaitMs }))]);
    expect(results.map((result) => result.counts.succeeded)).toEqual([40, 40]);
    expect(new Set(kind.sent).size).toBe(40);
    expect(kind.sent.length).toBe(40);
  });

  it('never work on the same item: the second names the holder', async () => {
    const one = await bench.process(1, scripted(never));
    const { job } = await one.start(request(1));
    void one.run(job.id, options());
    const kind = scripted(done);
    const two = await bench.process(2, kind);
    await bench.clock.sleep(10);
    const result = await two.run(job.id, options());
    expect([result.stopped, result.error?.code, kind.sent]).toEqual(['held', 'job.held', []]);
  });

  it('counts the wait for another process from when nothing else is left to do', async () => {
    const waits = [200_000, 0];
    let begin = (): void => undefined;
    const bothRun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const slow = scripted(async () => {
      await bothRun;
      await bench.clock.sleep(waits.shift() ?? 0);
      return { state: 'succeeded' };
    });
    const one = await bench.process(1, slow);
    const { job } = await one.start(request(6));
    const first = one.run(job.id, options({ concurrency: 1 }));
    while (slow.sent.length === 0) await bench.clock.sleep(10);
    const steady = scripted(async () => {
      await bench.clock.sleep(30_000);
      return { state: 'succeeded' };
    });
    const two = await bench.process(2, steady);
    const running = two.run(job.id, options({ concurrency: 1, lockWaitMs: 90_000 }));
    while (steady.sent.length === 0) await bench.clock.sleep(10);
    begin();
    const second = await running;
    expect([second.stopped, steady.sent.length]).toEqual(['complete', 4]);
    expect((await first).counts.succeeded).toBe(6);
  });

  it('do not wait for the lease of a dead process', async () => {
    const stuck = scripted(never);
    const one = await bench.process(1, stuck);
    const { job } = await one.start(request(3));
    void one.run(job.id, options({ concurrency: 1 }));
    while (stuck.sent.length === 0) await bench.clock.sleep(10);
    bench.kill(1);
    const kind = scripted(done);
    const two = await bench.process(2, kind);
    const result = await two.run(job.id, options());
    expect([kind.sent, result.counts.uncertain, result.counts.succeeded]).toEqual([['item 2', 'item 3'], 1, 2]);
  });

  it('are fenced: one that resumes after a take-over writes nothing', async () => {
    let answer: () => void = () => undefined;
    const late = scripted(async () => {
      await new Promise<void>((resolve) => {
        answer = resolve;
      });
      return { state: 'succeeded' };
    });
    const one = await bench.process(1, late);
    const { job } = await one.start(request(1));
    const first = one.run(job.id, options());
    while (late.sent.length === 0) await bench.clock.sleep(10);
    bench.kill(1);
    const two = await bench.process(2, scripted(done));
    await two.run(job.id, options());
    answer();
    const { stopped, error } = await first;
    expect([stopped, error?.code]).toEqual(['held', 'job.lease_lost']);
    expect(await states(two, job.id)).toEqual(['uncertain']);
  });

  it('end the same way where the renewal of the lease notices the take-over before the answer', async () => {
    let answer: () => void = () => undefined;
    const late = scripted(async () => {
      await new Promise<void>((resolve) => {
        answer = resolve;
      });
      return { state: 'succeeded' };
    });
    const one = await bench.process(1, late);
    const { job } = await one.start(request(1));
    const first = one.run(job.id, options());
    while (late.sent.length === 0) await bench.clock.sleep(10);
    for (const worker of await bench.store.workers.list()) await bench.store.workers.remove(worker.id);
    // The lease is renewed every 15 seconds.
    await bench.clock.sleep(20_000);
    answer();
    const { stopped, error } = await first;
    expect([stopped, error?.code]).toEqual(['held', 'job.lease_lost']);
  });
});

describe('a person', () => {
  it('retries failed items as new items linked to the old ones', async () => {
    const kind = scripted((_item, nth) => (nth <= 2 ? refused(400) : done()));
    const engine = await bench.process(1, kind);
    const { job } = await engine.start(request(3));
    await engine.run(job.id, options({ concurrency: 1 }));
    expect(await engine.retry(job.id)).toBe(2);
    const result = await engine.run(job.id, options());
    expect([result.counts.succeeded, result.counts.failed, kind.sent.length]).toEqual([3, 0, 5]);
  });

  it.each([
    [{ is: 'succeeded', resourceId: 'r1' } as const, 'succeeded', 1],
    [{ is: 'failed' } as const, 'failed', 1],
    [{ is: 'not-sent' } as const, 'succeeded', 2],
  ])('decides an uncertain item: %o', async (verdict, end, sends) => {
    const cut = new FiscalError('network.cut', {}, { sent: 'unknown', retryable: true });
    const kind = scripted((_item, nth) => (nth === 1 ? Promise.reject(cut) : done()));
    const engine = await bench.process(1, kind);
    const { job } = await engine.start(request(1));
    await engine.run(job.id, options());
    for await (const item of engine.items(job.id)) {
      expect(item.state).toBe('uncertain');
      await engine.resolve(item.id, verdict);
    }
    const result = await engine.run(job.id, options());
    expect([await states(engine, job.id), kind.sent.length, result.job.state]).toEqual([[end], sends, 'done']);
  });

  it('cancels what was not sent', async () => {
    const engine = await bench.process(1, scripted(done));
    const { job } = await engine.start(request(3));
    expect(await engine.cancel(job.id)).toBe(3);
    expect([await states(engine, job.id), (await bench.store.jobs.get(job.id))?.state]).toEqual([
      ['cancelled', 'cancelled', 'cancelled'],
      'cancelled',
    ]);
  });
});

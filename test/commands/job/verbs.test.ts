import { describe, expect, test } from 'vitest';
import { keepAnswer } from '../../../src/jobs/authority-answer.js';
import type { ItemState, Store } from '../../../src/store/store.js';
import { seed } from '../seed.js';
import { newItem, newJob, newWorker, noon, openJob, step } from '../../store/samples.js';
import { FakeClock } from '../../support/clock.js';
import { runFiscal, testHost, type TestHost } from '../../support/host.js';

const elsewhere = newWorker({ id: 'far', machine: 'other/boot', jobId: 'job-1' });

async function hostWith(write: (store: Store) => Promise<unknown>): Promise<TestHost> {
  const host = testHost({ clock: new FakeClock(noon + 10) });
  await seed(host, write);
  return host;
}

/** A job of one item in this state, last touched by a process of another machine. */
async function oneItem(state: ItemState, expiresAt: number, resourceId?: string): Promise<TestHost> {
  return await hostWith(async (store) => {
    await openJob(store, [newItem(1)], newJob({ profile: 'environment' }));
    await store.workers.register({ ...elsewhere, expiresAt: noon + 1_000_000 });
    const claim = { workerId: 'far', jobId: 'job-1', limit: 1, now: noon, states: ['prepared'] } as const;
    const [item] = await store.items.claim(claim);
    const fence = { id: 'item-1', workerId: 'far', epoch: item?.epoch ?? 0 };
    const patch = step(state, {
      keep: state === 'sending',
      sentAt: noon,
      ...(resourceId === undefined ? {} : { resourceId }),
    });
    expect(await store.items.transition(fence, patch, { at: noon, step: { is: 'sent', attempt: 1 } })).toBe(true);
    await store.workers.renew('far', expiresAt);
  });
}

const gone = noon;
const alive = noon + 60_000;
const words = ['--no-input', '--lang', 'en', '-o', 'json'];

async function fiscal(host: TestHost, ...argv: string[]) {
  const before = host.written();
  const { exitCode } = await runFiscal([...argv, ...words], host);
  const after = host.written();
  return {
    exitCode,
    stdout: after.stdout.slice(before.stdout.length),
    stderr: after.stderr.slice(before.stderr.length),
  };
}

async function stateOf(host: TestHost): Promise<readonly unknown[]> {
  const show = JSON.parse((await fiscal(host, 'job', 'show', 'job-1')).stdout);
  const [item] = JSON.parse((await fiscal(host, 'job', 'items', 'job-1')).stdout);
  return [show.state, item];
}

describe('job resolve ends', () => {
  const open = [
    ['a pending item without an id', 'pending', alive],
    ['a pending item whose id the service does not know', 'pending', alive, 'p-1'],
    ['an uncertain item', 'uncertain', alive],
    ['an item in sending whose machine is gone', 'sending', gone],
  ] as const;

  for (const [what, state, lease, id] of open) {
    test(`${what}, by its own id and by that of its job`, async () => {
      for (const named of ['item-1', 'job-1']) {
        const host = await oneItem(state, lease, id);
        const say = ['job', 'resolve', named, '--as', 'succeeded', '--resource', 'p-9'];
        expect((await fiscal(host, ...say)).exitCode).toBe(0);
        const [job, item] = await stateOf(host);
        expect([job, item]).toMatchObject(['done', { state: 'succeeded', resourceId: 'p-9' }]);
      }
    });

    test(`${what} as failed; and the same answer again changes nothing`, async () => {
      const host = await oneItem(state, lease, id);
      for (const _twice of [1, 2]) {
        expect((await fiscal(host, 'job', 'resolve', 'item-1', '--as', 'failed')).exitCode).toBe(0);
        expect(await stateOf(host)).toMatchObject(['done', { state: 'failed' }]);
      }
      const other = await fiscal(host, 'job', 'resolve', 'item-1', '--as', 'succeeded');
      expect([other.exitCode, other.stderr]).toEqual([10, expect.stringContaining('is failed')]);
    });

    test(`${what} as not sent, and prints the command that sends it`, async () => {
      const host = await oneItem(state, lease, id);
      const say = ['job', 'resolve', 'item-1', '--as', 'not-sent', '--yes'];
      const { exitCode, stderr } = await fiscal(host, ...say);
      expect([exitCode, stderr]).toEqual([0, expect.stringContaining('fiscal job resume job-1')]);
      expect(await stateOf(host)).toMatchObject(['open', { state: 'prepared' }]);
      expect((await fiscal(host, ...say)).exitCode).toBe(0);
    });
  }
});

test('the answer of the authority stands in job show and in what job resolve prints', async () => {
  const host = await oneItem('uncertain', alive, 'e-1');
  const answer = { protocol: '135260000000001', code: '594', text: 'Rejeicao' };
  await seed(host, (store) => keepAnswer(store, { profile: 'environment', id: 'e-1', at: noon }, answer));
  const shown = { protocol: '135260000000001', answerCode: '594', answerText: 'Rejeicao' };
  const { uncertain } = JSON.parse((await fiscal(host, 'job', 'show', 'job-1')).stdout);
  expect(uncertain).toEqual([{ ...uncertain[0], ...shown, id: 'item-1' }]);
  for (const more of [['--dry-run'], []]) {
    const { stdout } = await fiscal(host, 'job', 'resolve', 'item-1', '--as', 'failed', ...more);
    expect(JSON.parse(stdout)).toMatchObject({ id: 'item-1', ...shown });
  }
});

test('job resolve refuses an item that a living process is sending', async () => {
  const host = await oneItem('sending', alive);
  const { exitCode, stderr } = await fiscal(host, 'job', 'resolve', 'item-1', '--as', 'failed');
  expect([exitCode, stderr]).toEqual([11, expect.stringContaining('another process holds job job-1')]);
  expect(await stateOf(host)).toMatchObject(['open', { state: 'sending' }]);
});

test('job cancel does not change a finished job', async () => {
  const host = await oneItem('uncertain', alive);
  await fiscal(host, 'job', 'resolve', 'item-1', '--as', 'succeeded');
  const { exitCode, stdout } = await fiscal(host, 'job', 'cancel', 'job-1', '--yes');
  expect([exitCode, JSON.parse(stdout)]).toMatchObject([0, { state: 'done', cancelled: 0 }]);
});

test('job cancel does not cancel an item that an earlier send may have delivered', async () => {
  const host = await hostWith(async (store) => {
    await openJob(store, [newItem(1), newItem(2)], newJob({ profile: 'environment' }));
    await store.workers.register({ ...elsewhere, expiresAt: noon + 1_000_000 });
    const claim = { workerId: 'far', jobId: 'job-1', limit: 1, now: noon, states: ['prepared'] } as const;
    const [item] = await store.items.claim(claim);
    const fence = { id: 'item-1', workerId: 'far', epoch: item?.epoch ?? 0 };
    // The first send had no answer, the second was refused for its rate and waits.
    for (const [state, is, attempts] of [
      ['sending', { is: 'sent', attempt: 1 }, 1],
      ['sending', { is: 'failed', code: 'service.unreachable' }, 1],
      ['sending', { is: 'sent', attempt: 2 }, 2],
      ['prepared', { is: 'failed', code: 'service.busy' }, 2],
    ] as const) {
      const patch = step(state, { keep: state === 'sending', sentAt: noon, attempts });
      expect(await store.items.transition(fence, patch, { at: noon, step: is })).toBe(true);
    }
    await store.workers.renew('far', gone);
  });
  const { exitCode, stdout, stderr } = await fiscal(host, 'job', 'cancel', 'job-1', '--yes');
  const { counts, cancelled } = JSON.parse(stdout);
  expect([exitCode, cancelled, counts.uncertain, counts.prepared]).toEqual([0, 1, 1, 0]);
  expect(stderr).toContain('1 item may have arrived at the service and was not cancelled');
});

test('job cancel reports items held by a living process, and cancels them once it is gone', async () => {
  const host = await hostWith(async (store) => {
    await openJob(store, [newItem(1), newItem(2)], newJob({ profile: 'environment' }));
    await store.workers.register({ ...elsewhere, expiresAt: alive });
    await store.items.claim({ workerId: 'far', jobId: 'job-1', limit: 1, now: noon, states: ['prepared'] });
  });
  const cancel = ['job', 'cancel', 'job-1', '--yes'];
  const held = await fiscal(host, ...cancel);
  expect([held.exitCode, held.stderr]).toEqual([11, expect.stringContaining('1 item is held by a running process')]);
  await seed(host, async (store) => await store.workers.renew('far', gone));
  const { exitCode, stdout } = await fiscal(host, ...cancel);
  expect([exitCode, JSON.parse(stdout)]).toMatchObject([0, { state: 'cancelled', cancelled: 1 }]);
});

describe('job resume beside another process', () => {
  test('follows it while it holds no item and waits, sends nothing, and says so at the end of its time', async () => {
    const host = await oneItem('pending', alive, 'p-1');
    const { exitCode, stderr } = await fiscal(host, 'job', 'resume', 'job-1', '--lock-wait', '2s');
    expect([exitCode, stderr]).toEqual([8, expect.stringContaining('still in progress')]);
    expect(stderr).toContain('another process works on job job-1: it is followed');
    expect(await stateOf(host)).toMatchObject(['open', { state: 'pending' }]);
  });

  test.each([
    ['succeeded', 0],
    ['failed', 3],
  ] as const)('ends as the job does when that process has finished it: %s', async (state, exitCode) => {
    const host = await oneItem('pending', alive, 'p-1');
    const running = fiscal(host, 'job', 'resume', 'job-1');
    const patch = { state, settledAt: noon, holdsKey: state === 'succeeded', keep: false } as const;
    await seed(
      host,
      async (store) => await store.items.decide('item-1', 'pending', patch, { at: noon, step: { is: 'read' } }),
    );
    const { exitCode: ended, stdout } = await running;
    expect([ended, JSON.parse(stdout).at(-1)]).toMatchObject([exitCode, { type: 'summary', [state]: 1 }]);
  });

  test('continues what it leaves', async () => {
    const host = await oneItem('prepared', alive);
    const { exitCode, stderr } = await fiscal(host, 'job', 'resume', 'job-1', '--lock-wait', '5m');
    expect(stderr).toContain('another process works on job job-1: it is followed');
    // It goes as far as its own request, for which it has no profile.
    expect([exitCode, stderr]).toEqual([4, expect.stringContaining('auth.no_profile')]);
  });
});

describe('a job killed while its input was read', () => {
  const halfRead = (expiresAt: number) =>
    hostWith(async (store) => {
      await store.workers.register({ ...elsewhere, expiresAt });
      await store.jobs.create(newJob({ profile: 'environment', loaderId: 'far', at: noon }), []);
      await store.jobs.append('job-1', [newItem(1), newItem(2)], noon);
    });

  test.each([['resume'], ['resume', '--failed']])('is not treated as complete by job %s', async (...verb) => {
    const host = await halfRead(gone);
    const { exitCode, stderr } = await fiscal(host, 'job', ...verb, 'job-1', '--yes');
    expect([exitCode, stderr]).toEqual([10, expect.stringContaining('was interrupted while its input was read')]);
  });

  test('is held by the living process that reads it: job resume follows that, job resume --failed does not', async () => {
    const followed = await fiscal(await halfRead(alive), 'job', 'resume', 'job-1', '--lock-wait', '2s');
    expect([followed.exitCode, followed.stderr]).toEqual([8, expect.stringContaining('still in progress')]);
    const held = await fiscal(await halfRead(alive), 'job', 'resume', '--failed', 'job-1', '--yes');
    expect(held.exitCode).toBe(11);
  });

  test('is removed completely by job cancel, but not while its process is alive', async () => {
    const held = await fiscal(await halfRead(alive), 'job', 'cancel', 'job-1', '--yes');
    expect(held.exitCode).toBe(11);
    const host = await halfRead(gone);
    const { exitCode, stdout } = await fiscal(host, 'job', 'cancel', 'job-1', '--yes');
    expect([exitCode, JSON.parse(stdout)]).toMatchObject([0, { state: 'cancelled', cancelled: 2 }]);
    expect((await fiscal(host, 'job', 'show', 'job-1')).exitCode).toBe(9);
  });

  test('is removed by job prune, which counts it first', async () => {
    const host = await hostWith(async (store) => {
      await store.jobs.create(newJob({ profile: 'environment', loaderId: 'nobody', at: noon }), []);
    });
    const dry = await fiscal(host, 'job', 'prune', '--older-than', '1ms', '--dry-run');
    expect(JSON.parse(dry.stdout)).toMatchObject({ jobs: 1 });
    expect(JSON.parse((await fiscal(host, 'job', 'prune', '--older-than', '1ms')).stdout)).toMatchObject({ jobs: 1 });
    expect((await fiscal(host, 'job', 'show', 'job-1')).exitCode).toBe(9);
  });
});

test('a job and its items name their company as known in their own profile', async () => {
  const known = (id: string, profile: string, name: string) => ({
    ...{ profile, kind: 'company', scope: '', id, status: 'listed', label: name, seenAt: noon },
    data: { taxNumber: '33000167000101' },
  });
  const host = await hostWith(async (store) => {
    await store.known.put(known('c1', 'environment', 'Padaria Sol Ltda'));
    await store.known.put(known('c1', 'acme', 'Mercado Lua Ltda'));
    const one = newJob({ id: 'job-1', profile: 'environment', inputDigest: '1', scope: { companyId: 'c1' } });
    const other = newJob({ id: 'job-2', profile: 'acme', inputDigest: '2', scope: { companyId: 'c1' } });
    const several = newJob({ id: 'job-3', profile: 'environment', inputDigest: '3', scope: {} });
    const of = (companyId: string) => ({
      input: { tenantId: 't-1', product: {}, companyId },
      label: companyId,
      dedupeKey: companyId,
    });
    await openJob(store, [newItem(1)], one);
    await openJob(store, [newItem(2)], other);
    await openJob(store, [newItem(3, of('c1')), newItem(4, of('c9'))], several);
  });
  const read = async (...argv: string[]) =>
    JSON.parse((await fiscal(host, 'job', ...argv)).stdout) as Record<string, unknown>[];
  const namesIn = (rows: readonly Record<string, unknown>[]) =>
    rows.map(({ id, companyId, companyName, companyTaxNumber }) => [id, companyId, companyName, companyTaxNumber]);
  const sol = ['c1', 'Padaria Sol Ltda', '33000167000101'];
  expect(namesIn(await read('list', '--all')).toSorted()).toEqual([
    ['job-1', ...sol],
    ['job-2', 'c1', 'Mercado Lua Ltda', '33000167000101'],
    ['job-3', undefined, undefined, undefined],
  ]);
  expect(namesIn([(await read('show', 'job-1')) as never])).toEqual([['job-1', ...sol]]);
  expect(namesIn(await read('items', 'job-3'))).toEqual([
    ['item-3', ...sol],
    ['item-4', 'c9', undefined, undefined],
  ]);
});

describe('job resolve by the beginning of an id', () => {
  const uuid = (start: string) => `${start}a1c-0000-4000-8000-000000000000`;
  const twoItems = async () =>
    await hostWith(async (store) => {
      const items = [newItem(1, { id: uuid('7d3eb') }), newItem(2, { id: uuid('7d3ec') })];
      await openJob(store, items, newJob({ profile: 'environment' }));
    });

  test('finds one item', async () => {
    const host = await twoItems();
    const { exitCode, stdout } = await fiscal(host, 'job', 'resolve', '7D3EB', '--as', 'failed', '--dry-run');
    expect([exitCode, JSON.parse(stdout)]).toMatchObject([0, { id: uuid('7d3eb') }]);
  });

  test('lists the candidates when several items begin so, and changes nothing', async () => {
    const host = await twoItems();
    const { exitCode, stderr } = await fiscal(host, 'job', 'resolve', '7d3e', '--as', 'failed');
    expect(exitCode).toBe(2);
    expect(stderr).toContain('job.item_ambiguous');
    expect(stderr).toContain(`${uuid('7d3eb')}, ${uuid('7d3ec')}`);
  });

  test('takes no item for a beginning that is too short or unknown', async () => {
    const host = await twoItems();
    for (const named of ['7d3', '7d3f', '%%%%']) {
      const { stderr } = await fiscal(host, 'job', 'resolve', named, '--as', 'failed');
      expect(stderr).toContain('job.not_found');
    }
  });
});

describe('what is asked about a job names its company and profile', () => {
  test.each([
    ['en', '(company c1, profile environment)'],
    ['pt-BR', '(empresa c1, perfil environment)'],
  ])('in %s', async (lang, whose) => {
    const asked = async (state: ItemState | undefined, ...argv: string[]) => {
      const host = await hostWith(async (store) => {
        await openJob(store, [newItem(1)], newJob({ profile: 'environment', scope: { companyId: 'c1' } }));
        if (state === undefined) return;
        await store.workers.register({ ...elsewhere, expiresAt: noon + 1_000_000 });
        const claim = { workerId: 'far', jobId: 'job-1', limit: 1, now: noon, states: ['prepared'] } as const;
        const [item] = await store.items.claim(claim);
        const fence = { id: 'item-1', workerId: 'far', epoch: item?.epoch ?? 0 };
        await store.items.transition(fence, step(state, { keep: false }), {
          at: noon,
          step: { is: 'sent', attempt: 1 },
        });
      });
      const how = ['--no-input', '--error-format', 'text', '--lang', lang];
      const { exitCode, stderr } = await runFiscal([...argv, ...how], host);
      return [exitCode, stderr.includes(whose)];
    };
    expect([
      await asked(undefined, 'job', 'cancel', 'job-1'),
      await asked('failed', 'job', 'resume', '--failed', 'job-1'),
      await asked('uncertain', 'job', 'resolve', 'item-1', '--as', 'not-sent'),
    ]).toEqual([
      [2, true],
      [2, true],
      [2, true],
    ]);
  });
});

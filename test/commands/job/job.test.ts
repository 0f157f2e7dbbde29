import { describe, expect, test } from 'vitest';
import type { Store } from '../../../src/store/store.js';
import { newItem, newJob, newWorker, noon, openJob, prepared, step } from '../../store/samples.js';
import { FakeClock } from '../../support/clock.js';
import { runFiscal, testHost, type TestHost } from '../../support/host.js';
import { records, seed } from '../seed.js';
import { storeEvents } from '../webhook/stored.js';

const first = '3f2c91d4-0000-4000-8000-000000000001';
const second = '3f2c91d4-0000-4000-8000-000000000002';
const third = 'a7000000-0000-4000-8000-000000000003';
const then = { at: noon + 1, step: { is: 'failed', code: 'service.refused' } } as const;

const whole = (id: string) => ({
  id,
  kind: 'product-create',
  operation: 'product.create',
  profile: 'acme',
  state: 'open',
  createdAt: '2026-05-04T12:00:00.000Z',
  updatedAt: '2026-05-04T12:00:00.000Z',
  commandLine: 'fiscal product apply products.csv',
  scope: { tenant: 't-1' },
});

/** One job with a failed, a repeated and a duplicate item; one that is done; one of another profile. */
async function threeJobs({ jobs, items }: Store): Promise<void> {
  await jobs.create(newJob({ id: first }), []);
  await jobs.append(first, [newItem(1), newItem(2), newItem(3, { dedupeKey: 'key-1' })], noon);
  await jobs.seal(first, noon);
  const failed = step('failed', { holdsKey: false, settledAt: noon + 1, errorCode: 'service.refused' });
  await items.decide('item-2', 'prepared', failed, then);
  await jobs.create(newJob({ id: second, inputDigest: 'd-2' }), []);
  await jobs.setState(second, 'done', noon);
  await jobs.create(newJob({ id: third, profile: 'beta', kind: 'product-update', inputDigest: 'd-3' }), []);
  await jobs.seal(third, noon);
}

async function seededHost(write: (store: Store) => Promise<void> = threeJobs): Promise<TestHost> {
  const host = testHost({ clock: new FakeClock(noon + 10) });
  await seed(host, write);
  return host;
}

async function ids(host: TestHost, ...words: string[]): Promise<readonly string[]> {
  const { stdout } = await runFiscal(['job', 'list', '-o', 'id', ...words], host);
  return stdout.split('\n').filter((line) => line !== '');
}

describe('job list', () => {
  test('prints each job with its progress, newest first', async () => {
    const { stdout } = await runFiscal(['job', 'list'], await seededHost());
    expect(records(stdout).slice(2)).toEqual([
      { type: 'job', ...whole(first), items: 3, done: 1, bad: 1, uncertain: 0 },
    ]);
    expect(records(stdout)).toHaveLength(3);
  });

  test('names who started a job, in a table where that differs', async () => {
    const ana = { machine: 'office-1', user: 'ana', ciRun: 'https://ci.example/runs/7' };
    const host = testHost({ clock: new FakeClock(noon + 10), columns: 200 });
    const table = async () => (await runFiscal(['job', 'list', '-o', 'table', '--lang', 'en'], host)).stdout;
    await seed(host, threeJobs, ana);
    expect(await table()).not.toContain('office-1');
    await seed(host, async ({ jobs }) => void (await jobs.create(newJob({ id: 'other', profile: 'c' }), [])), {
      ...ana,
      machine: 'office-2',
    });
    expect(await table()).toContain('office-2');
    expect(JSON.parse((await runFiscal(['job', 'show', first], host)).stdout)).toMatchObject(ana);
  });

  test('is filtered by state, kind and number', async () => {
    const host = await seededHost();
    expect(await ids(host)).toEqual([third, second, first]);
    expect(await ids(host, '--state', 'done')).toEqual([second]);
    expect(await ids(host, '--kind', 'product-update')).toEqual([third]);
    expect(await ids(host, '--limit', '1')).toEqual([third]);
    expect(await ids(host, '--profile', 'sandbox')).toEqual([]);
    expect(await ids(host, '--profile', 'sandbox', '--all')).toEqual([third, second, first]);
  });
});

describe('job show', () => {
  test('prints counts and the next command, by the id in any letter case', async () => {
    const host = await seededHost();
    const { exitCode, stdout } = await runFiscal(['job', 'show', '3F2C91D4-0000-4000-8000-000000000001'], host);
    const counts = { prepared: 1, sending: 0, pending: 0, succeeded: 0, rejected: 0, failed: 1 };
    expect([exitCode, JSON.parse(stdout)]).toEqual([
      0,
      {
        ...whole(first),
        items: 3,
        counts: { ...counts, skipped: 1, uncertain: 0, cancelled: 0 },
        workers: [],
        next: `fiscal job resume ${first} --profile acme`,
      },
    ]);
  });

  test('points to job resume, which follows, while a living process works on the job', async () => {
    const host = await seededHost(async (store) => {
      await openJob(store, [newItem(1)]);
      await store.items.claim(prepared);
    });
    const { stdout } = await runFiscal(['job', 'show', 'job-1'], host);
    expect(JSON.parse(stdout)).toMatchObject({
      workers: [{ pid: newWorker().pid, machine: 'host/boot', until: '2026-05-04T12:01:00.000Z' }],
      next: 'fiscal job resume job-1 --profile acme',
    });
  });

  test('names the ids of an ambiguous prefix, and reports an unknown one', async () => {
    const host = await seededHost();
    const several = await runFiscal(['job', 'show', '3f2c', '--lang', 'en', '--error-format', 'text'], host);
    expect([several.exitCode, several.stdout]).toEqual([2, '']);
    expect(several.stderr).toContain(`"3f2c" is the beginning of 2 jobs: ${second}, ${first}`);
    const unknown = await runFiscal(['job', 'show', 'ffff', '--lang', 'en', '--error-format', 'text'], host);
    expect([unknown.exitCode, unknown.stdout]).toEqual([9, '']);
    expect(unknown.stderr).toContain('this machine knows no job "ffff"');
  });
});

describe('job items', () => {
  test('prints the items in the order of the input, without internal fields', async () => {
    const { stdout } = await runFiscal(['job', 'items', first, '--state', 'failed'], await seededHost());
    expect(records(stdout)).toEqual([
      {
        type: 'item',
        id: 'item-2',
        ordinal: 2,
        label: 'SKU-2',
        dedupeKey: 'key-2',
        billed: true,
        state: 'failed',
        idempotencyKey: 'idem-2',
        attempts: 0,
        errorCode: 'service.refused',
        inWork: false,
        dueAt: '2026-05-04T12:00:00.000Z',
        settledAt: '2026-05-04T12:00:00.001Z',
        updatedAt: '2026-05-04T12:00:00.001Z',
      },
    ]);
  });

  test('prints any number of items, up to the limit', async () => {
    const many = Array.from({ length: 1_203 }, (_, i) => newItem(i + 1));
    const host = await seededHost((store) => openJob(store, many));
    const told = async (...words: string[]) => {
      const { stdout } = await runFiscal(['job', 'items', 'job-1', '-o', 'id', ...words], host);
      return stdout.trim().split('\n');
    };
    expect(await told()).toEqual(many.map((item) => item.id));
    expect(await told('--limit', '501')).toEqual(many.slice(0, 501).map((item) => item.id));
  });

  test('is a table of the main columns on a terminal', async () => {
    const host = await seededHost();
    const wide = { ...host, stdout: { ...host.stdout, isTerminal: true, columns: 120 } };
    await runFiscal(['job', 'items', first, '--color', 'never', '--lang', 'en'], wide);
    const [head, ...rows] = host.written().stdout.trimEnd().split('\n');
    expect(head?.split('│').map((cell) => cell.trim())).toEqual(['no.', 'label', 'state', 'id']);
    expect(rows).toHaveLength(3);
  });
});

describe('job items --full', () => {
  test('writes the job, each item with input and steps, earlier attempts first, and a summary', async () => {
    const host = await seededHost(async (store) => {
      await threeJobs(store);
      const again = { ...newItem(2), id: 'item-2b', previousId: 'item-2' };
      await store.items.replace(first, again, noon + 5);
    });
    const { exitCode, stdout } = await runFiscal(['job', 'items', '--full', first], host);
    const [job, ...rest] = records(stdout);
    expect([exitCode, job]).toEqual([0, { type: 'job', ...whole(first), updatedAt: '2026-05-04T12:00:00.005Z' }]);
    expect(rest).toMatchObject([
      { type: 'item', id: 'item-1', replaced: false, input: { product: { sku: 'SKU-1' } }, events: [] },
      {
        type: 'item',
        id: 'item-2',
        replaced: true,
        events: [
          {
            at: '2026-05-04T12:00:00.001Z',
            from: 'prepared',
            to: 'failed',
            step: { is: 'failed', code: 'service.refused' },
            note: { en: 'service.refused', pt: 'service.refused' },
          },
        ],
      },
      { type: 'item', id: 'item-2b', replaced: false, previousId: 'item-2', input: { product: { sku: 'SKU-2' } } },
      { type: 'item', id: 'item-3', state: 'skipped', duplicateOf: 'item-1' },
      { type: 'summary', jobId: first, items: 3, counts: { prepared: 2, skipped: 1, failed: 0 } },
    ]);
  });
});

describe('job prune', () => {
  test('removes what ended before, and counts it with --dry-run', async () => {
    const host = await seededHost();
    const dry = await runFiscal(['job', 'prune', '--older-than', '5ms', '--dry-run'], host);
    expect(JSON.parse(dry.stdout)).toEqual({
      before: '2026-05-04T12:00:00.005Z',
      dryRun: true,
      jobs: 1,
      requests: 0,
      events: 0,
    });
    expect(await ids(host)).toEqual([third, second, first]);
    const real = await runFiscal(['job', 'prune', '--older-than', '5ms'], host);
    const before = '2026-05-04T12:00:00.005Z';
    expect(JSON.parse(real.stdout)).toEqual({ before, jobs: 1, requests: 0, events: 0 });
    expect(await ids(host)).toEqual([third, first]);
  });

  test('removes delivered and unrequested webhooks; those that wait or were given up stay', async () => {
    const host = testHost({ clock: new FakeClock(noon + 200_000) });
    await storeEvents(host, [
      { id: 'gone', state: 'delivered', at: noon },
      { id: 'unasked', state: 'kept', at: noon },
      { id: 'dead', state: 'dead', at: noon },
      { id: 'young', state: 'kept', at: noon + 190_000 },
      { id: 'waits', state: 'received', at: noon },
    ]);
    const prune = ['job', 'prune', '--older-than', '100s'];
    const old = { before: '2026-05-04T12:01:40.000Z', jobs: 0, requests: 0, events: 2 };
    const dry = await runFiscal([...prune, '--dry-run'], host);
    expect(JSON.parse(dry.stdout)).toEqual({ ...old, dryRun: true });
    expect(JSON.parse((await runFiscal(prune, host)).stdout)).toEqual(old);
    expect(JSON.parse((await runFiscal(prune, host)).stdout)).toEqual({ ...old, events: 0 });
    const left: string[] = [];
    await seed(host, async ({ deliveries }) => {
      left.push(...(await deliveries.list({ profile: 'acme', limit: 9 })).map(({ id }) => id));
    });
    expect(left).toEqual(['waits', 'young', 'dead']);
  });

  test('does nothing without an age', async () => {
    const { exitCode, stderr } = await runFiscal(['job', 'prune', '--lang', 'en']);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('missing: --older-than');
  });
});

test('a job whose input from stdin was incomplete is not resumed by the command that just failed', async () => {
  const host = await seededHost(async ({ jobs }) => {
    await jobs.create(newJob({ id: first, profile: 'environment', commandLine: `fiscal job resume ${first}` }), []);
  });
  const shown = await runFiscal(['job', 'show', first], host);
  expect(shown.exitCode).toBe(0);
  expect(shown.stdout).not.toContain('"next"');
  const env = { ...host.env, FISCAL_INVOICE_KEY: 'k', FISCAL_PRODUCT_URL: 'http://127.0.0.1:1' };
  const { stderr } = await runFiscal(['job', 'resume', first, '--error-format', 'json'], { ...host, env });
  const { error } = JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '') as { error: object };
  expect(error).toMatchObject({ code: 'job.not_whole', sent: 'no' });
  expect(error).not.toHaveProperty('resume');
});

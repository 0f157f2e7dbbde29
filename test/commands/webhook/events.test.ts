import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { FakeClock } from '../../support/clock.js';
import { runFiscal, type TestHost } from '../../support/host.js';
import { seed } from '../seed.js';
import { profileHost } from './profile-host.js';
import { noon, storeEvents } from './stored.js';

/** Its wall clock is set; the machine runs on. */
class JumpingClock extends FakeClock {
  #jump = 0;

  jump(ms: number): void {
    this.#jump = ms;
  }

  override now(): number {
    return super.now() + this.#jump;
  }
}

const nowhere = 'http://127.0.0.1:9';
const day = 86_400_000;

async function host(): Promise<TestHost> {
  const at = profileHost(nowhere, 'k', { clock: new FakeClock(noon + day) });
  await storeEvents(at, [
    { id: 'e1', state: 'delivered', at: noon - 3 * day },
    { id: 'e2', state: 'dead', at: noon, event: 'product.error' },
    { id: 'e3', state: 'delivered', at: noon + 1 },
    { id: 'e4', state: 'kept', at: noon + 2 },
    { id: 'e5', state: 'received', at: noon + 3, resource: 'r5' },
  ]);
  return at;
}

async function webhook(at: TestHost, ...words: string[]) {
  return await runFiscal(['webhook', ...words], at);
}

async function ids(at: TestHost, ...words: string[]): Promise<readonly string[]> {
  const { stdout } = await webhook(at, 'events', '-o', 'id', ...words);
  return stdout.split('\n').filter((line) => line !== '');
}

describe('webhook events', () => {
  test('are listed newest first, by state, name, resource and time', async () => {
    const at = await host();
    expect(await ids(at)).toEqual(['e5', 'e4', 'e3', 'e2', 'e1']);
    expect(await ids(at, '--failed')).toEqual(['e2']);
    expect(await ids(at, '--state', 'delivered')).toEqual(['e3', 'e1']);
    expect(await ids(at, '--event', 'product.error')).toEqual(['e2']);
    expect(await ids(at, '--resource', 'r5')).toEqual(['e5']);
    expect(await ids(at, '--since', '2d')).toEqual(['e5', 'e4', 'e3', 'e2']);
    expect(await ids(at, '--limit', '2')).toEqual(['e5', 'e4']);
  });

  test('one is shown completely, with the signed body', async () => {
    const { stdout } = await webhook(await host(), 'events', 'e2', '-o', 'json');
    const body = { action: 'product.error', payload: { id: 'e2' } };
    const text = JSON.stringify(body);
    expect(JSON.parse(stdout)).toEqual({
      type: 'webhook-event',
      id: 'e2',
      event: 'product.error',
      resource: 'e2',
      state: 'dead',
      receivedAt: '2026-10-20T12:00:00.000Z',
      attempts: 2,
      copies: 1,
      settledAt: '2026-10-20T12:01:00.000Z',
      lastError: 'http://127.0.0.1:9: HTTP 500',
      hookId: 'hook-e2',
      scheme: 'hub-sha1',
      bytes: text.length,
      sha256: createHash('sha256').update(text).digest('hex'),
      body,
    });
  });

  test('more than a hundred are limited, with a notice', async () => {
    const at = profileHost(nowhere, 'k');
    const many = Array.from({ length: 101 }, (_, index) => ({ id: `m${index}`, state: 'kept' as const }));
    await storeEvents(at, many);
    const cut = await webhook(at, 'events', '-o', 'id');
    expect([cut.stdout.trimEnd().split('\n').length, cut.stderr]).toEqual([
      100,
      'only the newest 100 are shown; all of them: --all\n',
    ]);
    expect((await ids(at, '--all')).length).toBe(101);
  });

  test('an unknown id exits 9, in Portuguese too', async () => {
    const argv = ['events', 'x', '--lang', 'pt-BR', '--error-format', 'text'];
    const { exitCode, stdout, stderr } = await webhook(await host(), ...argv);
    expect([exitCode, stdout, stderr.includes('esta máquina não tem o evento x guardado')]).toEqual([9, '', true]);
  });
});

describe('webhook resend', () => {
  test('queues one event again', async () => {
    const at = await host();
    const first = await webhook(at, 'resend', 'e2', '-o', 'json');
    expect([first.exitCode, JSON.parse(first.stdout)]).toEqual([0, { type: 'webhook-resend', id: 'e2', queued: 1 }]);
    expect(await ids(at, '--state', 'received')).toEqual(['e5', 'e2']);
    const again = await webhook(at, 'resend', 'e2', '-o', 'json');
    expect([JSON.parse(again.stdout), again.stderr.includes('already in the queue')]).toEqual([
      { type: 'webhook-resend', id: 'e2', queued: 0 },
      true,
    ]);
    expect((await webhook(at, 'resend', 'x')).exitCode).toBe(9);
  });

  test('queues events again that were given up or delivered since a time, after consent', async () => {
    const at = await host();
    const refused = await webhook(at, 'resend', '--since', '2d');
    expect([refused.exitCode, refused.stderr.includes('forward 2 events')]).toEqual([2, true]);
    const dry = await webhook(at, 'resend', '--since', '2d', '--dry-run', '-o', 'json');
    expect(JSON.parse(dry.stdout)).toMatchObject({ queued: 2 });
    expect(await ids(at, '--state', 'received')).toEqual(['e5']);
    const failed = await webhook(at, 'resend', '--since', '2d', '--failed', '--yes', '-o', 'json');
    expect(JSON.parse(failed.stdout)).toEqual({
      type: 'webhook-resend',
      since: '2026-10-19T12:00:00.000Z',
      states: ['dead'],
      queued: 1,
    });
    expect(await ids(at, '--state', 'received')).toEqual(['e5', 'e2']);
    const none = await webhook(at, 'resend', '--since', '1h', '--yes', '-o', 'json');
    expect([none.exitCode, JSON.parse(none.stdout)]).toMatchObject([0, { queued: 0 }]);
  });

  test.each([3_600_000, -3_600_000])('is not delayed by a wall clock that jumps by %d ms', async (jump) => {
    const clock = new JumpingClock(noon + day);
    const at = profileHost(nowhere, 'k', { clock });
    const minute = 60_000;
    await storeEvents(at, [
      { id: 'old', state: 'dead', at: noon },
      { id: 'new', state: 'dead', at: noon + day - 5 * minute },
    ]);
    expect(await ids(at, '--since', '10m')).toEqual(['new']);
    clock.jump(jump);
    expect(await ids(at, '--since', '10m')).toEqual(['new']);
    const { stdout } = await webhook(at, 'resend', '--since', '10m', '--yes', '-o', 'json');
    expect(JSON.parse(stdout)).toMatchObject({ queued: 1 });
    expect((await webhook(at, 'resend', 'old')).exitCode).toBe(0);
    await seed(at, async (store) => {
      const worker = { id: 'w-2', pid: 1, machine: 'm', processStart: '' };
      await store.workers.register({ ...worker, expiresAt: store.clock.now() + minute });
      const now = store.clock.now();
      const ready = await store.deliveries.claim({ workerId: 'w-2', profile: 'acme', limit: 9, now });
      expect(ready.map(({ id }) => id).toSorted()).toEqual(['new', 'old']);
    });
  });
});

import { describe, expect, test } from 'vitest';
import type { Bench } from './contract.js';
import { newItem, newJob, noon, openJob, prepared, request, step } from './samples.js';
import { addUsage, type UsageCall } from '../support/usage.js';

const ana = { machine: 'office-1', user: 'ana', ciRun: 'https://ci.example/runs/7' };
const cost: UsageCall = { at: noon, profile: 'acme', operation: 'product.create', billed: 'engine', outcome: 'billed' };

export function actorContract(bench: () => Bench): void {
  describe('who wrote a row', () => {
    test('jobs, calls and costs name the machine, the user and the run that wrote them', async () => {
      const { store, openAs } = bench();
      const hers = await openAs(ana);
      const his = await openAs({ machine: 'office-2', user: 'rui' });
      await hers.jobs.create(newJob(), []);
      await his.jobs.create(newJob({ id: 'job-2', inputDigest: 'digest-2' }), []);
      await addUsage(hers.usage, cost);
      await addUsage(his.usage, { ...cost, at: noon + 1 });
      await hers.history.add(request(), request({ at: noon + 1 }));
      await his.history.add(request({ at: noon + 2 }));
      await Promise.all([hers.close(), his.close()]);
      const rui = { machine: 'office-2', user: 'rui' };
      expect((await store.jobs.list({})).map(whose)).toEqual([rui, ana]);
      expect((await store.usage.list({})).map(whose)).toEqual([rui, ana]);
      expect((await store.history.list({})).map(whose)).toEqual([rui, ana, ana]);
    });

    test('a job keeps the name of the one who started it, whoever goes on', async () => {
      const { store, openAs } = bench();
      const hers = await openAs(ana);
      await hers.jobs.create(newJob(), []);
      await hers.close();
      await store.jobs.seal('job-1', noon);
      await store.jobs.setState('job-1', 'done', noon);
      expect(await store.jobs.get('job-1')).toMatchObject({ ...ana, state: 'done' });
    });

    test('each step of an item names who made it, whoever started the job', async () => {
      const { store, openAs } = bench();
      const hers = await openAs(ana);
      const his = await openAs({ machine: 'office-2', user: 'rui' });
      await openJob(hers, [newItem(1)]);
      const [held] = await hers.items.claim(prepared);
      if (held === undefined) throw new Error('nothing is claimed');
      const { id, epoch } = held;
      await hers.items.transition({ id, workerId: 'worker-1', epoch }, step('sending'), {
        at: noon,
        step: { is: 'sent', attempt: 1 },
      });
      const uncertain = step('uncertain', { keep: false });
      await his.items.transition({ id, workerId: 'worker-1', epoch }, uncertain, {
        at: noon,
        step: { is: 'failed', code: 'outcome.unknown' },
      });
      await store.items.decide(id, 'uncertain', step('succeeded', { keep: false }), {
        at: noon + 1,
        step: { is: 'read' },
      });
      await Promise.all([hers.close(), his.close()]);
      const events = await store.items.events(id);
      expect(events.map(({ step: { is }, ...who }) => [is, whose(who)])).toEqual([
        ['sent', ana],
        ['failed', { machine: 'office-2', user: 'rui' }],
        ['read', {}],
      ]);
      expect(events.at(-1)).toEqual({ at: noon + 1, from: 'uncertain', to: 'succeeded', step: { is: 'read' } });
    });

    test('who is not known is absent', async () => {
      const { store } = bench();
      await store.jobs.create(newJob(), []);
      expect(Object.keys((await store.jobs.get('job-1')) ?? {})).not.toContain('machine');
    });
  });
}

function whose({ machine, user, ciRun }: Readonly<Partial<typeof ana>>) {
  return { machine, user, ...(ciRun === undefined ? {} : { ciRun }) };
}

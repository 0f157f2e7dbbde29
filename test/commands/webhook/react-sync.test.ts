import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type AnnouncedGroup,
  SyncReaction,
  type SyncedGroup,
  announcedGroup,
} from '../../../src/commands/webhook/react-sync.js';
import type { Text } from '../../../src/contract/text.js';
import { openStore } from '../../../src/store/sqlite/open.js';
import type { Store } from '../../../src/store/store.js';
import { FakeClock } from '../../support/clock.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

let store: Store;
let clock: FakeClock;
let told: Text[];
let ended: AbortController;
beforeEach(async () => {
  clock = new FakeClock();
  told = [];
  ended = new AbortController();
  store = await openStore({ path: join(temporaryFolder(), 'state.db'), clock });
});
afterEach(async () => {
  ended.abort();
  await store.close();
});

const complete: SyncedGroup = { isComplete: true };

function reaction(sync: (group: AnnouncedGroup) => Promise<SyncedGroup>): SyncReaction {
  const notice = (text: Text): Promise<void> => Promise.resolve(void told.push(text));
  return new SyncReaction({ clock, store, profile: 'p', sync, notice });
}

function announcement(companyId: string, number = 0) {
  const event = 'product_invoice_inbound.received';
  return { event, body: Buffer.from(JSON.stringify({ action: event, payload: { companyId, number } })) };
}

async function marks(): Promise<readonly string[]> {
  const rows = await store.known.list({ profile: 'p', kind: 'webhook-sync' });
  return rows.map(({ scope, id, status }) => `${scope} ${id} ${status}`).sort();
}

/** Lets everything that is under way go on until it holds. */
async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setImmediate(resolve));
}

describe('announced documents', () => {
  it('are synced once for all that arrive together, and the pending request is removed afterwards', async () => {
    const synced: AnnouncedGroup[] = [];
    const reacting = reaction((group) => {
      synced.push(group);
      return Promise.resolve(complete);
    });
    await Promise.all([reacting.heard(announcement('c-1', 1)), reacting.heard(announcement('c-1', 2))]);
    await reacting.heard(announcement('c-2'));
    expect(await marks()).toEqual(['c-1 nfe wanted', 'c-2 nfe wanted']);
    const running = reacting.run(ended.signal);
    await until(async () => (await marks()).every((mark) => mark.endsWith('done')));
    ended.abort();
    await running;
    expect(synced).toEqual([
      { companyId: 'c-1', family: 'nfe' },
      { companyId: 'c-2', family: 'nfe' },
    ]);
  });

  it('that a killed listener received are synced by the next one', async () => {
    await reaction(() => Promise.reject(new Error('never runs'))).heard(announcement('c-1'));
    clock.advance(1);
    const running = reaction(() => Promise.resolve(complete)).run(ended.signal);
    await until(async () => (await marks())[0] === 'c-1 nfe done');
    ended.abort();
    await running;
  });

  it('that arrive during a sync start another one', async () => {
    let runs = 0;
    const reacting = reaction(async () => {
      runs += 1;
      if (runs === 1) await reacting.heard(announcement('c-1', 2));
      return complete;
    });
    await reacting.heard(announcement('c-1', 1));
    const running = reacting.run(ended.signal);
    await until(async () => runs === 2 && (await marks())[0] === 'c-1 nfe done');
    ended.abort();
    await running;
    expect(runs).toBe(2);
  });

  it('whose sync fails are retried with growing pauses, and the problem is reported once', async () => {
    let runs = 0;
    const trouble = { en: 'no luck', pt: 'sem sorte' };
    const reacting = reaction(() => {
      runs += 1;
      return Promise.resolve(runs < 4 ? { isComplete: false, message: trouble } : complete);
    });
    await reacting.heard(announcement('c-1'));
    const running = reacting.run(ended.signal);
    await until(async () => (await marks())[0] === 'c-1 nfe done');
    ended.abort();
    await running;
    expect([runs, told, clock.slept.filter((ms) => ms >= 5_000 && ms < 60_000)]).toEqual([
      4,
      [trouble],
      [5_000, 10_000, 20_000],
    ]);
  });

  it('are not acknowledged if the pending request cannot be stored, and the next one tries again', async () => {
    const failing = { ...store, known: { ...store.known, put: () => Promise.reject(new Error('disk full')) } };
    const parts = { clock, profile: 'p', sync: () => Promise.resolve(complete), notice: () => Promise.resolve() };
    const reacting = new SyncReaction({ ...parts, store: failing });
    await expect(reacting.heard(announcement('c-1'))).rejects.toThrow('disk full');
    await expect(reacting.heard(announcement('c-1'))).rejects.toThrow('disk full');
  });

  it('a defect of the sync ends the listener', async () => {
    const reacting = reaction(() => Promise.reject(new TypeError('a defect')));
    await reacting.heard(announcement('c-1'));
    await expect(reacting.run(ended.signal)).rejects.toThrow('a defect');
  });
});

function groupOf(event: string, payload: unknown) {
  return announcedGroup({ event, body: Buffer.from(JSON.stringify({ action: event, payload })) });
}

describe('the company and family of an announced document', () => {
  it.each([
    ['product_invoice_inbound.received', 'nfe'],
    ['transportation_invoice_inbound.received', 'cte'],
    ['service_invoice_inbound.received', 'nfse'],
    ['NFSE.INBOUND.Received', 'nfse'],
    ['inbound.nfe', 'nfe'],
    ['inbound_cte_received', 'cte'],
  ])('%s: %s', (event, family) => {
    expect(groupOf(event, { companyId: 'c-1' })).toEqual({ companyId: 'c-1', family });
  });

  it('may be inside the company', () => {
    expect(groupOf('inbound.nfe', { company: { id: 'c-2' } })).toEqual({ companyId: 'c-2', family: 'nfe' });
  });

  it.each([
    ['product_invoice.issued_successfully', { companyId: 'c-1' }],
    ['product.active', { companyId: 'c-1' }],
    ['inbound.something', { companyId: 'c-1' }],
    ['inbound.nfe', { accessKey: '1' }],
    ['inbound.nfe', { companyId: '../../etc' }],
    ['inbound.nfe', { companyId: 7 }],
    ['inbound.nfe', { companyId: '' }],
    ['inbound.nfe', { company: 'c-1' }],
    ['inbound.nfe', null],
    ['inbound.nfe', 'c-1'],
  ])('are unknown for %s with %j', (event, payload) => {
    expect(groupOf(event, payload)).toBeUndefined();
  });
});

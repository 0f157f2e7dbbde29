import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { followUntil, sleepUntilNotified } from '../../../src/services/batch/follow.js';
import { openStore } from '../../../src/store/sqlite/open.js';
import type { Store } from '../../../src/store/store.js';
import { FakeClock } from '../../support/clock.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

let store: Store;
let clock: FakeClock;
beforeEach(async () => {
  clock = new FakeClock();
  store = await openStore({ path: join(temporaryFolder(), 'state.db'), clock });
});
afterEach(async () => {
  await store.close();
});

async function sleep(pauseMs: number, since: number): Promise<readonly number[]> {
  const context = {
    ...{ clock, interruption: new AbortController().signal, store: () => Promise.resolve(store) },
    // Of the settings only the name of the space counts here.
    settings: () => Promise.resolve({ storeNamespace: 'p' } as never),
  };
  await sleepUntilNotified(context, pauseMs, { resource: 'p-1', since });
  return clock.slept;
}

async function hear(resource: string, profile = 'p'): Promise<void> {
  const fixed = { scheme: 'hub-sha1', hookId: 'h', signedId: 'h', event: 'product.active', wanted: true };
  const body = Buffer.from(resource);
  await store.deliveries.add({
    ...fixed,
    id: `${profile} ${resource}`,
    profile,
    at: clock.now(),
    resource,
    body,
    digest: resource,
  });
}

it('the wait lasts the given time without an event', async () => {
  await hear('p-2');
  await hear('p-1', 'other');
  expect(await sleep(2_500, clock.now())).toEqual([1_000, 1_000, 500]);
});

it('the wait ends soon after an event about the resource is stored', async () => {
  const since = clock.now();
  clock.advance(1);
  await hear('p-1');
  expect(await sleep(60_000, since)).toEqual([1_000]);
});

it('the wait ignores an event from before the last read', async () => {
  await hear('p-1');
  clock.advance(1);
  expect(await sleep(2_000, clock.now())).toEqual([1_000, 1_000]);
});

/** Follows something whose reads give these words, one after the other; `done` is decided. */
async function follow(words: readonly string[], timeout: number) {
  const shown: string[] = [];
  let stops = 0;
  const context = {
    ...{ clock, interruption: new AbortController().signal, store: () => Promise.resolve(store) },
    settings: () => Promise.resolve({ storeNamespace: 'p' }),
    progress: {
      report: ({ label }: { readonly label: { readonly en: string } }) => void shown.push(label.en),
      stop: () => void (stops += 1),
    },
  };
  let reads = 0;
  const followed = await followUntil(context as never, {
    ...{ resource: 'p-1', timeout, interval: 1_000, label: { en: 'validation', pt: 'validação' } },
    read: () => Promise.resolve(words[reads++] ?? ''),
    pendingStatus: (word) => (word === 'done' ? undefined : word),
  });
  return { followed, shown, stops, slept: clock.slept };
}

it('a resource is read until the service decides, and each earlier status is shown', async () => {
  const { followed, shown, stops, slept } = await follow(['new', 'checking', 'done'], 60_000);
  expect(followed).toEqual({ read: 'done', pending: undefined, elapsedMs: 600 });
  expect({ shown, stops, slept }).toEqual({
    shown: ['validation: new', 'validation: checking'],
    stops: 1,
    slept: [300, 300],
  });
});

it('the last read is returned when the time is over', async () => {
  const { followed, slept } = await follow(['new', 'checking', 'checking', 'checking'], 500);
  expect(followed).toEqual({ read: 'checking', pending: 'checking', elapsedMs: 500 });
  expect(slept).toEqual([300, 200]);
});

it('a resource is read once even without a time', async () => {
  const { followed, slept } = await follow(['new'], 0);
  expect(followed).toEqual({ read: 'new', pending: 'new', elapsedMs: 0 });
  expect(slept).toEqual([]);
});

import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { Signals } from '../../src/client/create.js';

function pair() {
  const run = new AbortController();
  const own = new AbortController();
  return { run, own, signals: new Signals(run.signal) };
}

/** Work that waits for its signal and gives the reason. */
function untilAborted(signal: AbortSignal): Promise<unknown> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(signal.reason)));
}

test('either signal aborts the work, with its reason', async () => {
  const first = pair();
  const ended = first.signals.under(first.own.signal, untilAborted);
  first.run.abort('the run');
  expect(await ended).toBe('the run');
  const second = pair();
  const other = second.signals.under(second.own.signal, untilAborted);
  second.own.abort('its own');
  expect(await other).toBe('its own');
});

test('an aborted signal ends the work before it begins', async () => {
  const { own, signals } = pair();
  own.abort('early');
  const isAborted = await signals.under(own.signal, (signal) => Promise.resolve(signal.aborted));
  expect(isAborted).toBe(true);
});

test('calls under the same two signals share one, and leave no listener', async () => {
  const { run, own, signals } = pair();
  const seen = new Set<AbortSignal>();
  let listening = 0;
  const work = async (signal: AbortSignal): Promise<void> => {
    seen.add(signal);
    listening = getEventListeners(run.signal, 'abort').length;
    await Promise.resolve();
  };
  await Promise.all(Array.from({ length: 50 }, () => signals.under(own.signal, work)));
  expect({ shared: seen.size, listening }).toEqual({ shared: 1, listening: 1 });
  for (const { signal } of [run, own]) expect(getEventListeners(signal, 'abort')).toEqual([]);
});

test('a failed call leaves no listener either, and the next one starts fresh', async () => {
  const { run, own, signals } = pair();
  await expect(signals.under(own.signal, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(getEventListeners(run.signal, 'abort')).toEqual([]);
  const ended = signals.under(own.signal, untilAborted);
  run.abort('later');
  expect(await ended).toBe('later');
});

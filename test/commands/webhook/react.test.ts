import { describe, expect, it } from 'vitest';
import { JobReaction } from '../../../src/commands/webhook/react.js';
import type { Text } from '../../../src/contract/text.js';
import { FiscalError } from '../../../src/errors/fiscal-error.js';
import type { JobEngine, Nudge, NudgeResult } from '../../../src/jobs/engine.js';
import { FakeClock } from '../../support/clock.js';

interface Heard {
  readonly asked: readonly (readonly string[])[];
  readonly notices: readonly string[];
}

/** Hears of the resources, then runs until `rounds` questions were asked. */
async function nudgeFor(
  resources: readonly string[],
  rounds: number,
  answer: (round: number) => Promise<NudgeResult>,
): Promise<Heard> {
  const ended = new AbortController();
  const asked: (readonly string[])[] = [];
  const notices: string[] = [];
  const nudge = async ({ profile, resourceIds }: Nudge): Promise<NudgeResult> => {
    expect(profile).toBe('p');
    asked.push(resourceIds);
    if (asked.length === rounds) ended.abort();
    return await answer(asked.length);
  };
  const reaction = new JobReaction({
    clock: new FakeClock(),
    notice: (text: Text) => Promise.resolve(void notices.push(text.en)),
    // Of engine and settings only this counts here.
    jobs: () => Promise.resolve({ nudge } as Partial<JobEngine> as JobEngine),
    settings: () => Promise.resolve({ storeNamespace: 'p' } as never),
  });
  for (const resource of resources) reaction.heard(resource);
  await reaction.run(ended.signal);
  return { asked, notices };
}

const finished = { finished: 1, waiting: 0 };
const waiting = { finished: 0, waiting: 1 };

describe('the resource of an event', () => {
  it('is read immediately, each once, a few at a time', async () => {
    const names = Array.from({ length: 10 }, (_, index) => `p-${index}`);
    const { asked } = await nudgeFor(['', ...names, 'p-0'], 2, () => Promise.resolve(finished));
    expect(asked).toEqual([names.slice(0, 8), names.slice(8)]);
  });

  it('is read again, but not for ever, while its state does not change', async () => {
    const { asked } = await nudgeFor(['p-1'], 5, () => Promise.resolve(waiting));
    expect(asked).toEqual(Array.from({ length: 5 }, () => ['p-1']));
  });

  it('is left to regular polling if the service is unavailable, with one notice', async () => {
    const noKey = () => Promise.reject(new FiscalError('network.unreachable', { host: 'h', reason: 'r' }));
    const { asked, notices } = await nudgeFor(['p-1'], 3, noKey);
    expect([asked.length, notices.length]).toEqual([3, 1]);
    expect(notices[0]).toContain('will be polled');
  });
});

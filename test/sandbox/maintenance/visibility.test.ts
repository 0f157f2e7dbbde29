import { array, asyncProperty, assert, constantFrom, integer, oneof, record, boolean, constant } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { testService } from '../../conformance/service.js';
import { backfillPath, cutOffPath } from '../../facts/inbound.js';
import { releasePath } from '../../facts/maintenance.js';

const service = testService();
const days = ['2026-07-15', '2026-08-15', '2026-09-15', '2026-10-15'] as const;

const step = oneof(
  record({ kind: constant('capture'), day: constantFrom(...days) }),
  record({ kind: constant('cut-off'), day: constantFrom('2026-08-01', '2026-09-01', '2026-10-01') }),
  record({ kind: constant('ask'), released: boolean() }),
  record({ kind: constant('wait'), batches: integer({ min: 1, max: 3 }) }),
);
type Step = Parameters<typeof take>[0];

async function take(
  next:
    | { readonly kind: 'capture' | 'cut-off'; readonly day: string }
    | { readonly kind: 'ask'; readonly released: boolean }
    | { readonly kind: 'wait'; readonly batches: number },
): Promise<void> {
  const { companyId } = service.ready();
  if ('day' in next && next.kind === 'capture') {
    const issuedOn = `${next.day}T12:00:00Z`;
    await service.control('POST', 'documents', { family: 'nfse', issuedOn });
  } else if ('day' in next) {
    await service.send('PUT', cutOffPath(companyId), { body: { startFromDate: next.day } });
  } else if ('released' in next) {
    await service.send('POST', releasePath(companyId), { body: { released: next.released } });
  } else {
    await service.control('POST', 'clock', { advance: `${next.batches}s` });
  }
}

interface Shown {
  readonly issuedOn: string;
  readonly visibility?: string;
}

/** What is hidden, and what should be: all of before the cut-off, unless the history is released. */
async function hidden(steps: readonly Step[]): Promise<{ found: string[]; expected: string[] }> {
  await service.control('POST', 'reset');
  await service.control('POST', 'clock', { freeze: true });
  await service.control('POST', 'clock', { set: '2026-11-20T12:00:00Z' });
  await service.control('POST', 'sweep', { documents: 2, every: '1s' });
  for (const next of steps) await take(next);
  await service.control('POST', 'clock', { advance: '1h' });
  const { json } = await service.send('GET', backfillPath(service.ready().companyId));
  const { documents } = await service.control('GET', 'documents');
  const all: readonly Shown[] = documents;
  const isHistory = ({ issuedOn }: Shown) => issuedOn < (json.startFromDate ?? '');
  const released = steps.findLast((each) => each.kind === 'ask');
  expect(json.released).toBe(released !== undefined && 'released' in released && released.released);
  return {
    found: all.filter(({ visibility }) => visibility === 'hidden').map(({ issuedOn }) => issuedOn),
    expected: json.released ? [] : all.filter(isHistory).map(({ issuedOn }) => issuedOn),
  };
}

describe('the hidden documents', () => {
  it('are all those before the cut-off, or none if the last request was a release', async () => {
    await assert(
      asyncProperty(array(step, { maxLength: 12 }), async (steps) => {
        const { found, expected } = await hidden(steps);
        expect(found).toEqual(expected);
      }),
      { numRuns: 40 },
    );
  });
});

import { rmSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { TestHost } from '../support/host.js';

/** The kinds of `npm run fuzz -- KIND`; each is a test file of its name. */
type Kind = 'argv' | 'files' | 'answers' | 'webhook' | 'store' | 'filter' | 'published';

/** Cases of each kind in `npm test`, unless it says another number. */
const RUNS = 334;

export interface Fuzz<Case> {
  readonly kind: Kind;
  /** Random cases. */
  readonly cases: fc.Arbitrary<Case>;
  /** Cases that once failed, or that the issue of a defect named: each is run, whatever the number of runs. */
  readonly corpus: readonly Case[];
  readonly runs?: number;
  /** What is wrong with one case: empty when every rule holds. */
  violations(one: Case): Promise<readonly string[]>;
}

/** Of `npm test`, so that only a change can make it fail; `npm run fuzz` takes a new one each time. */
const SEED = 20_261_123;

/** One test for the corpus, and one for random cases: as many as `FISCAL_FUZZ_RUNS`, from `FISCAL_FUZZ_SEED`. */
export function fuzz<Case>({ kind, cases, corpus, violations, runs: usual = RUNS }: Fuzz<Case>): void {
  test.each(corpus.map((one) => ({ name: fc.stringify(one).slice(0, 150), one })))(
    `${kind}: $name`,
    async ({ one }) => {
      expect(await violations(one)).toEqual([]);
    },
  );

  test(`${kind}: no random case breaks a rule`, async () => {
    const runs = process.env['FISCAL_FUZZ_RUNS'];
    const numRuns = Number(runs ?? usual);
    const given = process.env['FISCAL_FUZZ_SEED'] ?? (runs === undefined ? SEED : undefined);
    const found: string[] = [];
    const property = fc.asyncProperty(cases, async (one) => {
      found.splice(0, found.length, ...(await violations(one)));
      return found.length === 0;
    });
    const details = await fc.check(property, {
      numRuns,
      ...(given === undefined ? {} : { seed: Number(given) }),
      ...pathOf(process.env['FISCAL_FUZZ_PATH']),
    });
    process.stdout.write(`fuzz ${kind}: ${details.numRuns} cases, seed ${details.seed}, at most ${megabytes()} MB\n`);
    if (!details.failed) return;
    const again = `npm run fuzz -- ${kind} --seed=${details.seed} --path=${details.counterexamplePath ?? ''}`;
    const [worst] = details.counterexample ?? [];
    if (worst !== undefined) found.splice(0, found.length, ...(await violations(worst)));
    const error = details.errorInstance instanceof Error ? `\n${details.errorInstance.stack ?? ''}` : '';
    throw new Error(`${again}\n${fc.stringify(worst).slice(0, 2_000)}\n${found.join('\n')}${error}`);
  });
}

function pathOf(path: string | undefined): { readonly path?: string; readonly endOnFailure?: boolean } {
  return path === undefined || path === '' ? {} : { path, endOnFailure: true };
}

function megabytes(): string {
  return (process.resourceUsage().maxRSS / 1024).toFixed(0);
}

/** Every case has a host of its own, and 100,000 of them would fill the disk. */
export function removeHost({ root }: TestHost): void {
  rmSync(root, { recursive: true, force: true });
}

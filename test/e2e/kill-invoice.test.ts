import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { samples } from '../../src/commands/invoice/samples.js';
import {
  clearFaults,
  fiscal,
  holdAnswers,
  killWhenHeld,
  newWorld,
  put,
  records,
  start,
  withSandbox,
  worldAt,
  type ReadyLine,
} from './program.js';

const INVOICES = 60;
const KILLS = 8;
const CONCURRENCY = 6;

let ready: ReadyLine;
let stop: () => void;

beforeAll(async () => {
  ({ ready, stop } = await withSandbox(newWorld()));
});

afterAll(() => stop());

interface Entry {
  readonly effect: { readonly issued?: string; readonly externalId?: string } | null;
}

/** The externalIds that were issued, as often as they were. */
async function issuedIds(operation: string): Promise<readonly string[]> {
  const answer = await fetch(`${ready.url}/__sandbox/ledger?operation=${operation}&limit=5000`);
  // The ledger's shape is asserted by the sandbox's own tests.
  const { entries } = (await answer.json()) as { entries: Entry[] };
  return entries.flatMap(({ effect }) => (effect?.issued === undefined ? [] : [effect.externalId ?? '']));
}

describe.each(['nfse', 'nfe', 'nfce'] as const)('kill -9 between send and answer of %s', (model) => {
  it('leaves one invoice, which the same command finds and follows', async () => {
    const world = worldAt(ready);
    const file = put(world, 'nota.json', JSON.stringify(samples[model]));
    const externalId = `KILL-${model}`;
    const argv = ['invoice', model, 'issue', '--file', file, '--external-id', externalId, '--wait'];
    await holdAnswers(ready, `${model}.issue`);
    expect((await killWhenHeld(ready, start(world, argv))).signal).toBe('SIGKILL');
    expect(await issuedIds(`${model}.issue`)).toContain(externalId);
    await clearFaults(ready);
    const again = await fiscal(world, ...argv);
    expect([again.exitCode, JSON.parse(again.stdout)]).toMatchObject([0, { externalId, status: 'Issued' }]);
    expect((await issuedIds(`${model}.issue`)).filter((id) => id === externalId)).toEqual([externalId]);
  });
});

/** A repeatable chain of moments: the same run kills at the same times. */
function moments(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1103515245 + 12345) % 2 ** 31;
    return state / 2 ** 31;
  };
}

it('repeated kill -9 during an import, then the same command: each invoice is issued once', async () => {
  const world = worldAt(ready);
  const names = Array.from({ length: INVOICES }, (_, index) => `IMP-${index + 1}`);
  const rows = names.map((externalId) => JSON.stringify({ ...samples.nfse, externalId }));
  const file = put(world, 'notas.ndjson', `${rows.join('\n')}\n`);
  const argv = [
    'invoice',
    'nfse',
    'import',
    file,
    '--yes',
    '--concurrency',
    String(CONCURRENCY),
    ...['--settle-time', '4s', '--resend-absent'],
    '-o',
    'ndjson',
  ];
  const next = moments(11);
  for (let kill = 0; kill < KILLS; kill += 1) {
    // Few enough answers that there are invoices left for all the kills.
    await holdAnswers(ready, 'nfse.issue', { skip: Math.floor(next() * 2), slowMs: 200 });
    // All have arrived: what a kill keeps from leaving is sent again only after a minute.
    const { signal } = await killWhenHeld(ready, start(world, argv), CONCURRENCY);
    expect(signal).toBe('SIGKILL');
  }
  await clearFaults(ready);
  const last = await fiscal(world, ...argv, '--wait');
  const summary = records(last).at(-1);
  expect([last.exitCode, summary]).toMatchObject([0, { total: INVOICES, succeeded: INVOICES, uncertain: 0 }]);
  const issued = (await issuedIds('nfse.issue')).filter((id) => id.startsWith('IMP-'));
  expect(issued.toSorted()).toEqual(names.toSorted());
});

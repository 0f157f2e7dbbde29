import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { samples } from '../../src/commands/invoice/samples.js';
import {
  clearFaults,
  control,
  fiscal,
  inProcess,
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
  readonly effect: { readonly issued?: string; readonly id: string } | null;
}

/** The ids that were issued. */
async function issuedIds(operation: string): Promise<readonly string[]> {
  const answer = await fetch(`${ready.url}/__sandbox/ledger?operation=${operation}&limit=5000`);
  // The ledger's shape is asserted by the sandbox's own tests.
  const { entries } = (await answer.json()) as { entries: Entry[] };
  return entries.flatMap(({ effect }) => (effect?.issued === undefined ? [] : [effect.id]));
}

/** What identifies the invoice at the service: a published field, what only its content shows, or an extra field. */
const ways = [
  ['nfse', 'its externalId', []],
  ['nfe', 'its content', []],
  ['nfe', 'its externalId in the body', ['--external-id-in-body']],
  ['nfce', 'its content', ['--set', 'buyer.federalTaxNumber=52998224725']],
  ['nfce', 'its order number', ['--set', 'additionalInformation.order=KILL-nfce']],
  ['nfce', 'its externalId in the body', ['--external-id-in-body']],
] as const;

describe.each(ways)('kill -9 between send and answer of %s', (model, way, words) => {
  it(`leaves one invoice, which the same command finds by ${way} and follows`, async () => {
    const world = worldAt(ready);
    await takesExternalIds(way.endsWith('body'));
    const before = await issuedIds(`${model}.issue`);
    const file = put(world, 'nota.json', JSON.stringify(samples[model]));
    const externalId = `KILL-${model}`;
    const order = ['--external-id', externalId, ...words];
    const argv = ['invoice', 'issue', '--model', model, '--file', file, ...order, '--wait', '--yes'];
    await holdAnswers(ready, `${model}.issue`);
    expect((await killWhenHeld(ready, start(world, argv))).signal).toBe('SIGKILL');
    const [id, ...more] = (await issuedIds(`${model}.issue`)).slice(before.length);
    expect([id, more]).toEqual([expect.any(String), []]);
    await clearFaults(ready);
    const again = await inProcess(world, ...argv);
    expect([again.exitCode, JSON.parse(again.stdout)]).toMatchObject([0, { id, externalId, status: 'Issued' }]);
    expect((await issuedIds(`${model}.issue`)).slice(before.length)).toEqual([id]);
  });
});

/** Whether the service takes what its published bodies do not have. */
async function takesExternalIds(lenient: boolean): Promise<void> {
  await control(ready, 'mode', { lenient });
}

/** A repeatable chain of moments: the same run kills at the same times. */
function moments(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1103515245 + 12345) % 2 ** 31;
    return state / 2 ** 31;
  };
}

/** An NF-e of its own total. */
function merchandise(index: number): object {
  const [item] = samples.nfe['items'] as readonly object[];
  const amount = Math.round(1890 * (index + 1)) / 100;
  const items = [{ ...item, quantity: index + 1, totalAmount: amount }];
  return { ...samples.nfe, items, payment: [{ paymentDetail: [{ method: 'Cash', amount }] }] };
}

it.each([
  ['nfse', 'by externalId', []],
  ['nfe', 'by content', []],
  ['nfe', 'by externalId in the body', ['--external-id-in-body']],
] as const)('repeated kill -9 during an import of %s, found %s: each is issued once', async (model, way, words) => {
  const world = worldAt(ready);
  await takesExternalIds(way.endsWith('body'));
  const before = await issuedIds(`${model}.issue`);
  const rows = Array.from({ length: INVOICES }, (_, index) =>
    JSON.stringify({ ...(model === 'nfe' ? merchandise(index) : samples.nfse), externalId: `IMP-${index + 1}` }),
  );
  const file = put(world, 'notas.ndjson', `${rows.join('\n')}\n`);
  const argv = [
    'invoice',
    'apply',
    '--model',
    model,
    file,
    ...words,
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
    await holdAnswers(ready, `${model}.issue`, { skip: Math.floor(next() * 2), slowMs: 200 });
    // All have arrived: what a kill keeps from leaving is sent again only after a minute.
    const { signal } = await killWhenHeld(ready, start(world, argv), CONCURRENCY);
    expect(signal).toBe('SIGKILL');
  }
  await clearFaults(ready);
  const last = await fiscal(world, ...argv, '--wait');
  const summary = records(last).at(-1);
  expect([last.exitCode, summary]).toMatchObject([0, { total: INVOICES, succeeded: INVOICES, uncertain: 0 }]);
  const issued = (await issuedIds(`${model}.issue`)).slice(before.length);
  const linked = records(last).flatMap(({ type, invoiceId }) => (type === 'item' ? [String(invoiceId)] : []));
  expect(issued).toHaveLength(INVOICES);
  expect(new Set(linked)).toEqual(new Set(issued));
});

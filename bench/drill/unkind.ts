import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { addFault } from './ledger.js';
import { type LifeEnd, live, type Moment } from './life.js';

/** Everything that the document allows a service to do to its callers. All drills work against this one. */

/** Options of `sandbox start`: reads lag behind, and neither keys nor external ids are unique. */
export const unkindService = ['--lag', '1s', '--idempotency-keys', 'ignored', '--external-ids', 'any'];
/** After so long every late effect has come and every read shows it. */
export const CALM_MS = 3_000;

type FaultKind = readonly [kind: string, details: Readonly<Record<string, unknown>>];

/** Before the effect, after it, and before an effect that comes later by itself. */
const sendFaults: readonly FaultKind[] = [
  ['429', { retryAfter: 1 }],
  ['503', { retryAfter: 1 }],
  ['503-after', { retryAfter: 1 }],
  ['503-late', { retryAfter: 1, delayMs: 1_500 }],
  ['500', {}],
  ['500-after', {}],
  ['500-late', { delayMs: 1_500 }],
  ['slow', { delayMs: 300 }],
  ['cut-before', {}],
  ['cut-after', {}],
  ['cut-late', { delayMs: 1_500 }],
  ['cut-body', {}],
  ['broken-json', {}],
  ['empty-body', {}],
];

/** `rate`: the share of the requests of each operation that meet a fault, spread evenly over the kinds. */
export async function addUnkindFaults(url: string, operations: readonly string[], rate: number): Promise<void> {
  for (const operation of operations) {
    for (const [kind, details] of sendFaults) {
      await addFault(url, { kind, operation, rate: rate / sendFaults.length, ...details });
    }
  }
}

/** How far the wall clock of a life is from that of the machine. */
const shiftsMs = [0, 90_000, -90_000, 3_600_000, -3_600_000] as const;

/** What gives a life the wall clock that is the turn of its number. */
export function shiftedEnv(env: NodeJS.ProcessEnv, nth: number): NodeJS.ProcessEnv {
  const preload = pathToFileURL(join(process.cwd(), 'bench/drill/shift-date.js')).href;
  const shift = String(shiftsMs[nth % shiftsMs.length]);
  return { ...env, DRILL_SHIFT_MS: shift, NODE_OPTIONS: `--import ${preload}` };
}

/** One life of the real program with that clock. */
export async function shiftedLife(
  env: NodeJS.ProcessEnv,
  words: readonly string[],
  { nth, kill }: { readonly nth: number; readonly kill?: Moment },
): Promise<LifeEnd> {
  return await live(shiftedEnv(env, nth), words, kill);
}

/** The rows that a command of the program prints. */
export async function rowsOf(
  env: NodeJS.ProcessEnv,
  words: readonly string[],
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const end = await live(env, [...words, '-o', 'ndjson']);
  if (end.exitCode !== 0) console.log(end.stderr);
  return recordsIn(end);
}

export function recordsIn({ stdout }: LifeEnd): readonly Readonly<Record<string, unknown>>[] {
  const lines = stdout.split('\n').filter((line) => line !== '');
  return lines.map((line): Readonly<Record<string, unknown>> => JSON.parse(line));
}

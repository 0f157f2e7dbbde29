import { spawnSync } from 'node:child_process';
import { median } from './median.js';

export interface Start {
  readonly name: string;
  readonly words: readonly string[];
  /** The ratio to the first start that the design allows. */
  readonly budget: number;
}

/** Starts every program once per round, in turn, so that a busy moment of the machine meets them all alike. */
export async function measureStarts(starts: readonly Start[], rounds: number, env: NodeJS.ProcessEnv): Promise<void> {
  const times = starts.map((): number[] => []);
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, start] of starts.entries()) times[index]?.push(timeOf(start, env));
  }
  const medians = times.map(median);
  const base = medians[0] ?? 1;
  console.log(['ratio', 'budget', 'median', 'least', ''].map((head) => head.padStart(8)).join(''));
  for (const [index, { name, budget }] of starts.entries()) {
    const value = medians[index] ?? 0;
    const least = Math.min(...(times[index] ?? []));
    const cells = [(value / base).toFixed(2), budget.toFixed(2), `${value.toFixed(0)} ms`, `${least.toFixed(0)} ms`];
    console.log(`${cells.map((cell) => cell.padStart(8)).join('')}  ${name}`);
  }
}

function timeOf({ name, words }: Start, env: NodeJS.ProcessEnv): number {
  const begin = process.hrtime.bigint();
  const { status, stderr } = spawnSync(process.execPath, [...words], { env, encoding: 'utf8' });
  const elapsedMs = Number(process.hrtime.bigint() - begin) / 1e6;
  if (status !== 0) throw new Error(`${name} ended ${status}: ${stderr}`);
  return elapsedMs;
}

import { spawn } from 'node:child_process';
import { join } from 'node:path';

export interface LifeEnd {
  readonly exitCode: number | null;
  readonly wasKilled: boolean;
  readonly stdout: string;
  readonly stderr: string;
}

/** When a life ends by SIGKILL, unless it was faster: after so many milliseconds, or when this promise is kept. */
export type Moment = number | ((life: AbortSignal) => Promise<unknown>);

/** One life of the real program. */
export async function live(env: NodeJS.ProcessEnv, words: readonly string[], kill?: Moment): Promise<LifeEnd> {
  return await liveAs(env, [join(process.cwd(), 'bin/fiscal.js'), ...words], kill);
}

/** One life of any program of Node; `words` begin with its file. */
export async function liveAs(env: NodeJS.ProcessEnv, words: readonly string[], kill?: Moment): Promise<LifeEnd> {
  const child = spawn(process.execPath, words, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const text = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => (text.stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (text.stderr += chunk.toString()));
  const ended = new AbortController();
  const timer = typeof kill === 'number' ? setTimeout(() => child.kill('SIGKILL'), kill) : undefined;
  if (typeof kill === 'function') void kill(ended.signal).then(() => child.kill('SIGKILL'));
  return await new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (exitCode, signal) => {
      clearTimeout(timer);
      ended.abort();
      resolve({ exitCode, wasKilled: signal === 'SIGKILL', ...text });
    });
  });
}

/** A repeatable chain of moments from 0 to 1. */
export function chance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
}

/** In an order by chance, the same for the same chain. */
export function shuffled<Item>(items: readonly Item[], next: () => number): Item[] {
  return items
    .map((item) => ({ item, at: next() }))
    .sort((one, other) => one.at - other.at)
    .map(({ item }) => item);
}

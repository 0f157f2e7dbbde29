import { spawn } from 'node:child_process';
import { join } from 'node:path';

export interface LifeEnd {
  readonly exitCode: number | null;
  readonly wasKilled: boolean;
  readonly stdout: string;
  readonly stderr: string;
}

/** One life of the real program; with `killAfterMs` it ends by SIGKILL, unless it was faster. */
export async function live(
  env: NodeJS.ProcessEnv,
  words: readonly string[],
  killAfterMs?: number,
): Promise<LifeEnd> {
  const child = spawn(process.execPath, [join(process.cwd(), 'bin/fiscal.js'), ...words], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const text = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => (text.stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (text.stderr += chunk.toString()));
  const timer = killAfterMs === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), killAfterMs);
  return await new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (exitCode, signal) => {
      clearTimeout(timer);
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

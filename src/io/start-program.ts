import { spawn } from 'node:child_process';
import type { Environment } from '../domain/world.js';

/** A program that fails says so at once; one that still runs then has opened its window. */
const SOON_MS = 2_000;

/** Explorer ends with 1 also when it has opened a window. */
const alwaysFails = 'explorer.exe';

/** Starts a program that goes on without this one. False when it cannot be started, or fails at once. */
export async function startProgram(words: readonly string[], env: Environment): Promise<boolean> {
  const [program = '', ...rest] = words;
  const child = spawn(program, rest, { stdio: 'ignore', detached: true, env: { ...env } });
  child.unref();
  return await new Promise((resolve) => {
    const timer = setTimeout(() => resolve(true), SOON_MS);
    const end = (isStarted: boolean): void => {
      clearTimeout(timer);
      resolve(isStarted);
    };
    child.on('error', () => end(false));
    child.on('exit', (code) => end(code === 0 || program === alwaysFails));
  });
}

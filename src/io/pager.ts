import { spawn } from 'node:child_process';
import type { Environment } from '../domain/world.js';

/** The code of a shell for a program that it does not find. */
const NOT_FOUND = 127;

/**
 * Shows the text in the program of these words, and waits until it is left; left early is no error. False when the program
 * cannot be started.
 */
export async function pageText(text: string, words: readonly string[], env: Environment): Promise<boolean> {
  const [program = '', ...rest] = words;
  const child = spawn(program, rest, { stdio: ['pipe', 'inherit', 'inherit'], env: { ...env } });
  return await new Promise((resolve) => {
    child.on('error', () => resolve(false));
    child.on('close', (code) => resolve(code !== NOT_FOUND));
    // Whoever leaves the pager early closes the pipe.
    child.stdin.on('error', () => undefined);
    child.stdin.end(text);
  });
}

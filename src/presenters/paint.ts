import type { Paint } from './look.js';

const same = (text: string): string => text;

/** For a stream without colour. */
export const plainPaint: Paint = { strong: same, dim: same, good: same, bad: same, warn: same };

/** Chalk is loaded only where there is colour to give. */
export async function createPaint(level: 0 | 1 | 2 | 3): Promise<Paint> {
  if (level === 0) return plainPaint;
  const { Chalk } = await import('chalk');
  const chalk = new Chalk({ level });
  return {
    strong: (text) => chalk.bold(text),
    dim: (text) => chalk.dim(text),
    good: (text) => chalk.green(text),
    bad: (text) => chalk.red(text),
    warn: (text) => chalk.yellow(text),
  };
}

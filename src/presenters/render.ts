import type { Language } from '../contract/text.js';

/** Pure: data to lines of text. */
export type View = (data: unknown, options: RenderOptions) => readonly string[];

/** How a presenter writes its lines: for which language, how many columns wide, in which colours. */
export interface RenderOptions {
  readonly language: Language;
  readonly columns: number;
  readonly paint: Paint;
}

/** Colour by meaning; the identity functions where colour is off. */
export interface Paint {
  readonly strong: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly good: (text: string) => string;
  readonly bad: (text: string) => string;
  readonly warn: (text: string) => string;
}

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

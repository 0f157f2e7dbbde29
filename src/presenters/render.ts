import type { Language } from '../contract/text.js';
import type { Described } from './record.js';

/** A pure function from data to lines of text. */
export interface View {
  (data: unknown, options: RenderOptions): readonly string[];
  /** The fields that are columns; those that no terminal drops; those that may go below their row. */
  readonly columns?: readonly string[];
  readonly required?: readonly string[];
  readonly below?: readonly string[];
}

/** The language, width in columns and colours of the output. */
export interface RenderOptions {
  readonly language: Language;
  readonly columns: number;
  readonly paint: Paint;
  /** Times in UTC instead of those of Brasília. */
  readonly isUtc?: boolean;
  /** Signs of ASCII: the terminal cannot show others. */
  readonly isAscii?: boolean;
  /** `--verbose`: also what few people need. */
  readonly isVerbose?: boolean;
  /** The records of the command, with the titles of their fields. */
  readonly described?: Described | undefined;
}

/** Colours by meaning; identity functions when colour is off. */
export interface Paint {
  readonly strong: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly good: (text: string) => string;
  readonly bad: (text: string) => string;
  readonly warn: (text: string) => string;
}

const same = (text: string): string => text;

/** Without colour. */
export const plainPaint: Paint = { strong: same, dim: same, good: same, bad: same, warn: same };

/** Chalk is loaded only when colour is on. */
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

import type { Environment } from '../domain/world.js';
import type { ColorLevel } from './io.js';

export type ColorChoice = 'auto' | 'always' | 'never';

/**
 * The colour level of one stream. Each stream is checked separately: stdout may be a file while stderr is a terminal.
 */
export function colorLevel(choice: ColorChoice, isTerminal: boolean, env: Environment): ColorLevel {
  if (choice === 'never') return 0;
  if (choice === 'always') return levelOf(env);
  // https://no-color.org: present and not empty.
  if (isSet(env['NO_COLOR'])) return 0;
  const forced = forcedLevel(env['FORCE_COLOR']);
  if (forced !== undefined) return forced;
  if (!isTerminal || env['TERM'] === 'dumb' || isSet(env['CI'])) return 0;
  return levelOf(env);
}

function levelOf(env: Environment): ColorLevel {
  if (/^(?:truecolor|24bit)$/i.test(env['COLORTERM'] ?? '')) return 3;
  return /-256(?:color)?$/i.test(env['TERM'] ?? '') ? 2 : 1;
}

function forcedLevel(value: string | undefined): ColorLevel | undefined {
  switch (value) {
    case undefined:
      return undefined;
    case '0':
    case 'false':
      return 0;
    case '2':
      return 2;
    case '3':
      return 3;
    default:
      return 1;
  }
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== '';
}

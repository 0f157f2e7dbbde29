import type { Settings } from '../config/settings.js';
import { shellLine, splitCommand } from '../domain/command-words.js';
import { FiscalError } from '../errors/fiscal-error.js';

/** Whose things a run works on. */
export type Whose = Pick<Settings, 'profile' | 'company' | 'tenant'>;

/**
 * The error with a command to go on that means the same wherever it is typed: the profile of the run, and where the command
 * works on a company or a tenant, those too.
 */
export async function withWholeResume(error: FiscalError, whose: Whose | undefined): Promise<FiscalError> {
  const { resume } = error.facts;
  if (resume === undefined || whose === undefined) return error;
  return error.with({ resume: await wholeCommand(resume, whose) });
}

async function wholeCommand(line: string, { profile, company, tenant }: Whose): Promise<string> {
  const split = splitCommand(line);
  if (!('words' in split) || split.words[0] !== 'fiscal') return line;
  const { words } = split;
  const scope = await scopeOf(words.slice(1));
  if (scope === undefined) return line;
  const isForAll = words.includes('--all-companies') || words.includes('--all');
  const wanted = {
    company: scope.includes('company') && !isForAll ? company : undefined,
    tenant: scope.includes('tenant') ? tenant : undefined,
    profile,
  };
  const missing = Object.entries(wanted).flatMap(([name, value]) => {
    const isNamed = words.some((word) => word === `--${name}` || word.startsWith(`--${name}=`));
    return value === undefined || isNamed ? [] : [`--${name}`, value];
  });
  const dashes = words.indexOf('--');
  return shellLine(words.toSpliced(dashes === -1 ? words.length : dashes, 0, ...missing));
}

/** What the command works on; `undefined` for words that are none of this program. */
async function scopeOf(words: readonly string[]): Promise<readonly string[] | undefined> {
  const { findRoute } = await import('./route.js');
  try {
    const route = await findRoute(words);
    return route.kind === 'command' ? (route.definition.scope ?? []) : undefined;
  } catch (error) {
    if (error instanceof FiscalError) return undefined;
    throw error;
  }
}

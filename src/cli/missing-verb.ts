import { FiscalError } from '../errors/fiscal-error.js';
import { helpFor, readerAt } from './help.js';
import type { RunContext } from './perform.js';
import { writesJson } from './report.js';
import { seeHelp, type CommandLine } from './tree.js';

/** The error of a noun without its verb. A person at a terminal reads the help of the noun first. */
export async function missingVerb(
  { nodes }: CommandLine,
  { host, catalogue, early }: RunContext,
): Promise<FiscalError> {
  const [program, noun = program] = nodes;
  const { path, verbWords } = nodes.at(-1) ?? noun;
  const words = path.slice('fiscal '.length);
  if (host.stderr.isTerminal && !writesJson(host, early)) {
    const help = await helpFor({ nodes }, catalogue, readerAt(host.stderr, early.language));
    await host.stderr.write(`${help}\n\n`);
    const names = { en: `a verb of "${words}"`, pt: `um verbo de "${words}"` };
    return new FiscalError('usage.missing', { names });
  }
  const verbs = verbWords.join(', ');
  const names = { en: `a verb of "${words}" (${verbs})`, pt: `um verbo de "${words}" (${verbs})` };
  return new FiscalError('usage.missing', { names }, { hint: seeHelp(path) });
}

import { ExitCode } from '../errors/exit-code.js';
import { FiscalError } from '../errors/fiscal-error.js';
import type { Host } from '../io/io.js';
import { requireOutput } from './lost-output.js';
import type { RunContext } from './perform.js';
import { asksForAllHelp, readCommandLine, type CommandLine } from './tree.js';
import { version } from '../domain/version.js';

/** Runs one command line: a command, help, the version, or a shell completion. */
export async function dispatch(argv: readonly string[], context: RunContext): Promise<ExitCode> {
  try {
    return await runWords(argv, context);
  } catch (error) {
    const isChoice = error instanceof FiscalError && error.facts.pick !== undefined;
    if (!isChoice || !context.host.stdin.isTerminal) throw error;
    const { pickMissing } = await import('./pick.js');
    const words = await pickMissing(error, argv, context);
    if (words === undefined) throw error;
    return await dispatch([...argv, ...words], context);
  }
}

async function runWords(argv: readonly string[], context: RunContext): Promise<ExitCode> {
  const { host, catalogue, early } = context;
  const [word, ...words] = argv;
  if (word === 'complete') {
    const { answerCompletion } = await import('./complete.js');
    return await print(await answerCompletion(words, { host, catalogue }), host);
  }
  const line = await readCommandLine(argv, catalogue);
  const definition = line.nodes.at(-1)?.definition;
  if (line.wants === 'version') return await print(`fiscal ${version}\n`, host);
  if (line.wants === 'verb') {
    const { missingVerb } = await import('./missing-verb.js');
    throw await missingVerb(line, context);
  }
  if (line.wants === 'help' || definition === undefined) {
    const { helpFor, readerAt } = await import('./help.js');
    const reader = { ...readerAt(host.stdout, early.language), all: asksForAllHelp(argv) };
    const text = await helpFor(line, catalogue, reader);
    const exitCode = await printHelp(`${text}\n`, line, host);
    if (argv.length > 0 || !host.stdin.isTerminal) return exitCode;
    const { offerSetup } = await import('./offer-setup.js');
    return (await offerSetup(context)) ? await dispatch(['setup'], context) : exitCode;
  }
  const { perform } = await import('./perform.js');
  return await perform(definition, line, context);
}

async function printHelp(text: string, { options }: CommandLine, host: Host): Promise<ExitCode> {
  if (!host.stdout.isTerminal) return await print(text, host);
  const { pagerOfHelp } = await import('./pager.js');
  const stdout = pagerOfHelp(host, options.has('noPager'))?.(host.stdout) ?? host.stdout;
  await stdout.write(text);
  await requireOutput(host);
  return ExitCode.ok;
}

async function print(text: string, host: Host): Promise<ExitCode> {
  await host.print(text);
  await requireOutput(host);
  return ExitCode.ok;
}

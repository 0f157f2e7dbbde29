import { ExitCode } from '../errors/exit-code.js';
import type { Host } from '../io/io.js';
import type { EarlyChoices } from './early.js';
import { earlyChoices } from './early.js';
import { findRoute, type Route } from './route.js';
import { version } from './version.js';

/** Takes one command line to its end. `tell` learns how to speak as soon as that is known. */
export async function dispatch(
  argv: readonly string[],
  host: Host,
  tell: (chosen: EarlyChoices) => void,
): Promise<ExitCode> {
  if (argv[0] === 'complete') return await complete(argv.slice(1), host);
  const route = await findRoute(argv);
  if (route.kind === 'version') {
    await host.stdout.write(`fiscal ${version}\n`);
    return ExitCode.ok;
  }
  if (route.kind !== 'command' || route.help) return await showHelp(route, argv, host);
  const { perform } = await import('./perform.js');
  return await perform(route, { host, early: earlyChoices(argv, host.env), tell });
}

async function showHelp(route: Route, argv: readonly string[], host: Host): Promise<ExitCode> {
  const { helpFor } = await import('./help.js');
  const { language } = earlyChoices(argv, host.env);
  await host.stdout.write(`${(await helpFor(route, language)).join('\n')}\n`);
  return ExitCode.ok;
}

/** What the shell asks while a person types. */
async function complete(words: readonly string[], host: Host): Promise<ExitCode> {
  const { answerCompletion } = await import('./complete.js');
  await host.stdout.write(await answerCompletion(words, host));
  return ExitCode.ok;
}

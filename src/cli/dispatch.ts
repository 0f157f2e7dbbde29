import { ExitCode } from '../errors/exit-code.js';
import type { Host } from '../io/io.js';
import { earlyChoices } from './early.js';
import type { Surroundings } from './perform.js';
import { findRoute, type Route } from './route.js';
import { version } from './version.js';

/** What surrounds one command line: the world, the pipeline that it runs in, and who learns how to speak as soon as that is known. */
export type Around = Omit<Surroundings, 'early'>;

/** Takes one command line to its end. */
export async function dispatch(argv: readonly string[], around: Around): Promise<ExitCode> {
  const { host } = around;
  if (argv[0] === 'complete') return await complete(argv.slice(1), host);
  const route = await findRoute(argv);
  if (route.kind === 'version') {
    await host.stdout.write(`fiscal ${version}\n`);
    return ExitCode.ok;
  }
  if (route.kind !== 'command' || route.help) return await showHelp(route, argv, host);
  const { perform } = await import('./perform.js');
  return await perform(route, { ...around, early: earlyChoices(argv, host.env) });
}

async function showHelp(route: Route, argv: readonly string[], host: Host): Promise<ExitCode> {
  const [{ helpFor }, { readerAt }] = await Promise.all([import('./help.js'), import('./help-layout.js')]);
  const { language } = earlyChoices(argv, host.env);
  const lines = await helpFor(route, readerAt(host.stdout, language));
  await host.stdout.write(`${lines.join('\n')}\n`);
  return ExitCode.ok;
}

/** What the shell asks while a person types. */
async function complete(words: readonly string[], host: Host): Promise<ExitCode> {
  const { answerCompletion } = await import('./complete.js');
  await host.stdout.write(await answerCompletion(words, host));
  return ExitCode.ok;
}

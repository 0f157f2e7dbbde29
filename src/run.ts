import type { GithubReporter } from './cli/ci/github.js';
import type { ErrorChoices } from './cli/report.js';
import { version } from './domain/version.js';
import type { AttachedSandbox } from './commands/sandbox/attach.js';
import type { Directories } from './config/directories.js';
import { ExitCode } from './errors/exit-code.js';
import { FiscalError } from './errors/fiscal-error.js';
import type { Host } from './io/io.js';

/** One run of the program: words in, exit code out. The only place where an error is caught and reported. */
export async function run(argv: readonly string[], world: Host): Promise<ExitCode> {
  if (argv.length === 1 && isVersionWord(argv[0])) {
    await world.print(`fiscal ${version}\n`);
    if (world.stdout.failure === undefined) return ExitCode.ok;
  }
  const [{ earlyChoices }, { dispatch }, catalogue] = await Promise.all([
    import('./cli/presentation.js'),
    import('./cli/dispatch.js'),
    import('./commands/groups.js'),
  ]);
  const early = earlyChoices(argv, world.env);
  let choices: ErrorChoices = early;
  const pipeline = early.reportsToGithub ? await githubReporter(world) : undefined;
  // With `--ci none` the runner reads the lines all the same.
  const host = pipeline?.host ?? (early.isInGithub ? (await import('./io/streams.js')).guardedHost(world) : world);
  const announce = (chosen: ErrorChoices): void => {
    choices = chosen;
  };
  try {
    return await dispatch(argv, { host, catalogue, pipeline, early, announce, attachSandbox });
  } catch (error) {
    const [{ reportError, finalExitCode }, { printedCommands }] = await Promise.all([
      import('./cli/report.js'),
      import('./cli/printed-commands.js'),
    ]);
    const known = await printedCommands(catalogue, choices.whose).inError(asFiscalError(error, host));
    await pipeline?.failed(known, finalExitCode(known.exitCode, host), choices.language);
    return await reportError(known, host, choices);
  }
}

async function attachSandbox(directories: Directories): Promise<AttachedSandbox> {
  const { attachSandbox } = await import('./commands/sandbox/attach.js');
  return await attachSandbox({ directories });
}

async function githubReporter(host: Host): Promise<GithubReporter> {
  const { GithubReporter } = await import('./cli/ci/github.js');
  return new GithubReporter(host);
}

function isVersionWord(word: string | undefined): boolean {
  return word === '--version' || word === '-V';
}

/** What nobody foresaw is a defect; what was thrown because of an interruption is the interruption. */
function asFiscalError(error: unknown, { interruption }: Host): FiscalError {
  if (error instanceof FiscalError) return error;
  if (interruption.aborted && interruption.reason instanceof FiscalError) return interruption.reason;
  const message = error instanceof Error ? `${error.name}: ${error.message}` : 'an unknown value was thrown';
  return new FiscalError('internal.defect', { message }, { cause: error });
}

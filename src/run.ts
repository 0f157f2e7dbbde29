import type { GithubReporter } from './cli/ci/github.js';
import { earlyChoices, tellsGithub } from './cli/early.js';
import type { ErrorChoices } from './cli/report.js';
import { version } from './cli/version.js';
import { ExitCode } from './errors/exit-code.js';
import { FiscalError } from './errors/fiscal-error.js';
import type { Host } from './io/io.js';

/** One run of the program: words in, exit code out. The only place where an error is caught and told. */
export async function run(argv: readonly string[], world: Host): Promise<ExitCode> {
  if (argv.length === 1 && isVersionWord(argv[0])) {
    await world.stdout.write(`fiscal ${version}\n`);
    return ExitCode.ok;
  }
  let choices: ErrorChoices = earlyChoices(argv, world.env);
  const pipeline = tellsGithub(argv, world.env) ? await githubReporter(world) : undefined;
  const host = pipeline?.host ?? world;
  const tell = (chosen: ErrorChoices): void => {
    choices = chosen;
  };
  try {
    const { dispatch } = await import('./cli/dispatch.js');
    return await dispatch(argv, { host, pipeline, tell });
  } catch (error) {
    const [{ reportError, finalExitCode }, { withWholeCommands }] = await Promise.all([
      import('./cli/report.js'),
      import('./cli/printed-commands.js'),
    ]);
    const known = await withWholeCommands(asFiscalError(error, host), choices.whose);
    await pipeline?.failed(known, finalExitCode(known.exitCode, host), choices.language);
    return await reportError(known, host, choices);
  }
}

async function githubReporter(host: Host): Promise<GithubReporter> {
  const { GithubReporter } = await import('./cli/ci/github.js');
  return new GithubReporter(host);
}

function isVersionWord(word: string | undefined): boolean {
  return word === '--version' || word === '-V' || word === 'version';
}

/** What nobody foresaw is a defect; what was thrown because of an interruption is the interruption. */
function asFiscalError(error: unknown, { interruption }: Host): FiscalError {
  if (error instanceof FiscalError) return error;
  if (interruption.aborted && interruption.reason instanceof FiscalError) return interruption.reason;
  const message = error instanceof Error ? `${error.name}: ${error.message}` : 'an unknown value was thrown';
  return new FiscalError('internal.defect', { message }, { cause: error });
}

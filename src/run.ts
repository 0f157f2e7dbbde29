import { earlyChoices } from './cli/early.js';
import { version } from './cli/version.js';
import { ExitCode } from './errors/exit-code.js';
import { FiscalError } from './errors/fiscal-error.js';
import type { Host } from './io/io.js';

/** One run of the program: words in, exit code out. The only place where an error is caught and told. */
export async function run(argv: readonly string[], host: Host): Promise<ExitCode> {
  if (argv.length === 1 && isVersionWord(argv[0])) {
    await host.stdout.write(`fiscal ${version}\n`);
    return ExitCode.ok;
  }
  let choices = earlyChoices(argv, host.env);
  try {
    const { dispatch } = await import('./cli/dispatch.js');
    return await dispatch(argv, host, (chosen) => {
      choices = chosen;
    });
  } catch (error) {
    const { reportError } = await import('./cli/report.js');
    return await reportError(asFiscalError(error, host), host, choices);
  }
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

import type { FiscalError } from '../errors/fiscal-error.js';
import { ExitCode } from '../errors/exit-code.js';
import type { Host, OutputStream } from '../io/io.js';
import { colorLevel } from '../io/color.js';
import type { EarlyChoices } from './presentation.js';
import type { Whose } from './printed-commands.js';

export interface ErrorChoices extends Pick<EarlyChoices, 'language' | 'color' | 'output' | 'errorFormat'> {
  /** Absent as long as the configuration was not read. */
  readonly whose?: Whose | undefined;
}

/** Says on stderr what went wrong: sentences for a person, or one last line of JSON for a program. */
export async function reportError(error: FiscalError, host: Host, choices: ErrorChoices): Promise<ExitCode> {
  const exitCode = finalExitCode(error.exitCode, host);
  if (wantsJson(host, choices)) {
    const { errorJson } = await import('../presenters/error-json.js');
    await host.stderr.write(`${errorJson(error, exitCode)}\n`);
    return exitCode;
  }
  const [{ errorLines }, { createPaint }] = await Promise.all([
    import('../presenters/error-text.js'),
    import('../presenters/render.js'),
  ]);
  const paint = await createPaint(colorLevel(choices.color, host.stderr.isTerminal, host.env));
  const lines = errorLines(error, { language: choices.language, columns: columnsOf(host.stderr), paint });
  await host.stderr.write(lines.map((line) => `${line}\n`).join(''));
  return exitCode;
}

/** The narrowest terminal that sentences are fitted to; a smaller one breaks them itself. */
const NARROWEST = 40;

/** A file or a pipe gets every sentence in one line: `grep` finds it whole. */
function columnsOf({ isTerminal, columns }: OutputStream): number {
  return isTerminal ? Math.max(NARROWEST, columns) : Number.POSITIVE_INFINITY;
}

/** An interruption by SIGTERM exits with 143, one by SIGINT with 130. */
export function finalExitCode(code: ExitCode, host: Pick<Host, 'interruption'>): ExitCode {
  if (code !== ExitCode.interrupted || !host.interruption.aborted) return code;
  const reason: unknown = host.interruption.reason;
  return reason instanceof Error && reason.cause === 'SIGTERM' ? ExitCode.terminated : code;
}

/**
 * Asked for, or a machine output. The default output of a pipe counts only where nobody watches stderr:
 * a person who redirects the data still reads sentences.
 */
function wantsJson(host: Host, choices: ErrorChoices): boolean {
  if (choices.errorFormat !== undefined) return choices.errorFormat === 'json';
  if (choices.output !== undefined) return choices.output !== 'table';
  return !host.stdout.isTerminal && !host.stderr.isTerminal;
}

import type { FiscalError } from '../errors/fiscal-error.js';
import { ExitCode, exitOfSignal } from '../errors/exit-code.js';
import type { Host, OutputStream } from '../io/io.js';
import { colorLevel } from '../io/color.js';
import type { EarlyChoices } from './presentation.js';
import type { Whose } from './printed-commands.js';

export interface ErrorChoices extends Pick<EarlyChoices, 'language' | 'color' | 'output' | 'errorFormat' | 'quiet'> {
  /** Absent until the configuration has been read. */
  readonly whose?: Whose | undefined;
}

/** Reports an error on stderr: sentences for a person, or one last line of JSON for a program. */
export async function reportError(error: FiscalError, host: Host, choices: ErrorChoices): Promise<ExitCode> {
  const exitCode = finalExitCode(error.exitCode, host);
  if (writesJson(host, choices)) {
    const { errorJson } = await import('../presenters/error-json.js');
    await host.stderr.write(`${errorJson(error, exitCode)}\n`);
    return exitCode;
  }
  const [{ errorLines }, { createPaint }] = await Promise.all([
    import('../presenters/error-text.js'),
    import('../presenters/render.js'),
  ]);
  const paint = await createPaint(colorLevel(choices.color, host.stderr.isTerminal, host.env));
  const lines = [...errorLines(error, { language: choices.language, columns: columnsOf(host.stderr), paint })];
  if (choices.quiet) lines.push(`  ${codeWords[choices.language]}: ${exitCode}`);
  await host.stderr.write(lines.map((line) => `${line}\n`).join(''));
  return exitCode;
}

/** The lines of a notice: wrapped on a terminal, a single line elsewhere. */
export async function linesOfNotice(sentence: string, stderr: OutputStream): Promise<readonly string[]> {
  if (!stderr.isTerminal) return [sentence];
  const { noticeLines } = await import('../presenters/error-text.js');
  return noticeLines(sentence, columnsOf(stderr));
}

/** The narrowest terminal that text is wrapped to; a smaller one wraps by itself. */
const NARROWEST = 40;

/** In a file or a pipe, every sentence stays on one line, so that `grep` finds it. */
function columnsOf({ isTerminal, columns }: OutputStream): number {
  return isTerminal ? Math.max(NARROWEST, columns) : Number.POSITIVE_INFINITY;
}

/** An interruption by SIGTERM exits with 143, one by SIGINT with 130. */
export function finalExitCode(code: ExitCode, host: Pick<Host, 'interruption'>): ExitCode {
  if (code !== ExitCode.interrupted || !host.interruption.aborted) return code;
  const reason: unknown = host.interruption.reason;
  return reason instanceof Error ? exitOfSignal(reason.cause) : code;
}

/**
 * True when JSON errors are requested or the output is machine-readable. The default format of a pipe counts only when
 * stderr is not a terminal either: a person who redirects the data still reads sentences.
 */
export function writesJson(host: Host, choices: ErrorChoices): boolean {
  if (choices.errorFormat !== undefined) return choices.errorFormat === 'json';
  // A workbook is for a person, as a table is.
  if (choices.output !== undefined) return choices.output !== 'table' && choices.output !== 'xlsx';
  // With --quiet a person reads what is left: the mail of cron.
  return !choices.quiet && !host.stdout.isTerminal && !host.stderr.isTerminal;
}

const codeWords = { en: 'exit code', pt: 'código de saída' } as const;

import type { Text } from '../contract/text.js';
import { formatDuration, formatUtc } from '../domain/dates.js';
import type { Outcome } from '../domain/outcome.js';
import { terminalText } from '../domain/terminal-text.js';
import { ExitCode } from '../errors/exit-code.js';
import { FiscalError } from '../errors/fiscal-error.js';
import type { Host, Io, OutputStream } from '../io/io.js';
import { shownText } from '../presenters/cell.js';
import { plainPaint } from '../presenters/render.js';
import { displayWidth } from '../presenters/width.js';
import type { OutputPlan } from './format.js';
import { tableText } from './output.js';
import type { PrintedCommands } from './printed-commands.js';

interface Watch {
  /** Reads once. */
  work(): Promise<Outcome>;
  readonly everyMs: number;
  readonly plan: OutputPlan;
  readonly io: Io;
  readonly printed: PrintedCommands;
  readonly host: Pick<Host, 'clock' | 'env' | 'interruption'>;
}

const clearScreen = '\u001B[H\u001B[2J';
/** Back to the top; each line then clears its own rest, and the last one what follows: a clear first would flicker. */
const home = '\u001B[H';
const clearRest = '\u001B[K';
const clearBelow = '\u001B[J';

/** Draws the table of a command on the terminal again and again. Ctrl-C ends it, with 130 and without a word. */
export async function watchScreen(watch: Watch): Promise<ExitCode> {
  const { work, everyMs, io, host } = watch;
  const { stdout } = io;
  assertScreen(watch);
  // What stands on the screen goes when there is something to show: a first read that fails leaves it.
  let start = clearScreen;
  try {
    while (!stdout.closed) {
      const lines = await linesOf(await work(), watch);
      const shown = fitted([headLine(watch), ...lines], stdout, moreLines(io));
      await stdout.write(`${start}${shown.map((line) => `${line}${clearRest}\n`).join('')}${clearBelow}`);
      start = home;
      await host.clock.sleep(everyMs, host.interruption);
    }
    return ExitCode.ok;
  } catch (error) {
    if (!host.interruption.aborted) throw error;
    return ExitCode.interrupted;
  }
}

function assertScreen({ plan, io, host }: Watch): void {
  const isTable = plan.format === undefined || plan.format === 'table';
  if (!isTable) throw new FiscalError('usage.invalid', { message: onlyTable(plan.format ?? '') }, { sent: 'no' });
  if (io.stdout.isTerminal && host.env['TERM'] !== 'dumb') return;
  throw new FiscalError('usage.invalid', { message: onlyTerminal }, { sent: 'no' });
}

function onlyTable(format: string): Text {
  return {
    en: `--watch draws a table and does not go with -o ${format}`,
    pt: `--watch desenha uma tabela e não vale com -o ${format}`,
  };
}

const onlyTerminal: Text = {
  en: '--watch needs a terminal that can be drawn again: elsewhere, let cron run the command',
  pt: '--watch precisa de um terminal que possa ser redesenhado: fora dele, deixe o cron executar o comando',
};

async function linesOf(outcome: Outcome, { plan, io, printed }: Watch): Promise<readonly string[]> {
  const text = await tableText(outcome, plan, io);
  // Read after the data: a stream knows its notices only at its end.
  const notices = await Promise.all(
    (outcome.notices ?? []).map(async (notice) => terminalText(await printed.inSentence(notice[io.language]))),
  );
  return [...text.replace(/\n$/, '').split('\n'), ...notices];
}

function headLine({ everyMs, plan, io, host }: Watch): string {
  const look = { language: io.language, columns: io.stdout.columns, paint: plainPaint };
  const at = shownText({ name: 'at' }, formatUtc(host.clock.now()), { ...look, isUtc: plan.isUtc === true });
  const every = formatDuration(everyMs);
  const words: Text = {
    en: `read at ${at}, again every ${every}; Ctrl-C ends`,
    pt: `lido em ${at}, de novo a cada ${every}; Ctrl-C encerra`,
  };
  return words[io.language];
}

function moreLines({ language }: Io): (count: number) => string {
  return (count) => ({ en: `(${count} more lines)`, pt: `(mais ${count} linhas)` })[language];
}

/** As many lines as the terminal has rows for: a screen that scrolls could not be drawn again. */
function fitted(
  lines: readonly string[],
  { rows, columns }: OutputStream,
  more: (count: number) => string,
): readonly string[] {
  const room = (rows ?? Number.POSITIVE_INFINITY) - 1;
  const heights = lines.map((line) => Math.max(1, Math.ceil(displayWidth(line) / columns)));
  const until = (limit: number): number => {
    let used = 0;
    const end = heights.findIndex((height) => (used += height) > limit);
    return end === -1 ? lines.length : end;
  };
  if (until(room) === lines.length) return lines;
  const kept = until(room - 1);
  return [...lines.slice(0, kept), more(lines.length - kept)];
}

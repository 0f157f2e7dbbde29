import { terminalData } from '../../domain/terminal-text.js';
import type { Outcome } from '../../domain/outcome.js';
import type { Io } from '../../io/io.js';
import { createPaint } from '../../presenters/render.js';
import { statusView } from '../../presenters/status.js';
import type { Context } from '../../services/context.js';
import type { StatusReport } from './figures.js';
import { readStatus, type StatusRequest } from './status.js';

interface Watch {
  readonly context: Context;
  readonly io: Io;
  readonly request: StatusRequest;
  readonly intervalMs: number;
}

/** Home, then the rest of the screen: a clear first would flicker. */
const home = '\u001B[H';
const clearBelow = '\u001B[J';
const clearLine = '\u001B[K';

/** On a terminal the screen is drawn again each time; elsewhere one record follows another. Ends by an interruption. */
export async function watchStatus(watch: Watch): Promise<Outcome> {
  const { context, io } = watch;
  const { output } = await context.settings();
  const isScreen = io.stdout.isTerminal && (output === undefined || output === 'table');
  if (!isScreen) return { data: reports(watch) };
  const paint = await createPaint(io.stdoutColor);
  for await (const report of reports(watch)) {
    const look = { language: io.language, columns: io.stdout.columns, paint };
    const lines = statusView(terminalData(report), look).map((line) => `${line}${clearLine}\n`);
    await io.stdout.write(`${home}${lines.join('')}${clearBelow}`);
    if (io.stdout.closed) break;
  }
  return { data: undefined, written: true };
}

async function* reports({ context, request, intervalMs }: Watch): AsyncGenerator<StatusReport> {
  for (;;) {
    yield await readStatus(context, request);
    await context.clock.sleep(intervalMs, context.interruption);
  }
}

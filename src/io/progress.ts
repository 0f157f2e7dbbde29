import { terminalLine } from '../domain/terminal-text.js';
import type { Clock } from '../domain/world.js';
import type { OutputStream, ProgressDisplay } from './io.js';

const barCells = 24;

/** Shows nothing: `--quiet`. */
export const silentProgress: ProgressDisplay = { update: () => undefined, stop: () => undefined };

/** Without a terminal: one line per interval, so that the log of a long run stays short. */
export function lineProgress(
  stderr: OutputStream,
  options: { readonly label: string; readonly clock: Clock; readonly intervalMs: number },
): ProgressDisplay {
  let shownAt = options.clock.now();
  let latest: string | undefined;
  const show = (line: string): void => {
    latest = undefined;
    void stderr.write(`${terminalLine(`${options.label}: ${line}`)}\n`);
  };
  return {
    update(line, fraction) {
      latest = withPercent(line, fraction);
      if (options.clock.now() - shownAt < options.intervalMs) return;
      shownAt = options.clock.now();
      show(latest);
    },
    stop() {
      // Work shorter than one interval prints nothing: its result follows at once.
      if (latest !== undefined && options.clock.now() - shownAt >= options.intervalMs) show(latest);
    },
  };
}

/** On a terminal: ora's spinner, loaded when first needed, with a bar where the total is known. */
export function terminalProgress(
  output: NodeJS.WritableStream,
  label: string,
  colored: boolean,
): ProgressDisplay {
  let text = label;
  let stopped = false;
  let spinner: { text: string; stop(): unknown } | undefined;
  void import('ora').then(({ default: ora }) => {
    if (stopped) return;
    spinner = ora({ stream: output, text, color: colored ? 'cyan' : false, discardStdin: false }).start();
  });
  return {
    update(line, fraction) {
      const bar = fraction === undefined ? '' : ` ${progressBar(fraction)}`;
      text = terminalLine(`${label}${bar} ${line}`);
      if (spinner !== undefined) spinner.text = text;
    },
    stop() {
      stopped = true;
      spinner?.stop();
    },
  };
}

/** `[######------]` for a fraction between 0 and 1. */
export function progressBar(fraction: number): string {
  const filled = Math.round(Math.min(1, Math.max(0, fraction)) * barCells);
  return `[${'#'.repeat(filled)}${'-'.repeat(barCells - filled)}]`;
}

function withPercent(line: string, fraction: number | undefined): string {
  return fraction === undefined ? line : `${line} (${Math.floor(fraction * 100)} %)`;
}

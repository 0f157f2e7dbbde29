import { terminalLine } from '../domain/terminal-text.js';
import type { Clock } from '../domain/world.js';
import type { OutputStream, ProgressDisplay, Shown, Terminal } from './io.js';

const barCells = 24;

/** A display that redraws itself. */
export interface TerminalProgress extends ProgressDisplay {
  /** Removes the line, so that another line can be written; the next frame draws it again. */
  clear(): void;
}

/** Shows nothing: `--quiet`. */
export const silentProgress: ProgressDisplay = { update: () => undefined, stop: () => undefined };

/** Without a terminal: one line per interval, so that the log of a long run stays short. */
export function lineProgress(
  stderr: OutputStream,
  options: { readonly label: string; readonly clock: Clock; readonly intervalMs: number },
): ProgressDisplay {
  let shownAt = options.clock.now();
  let latest: Shown | undefined;
  let isShown = true;
  const show = (awaited: readonly string[] = []): void => {
    if (latest === undefined || options.clock.now() - shownAt < options.intervalMs) return;
    shownAt = options.clock.now();
    isShown = true;
    const line = [withPercent(latest.text, latest.fraction), ...awaited, ...latest.parts()].join(', ');
    void stderr.write(`${terminalLine(`${options.label}: ${line}`)}\n`);
  };
  return {
    update(shown) {
      latest = shown;
      isShown = false;
      show();
    },
    beat: show,
    stop() {
      // Work shorter than one interval prints nothing: its result follows at once.
      if (!isShown) show();
    },
  };
}

/**
 * On a terminal: ora's spinner, loaded when first needed, with a bar where the total is known. What does not fit on the
 * line is left out, the last part first.
 */
export function terminalProgress(
  output: ReturnType<Terminal>['output'],
  label: string,
  colored: boolean,
): TerminalProgress {
  let latest: Shown = { text: '', parts: () => [] };
  let stopped = false;
  let spinner: { suffixText: string | (() => string); clear(): unknown; stop(): unknown } | undefined;
  const line = (): string => {
    const bar = latest.fraction === undefined ? '' : ` ${progressBar(latest.fraction)}`;
    const start = terminalLine(`${label}${bar} ${latest.text}`.trimEnd());
    return withParts(start, latest.parts(), (output.columns ?? 80) - spinnerWidth);
  };
  void import('ora').then(({ default: ora }) => {
    if (stopped) return;
    const color = colored ? 'cyan' : false;
    // `createIo` has decided that this terminal is drawn on. ora calls the function for each frame: the time goes on while
    // nothing finishes.
    const options = { stream: output, color, discardStdin: false, isEnabled: true } as const;
    spinner = ora({ ...options, suffixText: line }).start();
  });
  return {
    update: (shown) => void (latest = shown),
    clear: () => void spinner?.clear(),
    stop() {
      stopped = true;
      spinner?.stop();
    },
  };
}

/** The spinner, two spaces, and a free last column. */
const spinnerWidth = 4;

function withParts(start: string, parts: readonly string[], columns: number): string {
  return parts.reduce((line, part) => {
    const longer = `${line} · ${terminalLine(part)}`;
    return longer.length <= columns ? longer : line;
  }, start);
}

/** `[######------]` for a fraction between 0 and 1. */
export function progressBar(fraction: number): string {
  const filled = Math.round(Math.min(1, Math.max(0, fraction)) * barCells);
  return `[${'#'.repeat(filled)}${'-'.repeat(barCells - filled)}]`;
}

function withPercent(line: string, fraction: number | undefined): string {
  return fraction === undefined ? line : `${line} (${Math.floor(fraction * 100)} %)`;
}

import type { Language } from '../contract/text.js';
import { terminalLine } from '../domain/terminal-text.js';
import { colorLevel, type ColorChoice } from './color.js';
import type { Host, Io } from './io.js';
import { isAsciiLocale } from './language.js';
import { fileOpener } from './open-file.js';
import { lineProgress, silentProgress, terminalProgress, type TerminalProgress } from './progress.js';
import { noPrompts, terminalPrompts } from './prompts.js';

/** The user's choices about output. */
export interface IoChoices {
  readonly language: Language;
  readonly color: ColorChoice;
  readonly quiet: boolean;
  readonly noInput: boolean;
  /** How often progress is printed when stderr is not a terminal, in milliseconds. */
  readonly statsMs: number;
}

export function createIo(host: Host, choices: IoChoices): Io {
  const { stdout, stderr, env, terminal } = host;
  const stderrColor = colorLevel(choices.color, stderr.isTerminal, env);
  const canDraw = stderr.isTerminal && env['TERM'] !== 'dumb' && !isSet(env['CI']);
  const mayAsk =
    terminal !== undefined &&
    host.stdin.isTerminal &&
    stderr.isTerminal &&
    !choices.noInput &&
    !isSet(env['CI']);
  let drawn: TerminalProgress | undefined;
  return {
    stdout,
    stderr,
    stdoutColor: colorLevel(choices.color, stdout.isTerminal, env),
    stderrColor,
    language: choices.language,
    isAscii: isAsciiLocale(env),
    mayAsk,
    prompts: mayAsk ? terminalPrompts(terminal, host.interruption, choices.language) : noPrompts(),
    opener: () => fileOpener(host),
    async notice(line) {
      if (choices.quiet) return;
      drawn?.clear();
      await stderr.write(`${terminalLine(line)}\n`);
    },
    progress(label) {
      if (choices.quiet) return silentProgress;
      const output = canDraw ? terminal?.().output : undefined;
      // ora erases lines without end on a terminal of unknown size, which reports 0 columns.
      if (output !== undefined && output.columns !== 0) {
        drawn = terminalProgress(output, terminalLine(label), stderrColor > 0);
        return drawn;
      }
      return lineProgress(stderr, { label, clock: host.clock, intervalMs: choices.statsMs });
    },
  };
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== '';
}

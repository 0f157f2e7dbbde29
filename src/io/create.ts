import type { Language } from '../contract/text.js';
import { terminalLine } from '../domain/terminal-text.js';
import { colorLevel, type ColorChoice } from './color.js';
import type { Host, Io } from './io.js';
import { lineProgress, silentProgress, terminalProgress } from './progress.js';
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
  return {
    stdout,
    stderr,
    stdoutColor: colorLevel(choices.color, stdout.isTerminal, env),
    stderrColor,
    language: choices.language,
    mayAsk,
    prompts: mayAsk ? terminalPrompts(terminal, host.interruption) : noPrompts(),
    notice: (line) => (choices.quiet ? Promise.resolve() : stderr.write(`${terminalLine(line)}\n`)),
    progress(label) {
      if (choices.quiet) return silentProgress;
      if (canDraw && terminal !== undefined) {
        return terminalProgress(terminal().output, terminalLine(label), stderrColor > 0);
      }
      return lineProgress(stderr, { label, clock: host.clock, intervalMs: choices.statsMs });
    },
  };
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== '';
}

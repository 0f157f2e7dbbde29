import type { Language, Text } from '../contract/text.js';
import { environmentOfViewer } from '../domain/child-environment.js';
import { terminalLine } from '../domain/terminal-text.js';
import type { Environment } from '../domain/world.js';
import { FiscalError } from '../errors/fiscal-error.js';
import { colorLevel, type ColorChoice } from './color.js';
import type { Host, Io, OpenFile, ProgressDisplay } from './io.js';
import { isAsciiLocale } from './language.js';
import { lineProgress, silentProgress, terminalProgress, type TerminalProgress } from './progress.js';
import { noPrompts, terminalPrompts } from './prompts.js';

/** Errors: `usage.invalid` where nobody would see the file: without a terminal, in CI, and without a desktop. */
function fileOpener({
  startProgram,
  stderr,
  platform,
  env,
}: Pick<Host, 'startProgram' | 'stderr' | 'platform' | 'env'>): OpenFile {
  const program = programOf(platform, env);
  const isAlone = !stderr.isTerminal || (env['CI'] ?? '') !== '';
  if (startProgram === undefined || program === undefined || isAlone) throw refusal(noDesktop);
  return async (path) => {
    const isStarted = await startProgram([program, path], environmentOfViewer(env));
    if (!isStarted) throw refusal(notStarted(program, path));
  };
}

/** It gets the path as one argument, without a shell. */
function programOf(platform: NodeJS.Platform, env: Environment): string | undefined {
  if (platform === 'darwin') return 'open';
  if (platform === 'win32') return 'explorer.exe';
  return (env['DISPLAY'] ?? env['WAYLAND_DISPLAY'] ?? '') === '' ? undefined : 'xdg-open';
}

function refusal(message: Text): FiscalError {
  return new FiscalError('usage.invalid', { message });
}

const noDesktop: Text = {
  en: '--open needs a terminal and a desktop (DISPLAY or WAYLAND_DISPLAY), and is not for CI; write a file with --out',
  pt: '--open precisa de um terminal e de um ambiente gráfico (DISPLAY ou WAYLAND_DISPLAY) e não serve em CI; grave um arquivo com --out',
};

function notStarted(program: string, path: string): Text {
  return {
    en: `the file is stored in ${path}, and ${program} could not open it`,
    pt: `o arquivo está gravado em ${path}, e ${program} não conseguiu abri-lo`,
  };
}

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
    terminal !== undefined && host.stdin.isTerminal && stderr.isTerminal && !choices.noInput && !isSet(env['CI']);
  let drawn: TerminalProgress | undefined;
  let lines: ProgressDisplay | undefined;
  let saidAt = host.clock.now();
  const isSilent = choices.quiet || stderr.isTerminal;
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
    openLog: async (path) => (await import('./log-file.js')).openLogFile(path, host.onHangup),
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
      const shown = lineProgress(stderr, { label, clock: host.clock, intervalMs: choices.statsMs });
      const stop = (): void => {
        lines = undefined;
        saidAt = host.clock.now();
        shown.stop();
      };
      return (lines = { ...shown, stop });
    },
    waits: isSilent
      ? undefined
      : (awaited) => {
          const reasons = [...new Set(awaited.map((text) => text[choices.language]))].slice(0, MOST_REASONS);
          const words = reasons.length === 0 ? [] : [`${waitsFor[choices.language]} ${reasons.join('; ')}`];
          if (lines !== undefined) return lines.beat?.(words);
          if (words.length === 0 || host.clock.now() - saidAt < choices.statsMs) return;
          saidAt = host.clock.now();
          void stderr.write(`${terminalLine(words.join())}\n`);
        },
  };
}

/** Many requests may wait at once, each for its own. */
const MOST_REASONS = 2;

const waitsFor = { en: 'waiting for', pt: 'aguardando' } as const;

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== '';
}

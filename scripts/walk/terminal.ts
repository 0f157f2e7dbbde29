import { spawn } from '@lydell/node-pty';
import xterm from '@xterm/headless';

/** What a person types while a command runs. */
export interface Typed {
  /** These words on the screen are waited for. */
  readonly after: string;
  readonly text: string;
}

interface Shown {
  /** Every line from the command to its end, also those that have scrolled away. Without trailing spaces. */
  readonly lines: readonly string[];
  readonly exitCode: number;
}

interface TerminalOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

const size = { cols: 80, rows: 24 };

/** A terminal of 80x24 that interprets what is written to it: cursor movements, wrapping, erased lines. */
export class Terminal {
  constructor(private readonly options: TerminalOptions) {}

  /** Runs a program until it ends. Rejects when `typed` was not wholly asked for. */
  async run(program: readonly string[], typed: readonly Typed[] = []): Promise<Shown> {
    const [file = '', ...words] = program;
    const screen = new xterm.Terminal({ ...size, scrollback: 10_000, allowProposedApi: true });
    const process = spawn(file, words, { ...this.options, ...size, name: 'xterm-256color' });
    const waiting = [...typed];
    process.onData((data) =>
      screen.write(data, () => {
        const [next] = waiting;
        if (next === undefined || !textOf(screen).includes(next.after)) return;
        waiting.shift();
        process.write(next.text);
      }),
    );
    const patience = setTimeout(() => process.kill('SIGKILL'), 120_000);
    const { exitCode, signal } = await new Promise<{ exitCode: number; signal?: number }>((resolve) => {
      process.onExit(resolve);
    });
    clearTimeout(patience);
    // After everything that was written before.
    await new Promise<void>((resolve) => screen.write('', resolve));
    if (signal !== undefined && signal !== 0) throw new Error(`no end within two minutes:\n${textOf(screen)}`);
    if (waiting[0] !== undefined) throw new Error(`"${waiting[0].after}" never came:\n${textOf(screen)}`);
    return { lines: textOf(screen).trimEnd().split('\n'), exitCode };
  }
}

/** Lines that the terminal wrapped stay wrapped, as on the screen. */
function textOf(screen: xterm.Terminal): string {
  const buffer = screen.buffer.active;
  const lines = Array.from({ length: buffer.length }, (_, row) => buffer.getLine(row)?.translateToString(true));
  return lines.map((line = '') => line.trimEnd()).join('\n');
}

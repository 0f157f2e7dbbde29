import { appendFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { makeFolder } from '../../io/make-folder.js';
import type { Environment } from '../../domain/world.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { fileFault, readWholeFile, unreadableFile } from '../../io/input-file.js';
import type { Io } from '../../io/io.js';
import type { Context } from '../../services/context.js';

type Shell = 'bash' | 'zsh' | 'fish';

/** The line that a shell reads at its start, and the file for it. */
export interface Completion {
  readonly shell: Shell;
  readonly file: string;
  readonly line: string;
  /** The file has the line already. */
  readonly isThere: boolean;
}

interface StartFile {
  readonly line: string;
  file(home: string, env: Environment): string;
}

/** With `eval`, the bash of macOS reads it as well; zsh may not have loaded its completion before. */
const startFiles: Readonly<Record<Shell, StartFile>> = {
  bash: { line: 'eval "$(fiscal completion bash)"', file: (home) => join(home, '.bashrc') },
  zsh: {
    line: 'autoload -Uz compinit && compinit && eval "$(fiscal completion zsh)"',
    file: (home, env) => join(env['ZDOTDIR'] ?? home, '.zshrc'),
  },
  fish: {
    line: 'fiscal completion fish | source',
    file: (home, env) => join(env['XDG_CONFIG_HOME'] ?? join(home, '.config'), 'fish', 'config.fish'),
  },
};

/** Asks whether the shell of this terminal gets the line. `undefined`: no, or the shell is not known. */
export async function askCompletion({
  context,
  io,
}: {
  readonly context: Context;
  readonly io: Io;
}): Promise<Completion | undefined> {
  const shell = basename(context.env['SHELL'] ?? '');
  if (!io.mayAsk || !isShell(shell) || context.env['HOME'] === undefined) return undefined;
  const completion = await completionOf(context, shell);
  if (completion === undefined || completion.isThere) return completion;
  const { file, line } = completion;
  const isPt = io.language === 'pt';
  await io.notice(
    isPt
      ? `Para completar comandos, esta linha no fim de ${file}:`
      : `To complete commands, this line at the end of ${file}:`,
  );
  await io.notice(`  ${line}`);
  return (await io.prompts.confirm(isPt ? 'Acrescentar?' : 'Add it?')) ? completion : undefined;
}

/** Error: `usage.missing` without a home folder; `input.unreadable` for a start file that cannot be read. */
export async function completionOf(
  { env }: Pick<Context, 'env'>,
  shell: Shell | 'none',
): Promise<Completion | undefined> {
  if (shell === 'none') return undefined;
  const home = env['HOME'];
  if (home === undefined || home === '') throw new FiscalError('usage.missing', { names: 'HOME' });
  const { line, file: fileIn } = startFiles[shell];
  const file = fileIn(home, env);
  const lines = (await textOf(file)).split(/\r?\n/);
  return { shell, file, line, isThere: lines.some((each) => each.trim() === line) };
}

/** Adds the line at the end of the file, in one write. Error: `store.unwritable`. */
export async function addCompletion({ file, line, isThere }: Completion): Promise<void> {
  if (isThere) return;
  try {
    const text = await textOf(file);
    makeFolder(dirname(file));
    await appendFile(file, `${text === '' || text.endsWith('\n') ? '' : '\n'}${line}\n`);
  } catch (error) {
    const reason = fileFault(error);
    if (reason === undefined) throw error;
    throw new FiscalError('store.unwritable', { path: file, reason }, { sent: 'no' });
  }
}

async function textOf(file: string): Promise<string> {
  try {
    return (await readWholeFile(file, { mostBytes: 1024 * 1024 })).toString('utf8');
  } catch (error) {
    if (fileFault(error) === 'ENOENT') return '';
    throw unreadableFile(file, error);
  }
}

function isShell(name: string): name is Shell {
  return Object.hasOwn(startFiles, name);
}

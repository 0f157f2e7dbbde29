import { terminalLine } from '../domain/terminal-text.js';
import type { Outcome } from '../domain/outcome.js';
import { isStream } from '../domain/record.js';
import { ExitCode } from '../errors/exit-code.js';
import type { Io } from '../io/io.js';
import { exitsOf } from './exit-codes.js';
import type { ParsedCommand } from './parse.js';
import type { PrintedCommands } from './printed-commands.js';

/**
 * The outcome with --quiet: nothing when nothing needs a person, else one paragraph on stderr, with the exit code. A stream is read
 * to its end, since reading it is the work.
 */
export async function writeTrouble(
  outcome: Outcome,
  { name, definition }: Pick<ParsedCommand, 'name' | 'definition'>,
  { io, printed }: { readonly io: Io; readonly printed: PrintedCommands },
): Promise<ExitCode> {
  if (isStream(outcome.data)) for await (const _row of outcome.data);
  const exitCode = outcome.exitCode ?? ExitCode.ok;
  // An error is said after everything else.
  if (exitCode === ExitCode.ok || outcome.error !== undefined) return exitCode;
  const { language } = io;
  const meaning = exitsOf(definition).get(exitCode)?.[language];
  const said = [outcome.sentence, ...(outcome.notices ?? [])].flatMap((text) => (text === undefined ? [] : [text]));
  const sentences = await Promise.all(said.map(async (text) => (await printed.inText(text))[language]));
  const [ended, code] = language === 'pt' ? ['terminou com', 'código de saída'] : ['ended with', 'exit code'];
  const first = `fiscal ${name}: ${ended} ${code} ${exitCode}${meaning === undefined ? '' : ` (${meaning})`}`;
  await io.stderr.write(`${terminalLine([first, ...sentences].join('. '))}\n`);
  return exitCode;
}

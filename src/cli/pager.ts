import { fields } from '../config/fields.js';
import { environmentOfViewer } from '../domain/child-environment.js';
import { splitCommand } from '../domain/command-words.js';
import type { Environment } from '../domain/world.js';
import type { Host, OutputStream } from '../io/io.js';

/** Quits at once when the text fits, keeps colours, and leaves the text on the screen. */
const usual = 'less -FRX';

/**
 * Puts a text that is longer than the screen into the pager of `FISCAL_PAGER`, of `PAGER`, or less. `undefined` where no
 * pager is wanted: in a pipe, in CI, with `--no-pager` and with `cat`. One that cannot be started is done without.
 */
export function pagerFor(
  { pageText, env, stdin, stdout }: Pick<Host, 'pageText' | 'env' | 'stdin' | 'stdout'>,
  noPager: boolean,
): ((stdout: OutputStream, closing?: () => string) => OutputStream) | undefined {
  const split = splitCommand(env['FISCAL_PAGER'] ?? env['PAGER'] ?? usual);
  const words = 'words' in split ? split.words : [];
  const isOff = noPager || isSet(env['CI']) || env['TERM'] === 'dumb' || words.length === 0 || words[0] === 'cat';
  if (pageText === undefined || isOff || !stdin.isTerminal || !stdout.isTerminal) return undefined;
  return (terminal, closing) => {
    const write = async (text: string): Promise<void> => {
      const isLong = text.split('\n').length > (terminal.rows ?? Number.POSITIVE_INFINITY);
      if (!isLong || !(await pageText(text, words, environmentOf(env)))) return await terminal.write(text);
      // Whoever leaves the pager early has not seen the totals.
      const last = closing?.() ?? '';
      if (last !== '') await terminal.write(last);
    };
    const paged: OutputStream = Object.create(terminal, { write: { value: write } });
    return paged;
  };
}

/** Help reads no configuration: the option and its variable decide. */
export function pagerOfHelp(host: Host, noPager: boolean): ReturnType<typeof pagerFor> {
  return pagerFor(host, noPager || fields.noPager.parse(host.env['FISCAL_NO_PAGER']) === true);
}

/** No key reaches the pager. Where the machine lacks the locale of the user, less would show accents as codes. */
function environmentOf(env: Environment): Environment {
  return { LESS: 'FRX', LESSCHARSET: 'utf-8', LV: '-c', ...environmentOfViewer(env) };
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== '';
}

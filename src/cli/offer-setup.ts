import { resolveDirectories } from '../config/directories.js';
import { openConfig } from '../config/open.js';
import { createIo } from '../io/create.js';
import type { RunContext } from './perform.js';

/**
 * Below the first screen, asks a person at a terminal whether to set up a profile; only where there is neither a profile nor a key.
 * True: the answer was yes.
 */
export async function offerSetup({ host, early }: RunContext): Promise<boolean> {
  const { env, platform, homeDir, cwd } = host;
  const io = createIo(host, { ...early, quiet: false, noInput: isSet(env['FISCAL_NO_INPUT']), statsMs: 0 });
  const hasKey = Object.entries(env).some(([name, value]) => keyVariable.test(name) && isSet(value));
  if (!io.mayAsk || !host.stdout.isTerminal || hasKey) return false;
  const config = openConfig({ directories: resolveDirectories({ env, platform, homeDir }), env, cwd });
  const [current, profiles] = await Promise.all([config.current(), config.profiles()]);
  // The built-in one is always among them.
  if (current !== undefined || isSet(env['FISCAL_PROFILE']) || profiles.length > 1) return false;
  return await io.prompts.confirm(io.language === 'pt' ? 'Configurar agora?' : 'Set up a profile now?');
}

const keyVariable = /^FISCAL_(?:INVOICE_KEY|DATA_KEY|JWT)(?:_FILE|_COMMAND)?$/;

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== '';
}

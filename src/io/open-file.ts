import type { Text } from '../contract/text.js';
import { environmentOfViewer } from '../domain/child-environment.js';
import type { Environment } from '../domain/world.js';
import { FiscalError } from '../errors/fiscal-error.js';
import type { Host, OpenFile } from './io.js';

/** Errors: `usage.invalid` where nobody would see the file: without a terminal, in CI, and without a desktop. */
export function fileOpener({
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

import { stat } from 'node:fs/promises';
import { platform } from 'node:process';
import type { Settings } from '../../config/settings.js';
import type { Context } from '../../services/context.js';
import { problemOf, type Check } from './check.js';

/** The configuration can be read, and nobody else can read it: it may hold keys. */
export async function checkConfiguration(
  context: Context,
): Promise<{ readonly check: Check; readonly settings?: Settings }> {
  try {
    const { path } = await context.config();
    const settings = await context.settings();
    return { check: await checkMode(path), settings };
  } catch (error) {
    const advice = {
      en: 'correct the file or the variable, or move the file away and run "fiscal auth login"',
      pt: 'corrija o arquivo ou a variável, ou mova o arquivo e execute "fiscal auth login"',
    };
    return { check: problemOf('configuration', error, advice) };
  }
}

async function checkMode(path: string): Promise<Check> {
  const check = 'configuration';
  const file = await stat(path).catch(() => undefined);
  if (file === undefined) {
    const found = { en: `${path} is not there yet`, pt: `${path} ainda não existe` };
    return { check, status: 'ok', found };
  }
  // Windows shows every file as open to all; its access lists are not looked at here.
  if ((file.mode & 0o077) === 0 || platform === 'win32') {
    return { check, status: 'ok', found: { en: `${path} is readable`, pt: `${path} pode ser lido` } };
  }
  return {
    check,
    status: 'problem',
    found: {
      en: `${path} can be read by other users of this machine`,
      pt: `${path} pode ser lido por outros usuários desta máquina`,
    },
    advice: { en: `run: chmod 600 '${path}'`, pt: `execute: chmod 600 '${path}'` },
  };
}

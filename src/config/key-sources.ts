import { exec } from 'node:child_process';
import { open } from 'node:fs/promises';
import type { Text } from '../contract/text.js';
import type { Environment } from '../domain/world.js';
import { FiscalError } from '../errors/fiscal-error.js';
import { codeOf } from './profile-store.js';

/** A secret as it was found, and the name of the place. */
export interface FoundSecret {
  readonly secret: string;
  readonly source: string;
}

const MAX_KEY_LENGTH = 8_192;
const COMMAND_LIMIT_MS = 10_000;

/** Reads `NAME`, else the file in `NAME_FILE`, else the output of `NAME_COMMAND`. An empty variable is not set. */
export async function secretFromEnvironment(
  name: string,
  env: Environment,
  limitMs: number = COMMAND_LIMIT_MS,
): Promise<FoundSecret | undefined> {
  const plain = env[name];
  if (plain !== undefined && plain !== '') return checkedKey(plain, name);
  const path = env[`${name}_FILE`];
  if (path !== undefined && path !== '') return checkedKey(await readKeyFile(path, name), `${name}_FILE`);
  const command = env[`${name}_COMMAND`];
  if (command === undefined || command === '') return undefined;
  return checkedKey(await runKeyCommand(command, { name, env, limitMs }), `${name}_COMMAND`);
}

/**
 * A key is one run of printable ASCII: a space or line break inside would be a second header, or a file that
 * holds something else. Ends are trimmed. The error never shows the text.
 */
export function checkedKey(text: string, source: string): FoundSecret {
  const secret = text.trim();
  if (secret === '') throw unusable(source, { en: 'it is empty', pt: 'está vazio' });
  if (secret.length > MAX_KEY_LENGTH) throw unusable(source, { en: 'it is too long', pt: 'é longo demais' });
  if (!/^[\x21-\x7e]+$/.test(secret)) {
    throw unusable(source, {
      en: 'it has spaces, line breaks or characters that no key has',
      pt: 'tem espaços, quebras de linha ou caracteres que nenhuma chave tem',
    });
  }
  return { secret, source };
}

async function readKeyFile(path: string, name: string): Promise<string> {
  try {
    const file = await open(path, 'r');
    try {
      const { bytesRead, buffer } = await file.read(Buffer.alloc(MAX_KEY_LENGTH + 64), 0);
      return buffer.subarray(0, bytesRead).toString('utf8');
    } finally {
      await file.close();
    }
  } catch (error) {
    throw unusable(`${name}_FILE`, codeOf(error));
  }
}

/** Runs the command in the user's shell. Its stderr is not shown: it may hold what stdout should. */
async function runKeyCommand(
  command: string,
  how: { readonly name: string; readonly env: Environment; readonly limitMs: number },
): Promise<string> {
  const variable = `${how.name}_COMMAND`;
  const shell = how.env['SHELL'];
  return await new Promise((resolve, reject) => {
    const options = {
      env: { ...how.env },
      timeout: how.limitMs,
      killSignal: 'SIGKILL',
      maxBuffer: MAX_KEY_LENGTH * 2,
      windowsHide: true,
      ...(shell?.startsWith('/') === true ? { shell } : {}),
    } as const;
    const child = exec(command, options, (error, stdout) => {
      if (error === null) return resolve(stdout);
      const reason = failureOf(error, how.limitMs);
      reject(new FiscalError('auth.key_command_failed', { variable, reason }, { sent: 'no' }));
    });
    // A command that waits for a question would wait for ever.
    child.stdin?.end();
  });
}

function failureOf(error: { code?: number | string; killed?: boolean }, limitMs: number): Text {
  if (error.code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') {
    return { en: 'its output is too long', pt: 'a saída é longa demais' };
  }
  if (error.killed === true) {
    const seconds = String(limitMs / 1000);
    return { en: `no answer within ${seconds} s`, pt: `sem resposta em ${seconds} s` };
  }
  const code = String(error.code ?? '?');
  return { en: `exit code ${code}`, pt: `código de saída ${code}` };
}

function unusable(source: string, reason: string | Text): FiscalError {
  return new FiscalError('auth.unusable_key', { source, reason }, { sent: 'no', keySource: source });
}

import { constants } from 'node:fs';
import { access, stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { platform, versions } from 'node:process';
import type { Settings } from '../../config/settings.js';
import type { Text } from '../../contract/text.js';
import { durationInWords, formatUtc } from '../../domain/dates.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { Context } from '../../services/context.js';
import { type CopyMark, copyRefusal } from '../../store/copy-mark.js';
import { wentBackRefusal } from '../../store/seen-sends.js';
import { stateFile } from '../../store/state-file.js';
import type { BlockedHost } from '../../store/store.js';

/** The result of one check. */
export interface Check {
  readonly check: string;
  readonly status: 'ok' | 'warn' | 'problem';
  readonly found: Text;
  /** What to do about it. */
  readonly advice?: Text;
}

export function same(text: string): Text {
  return { en: text, pt: text };
}

/** A failure as a result. Defects of the program are rethrown. */
export function problemOf(check: string, error: unknown, advice: Text): Check {
  if (!(error instanceof FiscalError)) throw error;
  return { check, status: 'problem', found: error.text, advice };
}

const oldest = [20, 19] as const;

/** The version of Node is supported. */
export function checkRuntime(version: string = versions.node): Check {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isOld = major < oldest[0] || (major === oldest[0] && minor < oldest[1]);
  if (!isOld) return { check: 'node', status: 'ok', found: same(`Node ${version}`) };
  return {
    check: 'node',
    status: 'problem',
    found: same(`Node ${version}`),
    advice: { en: `install Node ${oldest.join('.')} or newer`, pt: `instale o Node ${oldest.join('.')} ou mais novo` },
  };
}

/** The configuration is readable only by its owner: it may contain keys. */
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
    const found = { en: `${path} does not exist yet`, pt: `${path} ainda não existe` };
    return { check, status: 'ok', found };
  }
  // Windows shows every file as open to all; its access lists are not checked.
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

const scarceBytes = 50_000_000;

/** The state folder is writable and has space: jobs are stored before anything is sent. */
export async function checkStateFolder(folder: string): Promise<Check> {
  try {
    const present = await nearestPresent(folder);
    await access(present, constants.W_OK | constants.X_OK);
    const disk = await statfs(present);
    return disk.bavail * disk.bsize < scarceBytes ? scarce(folder) : writable(folder, present);
  } catch (error) {
    const reason = error instanceof Error ? error.message.split(',', 1).join('') : String(error);
    return problemOf('state folder', new FiscalError('store.unwritable', { path: folder, reason }), {
      en: 'make the folder writable, or name another one in FISCAL_STATE_DIR',
      pt: 'torne a pasta gravável, ou indique outra em FISCAL_STATE_DIR',
    });
  }
}

function writable(folder: string, present: string): Check {
  const found =
    present === folder
      ? { en: `${folder} is writable`, pt: `${folder} é gravável` }
      : { en: `${folder} will be created when it is needed`, pt: `${folder} será criada quando for preciso` };
  return { check: 'state folder', status: 'ok', found };
}

function scarce(folder: string): Check {
  return {
    check: 'state folder',
    status: 'warn',
    found: { en: `little space is left for ${folder}`, pt: `há pouco espaço para ${folder}` },
    advice: {
      en: 'free some space, or run "fiscal job prune --older-than 90d"',
      pt: 'libere espaço, ou execute "fiscal job prune --older-than 90d"',
    },
  };
}

/** The folder itself, or the nearest parent in which it can be created. Rejects when a file is in the way. */
async function nearestPresent(folder: string): Promise<string> {
  try {
    await stat(folder);
    return folder;
  } catch (error) {
    const isAbsent = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    if (!isAbsent || dirname(folder) === folder) throw error;
    return await nearestPresent(dirname(folder));
  }
}

/** The store is intact, has a known schema, and sends unless its rows are in another one. Only reads it. */
export async function checkStore(stateFolder: string, { sends = true } = {}): Promise<Check> {
  const path = stateFile(stateFolder);
  const file = await stat(path).catch(() => undefined);
  if (file === undefined) {
    return {
      check: 'store',
      status: 'ok',
      found: { en: `${path} does not exist yet`, pt: `${path} ainda não existe` },
    };
  }
  try {
    const { inspectJournal, inspectStore } = await import('../../store/sqlite/inspect.js');
    const reason = await inspectJournal(path);
    if (reason !== undefined)
      return problemOf('store', new FiscalError('store.damaged', { path, reason }), afterLostRows);
    const { schema, known, faults, lostRows, wentBack, copy } = await inspectStore(path);
    const [fault] = faults;
    if (fault !== undefined) throw new FiscalError('store.damaged', { path, reason: fault });
    const other = otherVersion(path, { schema, known });
    if (other !== undefined) return other;
    if (copy !== undefined && sends) return copied(path, copy);
    if (wentBack) return putBack(path);
    if (lostRows)
      return {
        check: 'store',
        status: 'warn',
        found: {
          en: `${path} can be read, and its newest rows were lost with its journal`,
          pt: `${path} pode ser lido, e as linhas mais novas se perderam com o diário`,
        },
        advice: afterLostRows,
      };
    const found = { en: `${path} is intact, schema ${schema}`, pt: `${path} está íntegro, esquema ${schema}` };
    return { check: 'store', status: 'ok', found };
  } catch (error) {
    return problemOf('store', error, {
      en: 'to see every damaged row: fiscal store check; restore the file from a backup, or move it away, and check with the service what was sent before you send again',
      pt: 'para ver cada linha danificada: fiscal store check; restaure o arquivo de um backup, ou mova-o, e confira com o serviço o que já foi enviado antes de enviar de novo',
    });
  }
}

/** The next command that opens the store continues with what is left, and says before it sends that rows are lost. */
const afterLostRows: Text = {
  en: 'the rest of the store stays usable: before you send again, check with the service what was sent last ("fiscal job list" shows what is still known)',
  pt: 'o resto do arquivo continua utilizável: antes de enviar de novo, confira com o serviço o que foi enviado por último ("fiscal job list" mostra o que ainda se conhece)',
};

/** The hosts that asked for a wait, each as a note; none while there is no store that can be read, which `checkStore` says. */
export async function checkWaits(
  stateFolder: string,
  { profile, now }: { readonly profile: string; readonly now: number },
): Promise<readonly Check[]> {
  const path = stateFile(stateFolder);
  if ((await stat(path).catch(() => undefined)) === undefined) return [];
  const { inspectWaits } = await import('../../store/sqlite/inspect.js');
  const waits = await inspectWaits(path, profile, now).catch((error: unknown) => {
    if (error instanceof FiscalError) return [];
    throw error;
  });
  return waits.map(waitCheck);
}

export function waitCheck(wait: BlockedHost): Check {
  return {
    check: `wait ${wait.host}`,
    status: 'warn',
    found: waitText(wait),
    advice: {
      en: 'to end the wait: fiscal job resume --end-waits',
      pt: 'para encerrar a espera: fiscal job resume --end-waits',
    },
  };
}

function waitText({ blockedUntil, askedMs }: BlockedHost): Text {
  const until = formatUtc(blockedUntil);
  const asked = askedMs === null ? undefined : durationInWords(askedMs);
  return {
    en: `the service asked for a wait${asked === undefined ? '' : ` of ${asked.en}`}; requests wait until ${until}`,
    pt: `o serviço pediu uma espera${asked === undefined ? '' : ` de ${asked.pt}`}; as requisições esperam até ${until}`,
  };
}

/** A store that refuses every command because of a copy. */
export function copied(path: string, copy: CopyMark): Check {
  const refusal = copyRefusal(path, copy);
  return problemOf('store', refusal, refusal.facts.hint ?? refusal.text);
}

/** A store that lacks sends of a machine. */
export function putBack(path: string): Check {
  const refusal = wentBackRefusal(path);
  return problemOf('store', refusal, refusal.facts.hint ?? refusal.text);
}

/** Tables of another version of the program; 0: there are none yet. */
export function otherVersion(
  path: string,
  { schema, known }: { readonly schema: number; readonly known: number },
): Check | undefined {
  if (schema === 0 || schema === known) return undefined;
  const versions = { path, found: schema, known };
  if (schema < known) {
    const error = new FiscalError('store.older', versions);
    return problemOf('store', error, error.text);
  }
  return problemOf('store', new FiscalError('store.newer', versions), {
    en: 'update fiscal on this machine',
    pt: 'atualize o fiscal nesta máquina',
  });
}

import { constants } from 'node:fs';
import { access, stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { FiscalError } from '../../errors/fiscal-error.js';
import { problemOf, type Check } from './check.js';

const check = 'state folder';
const scarceBytes = 50_000_000;

/** Jobs are written before anything is sent: without a writable folder and some space nothing can be sent. */
export async function checkStateFolder(folder: string): Promise<Check> {
  try {
    const present = await nearestPresent(folder);
    await access(present, constants.W_OK | constants.X_OK);
    const disk = await statfs(present);
    return disk.bavail * disk.bsize < scarceBytes ? scarce(folder) : writable(folder, present);
  } catch (error) {
    const reason = error instanceof Error ? error.message.split(',', 1).join('') : String(error);
    return problemOf(check, new FiscalError('store.unwritable', { path: folder, reason }), {
      en: 'make the folder writable, or name another one in FISCAL_STATE_DIR',
      pt: 'torne a pasta gravável, ou indique outra em FISCAL_STATE_DIR',
    });
  }
}

function writable(folder: string, present: string): Check {
  const found =
    present === folder
      ? { en: `${folder} is writable`, pt: `${folder} é gravável` }
      : { en: `${folder} will be made when it is needed`, pt: `${folder} será criada quando for preciso` };
  return { check, status: 'ok', found };
}

function scarce(folder: string): Check {
  return {
    check,
    status: 'warn',
    found: { en: `little space is left for ${folder}`, pt: `há pouco espaço para ${folder}` },
    advice: {
      en: 'make room, or run "fiscal job prune --older-than 90d"',
      pt: 'libere espaço, ou execute "fiscal job prune --older-than 90d"',
    },
  };
}

/** The folder itself, or the nearest one above it in which it can be made. Rejects when a file is in the way. */
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

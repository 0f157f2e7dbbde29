import type { Given } from '../../cli/command.js';
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { sandboxProfile } from '../../config/sandbox-profile.js';
import type { StoreAddress } from '../../config/store-address.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { invalidValue } from '../../errors/invalid-value.js';
import { thisMachine } from '../../jobs/lease.js';
import { openSentMarks } from '../../jobs/sent-marks.js';
import type { Context } from '../../services/context.js';
import { stateFile } from '../../store/state-file.js';
import type { Store } from '../../store/store.js';
import type { check } from './commands.js';

/** Where a store is. */
export type Place =
  | { readonly kind: 'server'; readonly server: StoreAddress }
  | { readonly kind: 'file'; readonly path: string };

/** The store of this run. */
export async function placeInUse(context: Context): Promise<Place> {
  const server = await (await context.config()).storeAddress(await context.settings());
  return server === undefined ? localPlace(context) : { kind: 'server', server };
}

/** The store of the argument `<store>`; without it, the one in use. */
export async function placeGiven(context: Context, { store }: Given<typeof check>): Promise<Place> {
  return store === undefined ? await placeInUse(context) : await placeNamed(context, '<store>', store);
}

/** `local`: the file of the state folder; `server`: that of FISCAL_STORE_URL or of the profile; anything else is a file. */
export async function placeNamed(context: Context, option: string, word: string): Promise<Place> {
  if (word === 'local') return localPlace(context);
  if (/^\w+:\/\//.test(word)) throw invalidValue(option, withoutLogin(word), forms);
  if (/-(?:wal|shm|journal|open)$/i.test(word)) throw invalidValue(option, word, besideStore);
  if (word !== 'server') return await filePlace(option, word, resolve(context.cwd, word));
  const place = await placeInUse(context);
  if (place.kind === 'server') return place;
  throw new FiscalError('usage.missing', { names: 'FISCAL_STORE_URL' }, { sent: 'no', hint: serverHint });
}

async function filePlace(option: string, word: string, path: string): Promise<Place> {
  if (path.includes('\0')) throw invalidValue(option, word, noPath);
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory() === true) throw invalidValue(option, word, { en: 'it is a folder', pt: 'é uma pasta' });
  return { kind: 'file', path };
}

const noPath = { en: 'no path contains a zero byte', pt: 'nenhum caminho contém um byte zero' };
const besideStore = {
  en: 'a file with this ending belongs to another store',
  pt: 'um arquivo com esta terminação pertence a outro banco',
};

const forms = {
  en: 'it is local, server or a file; the address of the server comes from FISCAL_STORE_URL or the setting storeUrl',
  pt: 'é local, server ou um arquivo; o endereço do servidor vem de FISCAL_STORE_URL ou da configuração storeUrl',
};

const serverHint = {
  en: 'the word server means the store of FISCAL_STORE_URL, of FISCAL_STORE_URL_FILE or of the setting storeUrl',
  pt: 'a palavra server indica o banco de FISCAL_STORE_URL, de FISCAL_STORE_URL_FILE ou da configuração storeUrl',
};

/** An address may contain a password: only its scheme is shown. */
function withoutLogin(word: string): string {
  return `${word.slice(0, word.indexOf('://'))}://…`;
}

function localPlace(context: Context): Place {
  return { kind: 'file', path: stateFile(context.directories.state) };
}

export function nameOf(place: Place): string {
  return place.kind === 'server' ? place.server.name : place.path;
}

/** Opens the store there, or creates it; `found` gets the schema that was found. Errors: `store.…`. */
export async function openAt(context: Context, place: Place, found?: (schema: number) => void): Promise<Store> {
  const { clock, program } = context;
  // Where nothing can be noted, the commands that send say so.
  const sends = openSentMarks(context.directories.cache, () => undefined);
  const seen = { sends, except: sandboxProfile.name };
  const options = { clock, machine: thisMachine(program.pid).id, seen, ...(found && { found }) };
  if (place.kind === 'server') {
    const { openPostgresStore } = await import('../../store/postgres/open.js');
    return await openPostgresStore({ ...options, server: place.server });
  }
  const { openStore } = await import('../../store/sqlite/open.js');
  return await openStore({ ...options, path: place.path });
}

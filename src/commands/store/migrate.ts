import { stat } from 'node:fs/promises';
import type { Outcome, Sentence } from '../../domain/outcome.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { Context } from '../../services/context.js';
import { requireKnown } from '../../store/schema.js';
import { nameOf, openAt, type Place, placeInUse } from './place.js';

interface Versions {
  readonly from: number;
  readonly to: number;
}

/** Creates the tables of the store in use, as its first use would. */
export async function migrateStore(context: Context): Promise<Outcome> {
  const { dryRun } = await context.settings();
  const place = await placeInUse(context);
  const versions = dryRun ? await versionsAt(context, place) : await update(context, place);
  const path = nameOf(place);
  const data = { type: 'migration', path, ...versions, ...(dryRun ? { dryRun } : {}) };
  return { data, sentence: sentenceOf(path, versions, dryRun) };
}

async function update(context: Context, place: Place): Promise<Versions> {
  let from = 0;
  const store = await openAt(context, place, (found) => (from = found));
  await store.close();
  const { from: to } = await versionsAt(context, place);
  return { from, to };
}

/** The schema of the store there, 0 for none, and that of this program. Writes nothing. Throws `store.newer` and `store.older`. */
async function versionsAt(context: Context, place: Place): Promise<Versions> {
  const { schema, known } =
    place.kind === 'server' ? await schemaOfServer(context, place) : await schemaOfFile(place.path);
  requireKnown(nameOf(place), schema, { sent: 'no' });
  return { from: schema, to: known };
}

interface Found {
  readonly schema: number;
  readonly known: number;
}

async function schemaOfServer(context: Context, { server }: Place & { kind: 'server' }): Promise<Found> {
  const { inspectServer } = await import('../../store/postgres/inspect.js');
  return await inspectServer(server, (await context.settings()).storeNamespace);
}

async function schemaOfFile(path: string): Promise<Found> {
  const { inspectJournal, inspectSchema } = await import('../../store/sqlite/inspect.js');
  const file = await stat(path).catch(() => undefined);
  const reason = file === undefined ? undefined : await inspectJournal(path);
  if (reason !== undefined) throw new FiscalError('store.damaged', { path, reason }, { sent: 'no' });
  return await inspectSchema(path);
}

function sentenceOf(path: string, { from, to }: Versions, dryRun: boolean): Sentence {
  if (from === to)
    return {
      tone: 'good',
      en: `${path} has schema ${to}, that of this program`,
      pt: `${path} tem o esquema ${to}, o deste programa`,
    };
  const [en, pt] = dryRun ? ['would go', 'passaria'] : ['went', 'passou'];
  return {
    tone: dryRun ? 'none' : 'good',
    en: `${path} ${en} from schema ${from} to ${to}`,
    pt: `${path} ${pt} do esquema ${from} para o ${to}`,
  };
}

import type { Text } from '../../contract/text.js';
import type { Outcome } from '../../domain/outcome.js';
import type { Context } from '../../services/context.js';
import { type CopyMark, copyRefusal } from '../../store/copy-mark.js';
import { rowsAt } from './copy.js';
import { nameOf, openAt, type Place, placeInUse, placeNamed } from './place.js';

/** Lets a store send again whose rows were copied, or were to be. Asks, because two stores with the same rows send twice. */
export async function releaseStore(context: Context, named: string | undefined): Promise<Outcome> {
  const place = named === undefined ? await placeInUse(context) : await placeNamed(context, '<store>', named);
  const path = nameOf(place);
  const copy = await copyAt(context, place);
  if (copy?.step === 'arriving') throw copyRefusal(path, copy);
  const { dryRun } = await context.settings();
  const data = { type: 'release', path, released: copy !== undefined && !dryRun };
  if (copy === undefined) return { data, sentence: { tone: 'none', ...nothingToDo(path) } };
  if (dryRun) return { data: { ...data, copiedTo: copy.other, dryRun } };
  await context.consent({ what: question(path, copy) });
  const rows = await rowsAt(place, { alone: true });
  try {
    await rows.admitOthers(copy);
  } finally {
    await rows.close();
  }
  const sentence = { tone: 'warn', ...sends(path, copy.other) } as const;
  return { data: { ...data, copiedTo: copy.other }, sentence };
}

async function copyAt(context: Context, place: Place): Promise<CopyMark | undefined> {
  const store = await openAt(context, place);
  await store.close();
  return store.identity.copy;
}

function nothingToDo(path: string): Text {
  return { en: `${path} was not copied: it sends`, pt: `${path} não foi copiado: ele envia` };
}

function question(path: string, { step, other }: CopyMark): Text {
  if (step === 'begun')
    return {
      en: `gives up the copy of ${path} to ${other}, which stays unfinished and sends nothing`,
      pt: `desiste da cópia de ${path} para ${other}, que fica incompleta e não envia nada`,
    };
  return {
    en: `lets ${path} send again; ${other} has the same jobs, and what both send is sent twice`,
    pt: `permite que ${path} volte a enviar; ${other} tem os mesmos trabalhos, e o que os dois enviarem é enviado duas vezes`,
  };
}

function sends(path: string, other: string): Text {
  return {
    en: `${path} sends; remove ${other}, or keep every program away from it`,
    pt: `${path} envia; remova ${other}, ou não deixe nenhum programa usá-lo`,
  };
}

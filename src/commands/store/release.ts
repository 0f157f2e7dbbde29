import type { Given } from '../../cli/command.js';
import type { Text } from '../../contract/text.js';
import { formatUtc } from '../../domain/dates.js';
import type { Outcome } from '../../domain/outcome.js';
import type { Context } from '../../services/context.js';
import { type CopyMark, copyRefusal } from '../../store/copy-mark.js';
import type { WentBack } from '../../store/seen-sends.js';
import type { StoreIdentity } from '../../store/store.js';
import type { release } from './commands.js';
import { rowsAt } from './copy.js';
import { nameOf, openAt, type Place, placeGiven } from './place.js';

/**
 * Lets a store send again whose rows were copied, or were to be, or that was put back to an earlier state. Asks, because two stores
 * with the same rows send twice, and so does one that lacks sends.
 */
export async function releaseStore(context: Context, given: Given<typeof release>): Promise<Outcome> {
  const place = await placeGiven(context, given);
  const path = nameOf(place);
  const { copy, wentBack } = await identityAt(context, place);
  if (copy?.step === 'arriving') throw copyRefusal(path, copy);
  const { dryRun } = await context.settings();
  if (copy === undefined && wentBack !== undefined) return await releaseOlder(context, place, { wentBack, dryRun });
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

async function identityAt(context: Context, place: Place): Promise<StoreIdentity> {
  const store = await openAt(context, place);
  await store.close();
  return store.identity;
}

interface Older {
  readonly wentBack: WentBack;
  readonly dryRun: boolean;
}

async function releaseOlder(context: Context, place: Place, { wentBack, dryRun }: Older): Promise<Outcome> {
  const path = nameOf(place);
  const missing = {
    missingSince: wentBack.to === 0 ? null : formatUtc(wentBack.to),
    missingUntil: formatUtc(wentBack.until),
  };
  const data = { type: 'release', path, released: !dryRun, ...missing };
  if (dryRun) return { data: { ...data, dryRun } };
  await context.consent({ what: sendsAgain(path, wentBack) });
  const store = await openAt(context, place);
  try {
    await store.identity.admit();
  } finally {
    await store.close();
  }
  const sentence = { tone: 'warn', en: `${path} sends again`, pt: `${path} volta a enviar` } as const;
  return { data, sentence };
}

function sendsAgain(path: string, { to, until }: WentBack): Text {
  const since = to === 0 ? { en: '', pt: '' } : { en: ` after ${formatUtc(to)}`, pt: ` depois de ${formatUtc(to)}` };
  return {
    en: `lets ${path} send again; it does not know what was sent${since.en} until ${formatUtc(until)}, and the same commands send that twice`,
    pt: `permite que ${path} volte a enviar; o que foi enviado${since.pt} até ${formatUtc(until)} não é conhecido aqui, e os mesmos comandos o enviam duas vezes`,
  };
}

function nothingToDo(path: string): Text {
  return {
    en: `${path} was not copied or put back: it sends`,
    pt: `${path} não foi copiado nem voltou a uma situação anterior: ele envia`,
  };
}

function question(path: string, { step, other }: CopyMark): Text {
  if (step === 'begun')
    return {
      en: `gives up the copy of ${path} to ${other}, which stays unfinished and sends nothing`,
      pt: `desiste da cópia de ${path} para ${other}, que fica incompleta e não envia nada`,
    };
  return {
    en: `lets ${path} send again; ${other} has the same jobs, and what both send is sent twice`,
    pt: `permite que ${path} volte a enviar; ${other} tem os mesmos lotes, e o que os dois enviarem é enviado duas vezes`,
  };
}

function sends(path: string, other: string): Text {
  return {
    en: `${path} sends; remove ${other}, or keep every program away from it`,
    pt: `${path} envia; remova ${other}, ou não deixe nenhum programa usá-lo`,
  };
}

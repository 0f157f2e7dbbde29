import type { Text } from '../../contract/text.js';
import { counted, nouns } from '../../domain/counted.js';
import { parseUtc } from '../../domain/utc.js';
import { isSameTime } from '../../jobs/kinds/backfill-start-from.js';
import type { Context } from '../../services/context.js';
import { countListed } from './count-listed.js';
import type { CompanySummary } from './read-all.js';

/** What a new cut-off would do to one company, as far as the service tells it. */
export interface Effect {
  /** Listed documents that would be hidden; `undefined`: not known. */
  readonly hides: number | undefined;
  /** Hidden documents of which some may become listed: how many of them were issued since, nobody tells. */
  readonly mayShow: number;
  readonly text: Text;
}

/** True when the cut-off is that date already. */
export function isHeld({ summary }: CompanySummary, startFromDate: string): boolean {
  return isSameTime(summary?.startFromDate, startFromDate);
}

/** Reads what can be known: the summary, and the count of listed documents before the new date. */
export async function effectOf(
  context: Context,
  one: CompanySummary,
  startFromDate: string,
): Promise<Effect> {
  const { company, summary, error } = one;
  if (summary === undefined) return { hides: undefined, mayShow: 0, text: error?.text ?? unknown };
  if (isHeld(one, startFromDate)) return { hides: 0, mayShow: 0, text: sameDate };
  if (summary.released === true) return { hides: 0, mayShow: 0, text: inForce };
  const before = parseUtc(startFromDate) ?? 0;
  const now = summary.startFromDate === undefined ? undefined : parseUtc(summary.startFromDate);
  if (now !== undefined && before < now) {
    const mayShow = summary.hidden ?? 0;
    return { hides: 0, mayShow, text: shows(mayShow) };
  }
  const hides = await countListed(context, { companyId: company.id, before });
  return { hides, mayShow: 0, text: hides === undefined ? unknown : hiding(hides) };
}

/** The same for several companies. `hides` counts those that are known. */
export function sumOfEffects(effects: readonly Effect[]): Effect & { readonly hides: number } {
  const hides = effects.reduce((sum, effect) => sum + (effect.hides ?? 0), 0);
  const mayShow = effects.reduce((sum, effect) => sum + effect.mayShow, 0);
  const unknowns = effects.filter((effect) => effect.hides === undefined).length;
  const unknown = counted(unknowns, nouns.company);
  const text: Text = {
    en: `${hides} listed NFS-e would be hidden, of ${mayShow} hidden ones those issued since then would be listed${unknowns === 0 ? '' : `, for ${unknown.en} it is not known`}`,
    pt: `${hides} NFS-e listadas ficariam ocultas, de ${mayShow} ocultas as emitidas desde então passariam a ser listadas${unknowns === 0 ? '' : `, para ${unknown.pt} não se sabe`}`,
  };
  return { hides, mayShow, text };
}

function hiding(count: number): Text {
  return {
    en: `${count} listed NFS-e that were issued before it would be hidden`,
    pt: `${count} NFS-e listadas, emitidas antes dela, ficariam ocultas`,
  };
}

function shows(count: number): Text {
  return {
    en: `of the ${count} hidden NFS-e those issued since then would be listed (how many is not known)`,
    pt: `das ${count} NFS-e ocultas, as emitidas desde então passariam a ser listadas (não se sabe quantas)`,
  };
}

const inForce: Text = {
  en: 'a release is in force, so nothing is hidden or shown until it is revoked',
  pt: 'há uma liberação em vigor, então nada é ocultado nem mostrado até que ela seja revogada',
};

const sameDate: Text = { en: 'it is that date already', pt: 'já é essa data' };

const unknown: Text = {
  en: 'what it would hide or show is not known',
  pt: 'não se sabe o que ela ocultaria ou mostraria',
};

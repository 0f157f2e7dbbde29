import type { Text } from '../../contract/text.js';
import { counted, nouns } from '../../domain/counted.js';
import { formatUtc, formatUtcShort, parseUtc, startOfDay } from '../../domain/dates.js';
import { parseDay } from '../../domain/typed-dates.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { reasons } from '../../errors/reasons.js';
import { filled } from '../../errors/text-template.js';
import { invalidValue } from '../../errors/invalid-value.js';
import { textField } from '../../jobs/kinds/answer-fields.js';
import { isSameTime } from '../../jobs/kinds/backfill-start-from.js';
import type { Context } from '../../services/context.js';
import type { CompanySummary } from './companies.js';

/**
 * Formats a cut-off for the service: a day means its midnight in Brasília. Errors: `usage.invalid_value` for an invalid date, a
 * day that does not exist, or a time in the future.
 */
export function readCutOff(text: string, name: string, now: number): string {
  const day = parseDay(text);
  const ms = day === undefined ? parseUtc(text.trim()) : startOfDay(day);
  if (ms === undefined) throw invalidValue(name, text, aDate);
  if (ms > now) throw invalidValue(name, text, inTheFuture);
  return formatUtcShort(ms);
}

/** No age and no word such as `yesterday`: the same command must mean the same date when it is typed again. */
const aDate: Text = {
  en: 'a day that exists, such as 01/01/2024 or 2024-01-01 (midnight in Brasília), or a UTC time such as 2024-01-01T03:00:00Z, is expected',
  pt: 'espera-se um dia que exista, como 01/01/2024 ou 2024-01-01 (meia-noite em Brasília), ou um horário UTC, como 2024-01-01T03:00:00Z',
};

const inTheFuture: Text = {
  en: 'it is in the future; a cut-off must be in the past',
  pt: 'está no futuro; a data de corte é um dia do passado',
};

/** The effect of a new cut-off on one company, as far as the service reports it. */
export interface Effect {
  /** Listed documents that would be hidden; `undefined`: not known. */
  readonly hides: number | undefined;
  /** Hidden documents of which some may become listed; the service does not report how many were issued since. */
  readonly mayShow: number;
  readonly text: Text;
}

/** True when the cut-off is that date already. */
export function isHeld({ summary }: CompanySummary, startFromDate: string): boolean {
  return isSameTime(summary?.startFromDate, startFromDate);
}

/** Reads the summary and the count of listed documents before the new date. */
export async function effectOf(context: Context, one: CompanySummary, startFromDate: string): Promise<Effect> {
  const { company, summary, error } = one;
  if (summary === undefined) return { hides: undefined, mayShow: 0, text: error?.text ?? reasons.effectUnknown };
  if (isHeld(one, startFromDate)) return { hides: 0, mayShow: 0, text: reasons.sameCutOff };
  if (summary.released === true) return { hides: 0, mayShow: 0, text: reasons.releaseInForce };
  const before = parseUtc(startFromDate) ?? 0;
  const now = summary.startFromDate === undefined ? undefined : parseUtc(summary.startFromDate);
  if (now !== undefined && before < now) {
    const mayShow = summary.hidden ?? 0;
    return { hides: 0, mayShow, text: filled(reasons.showsHidden, { count: mayShow }) };
  }
  const hides = await countListed(context, { companyId: company.id, before });
  return {
    hides,
    mayShow: 0,
    text: hides === undefined ? reasons.effectUnknown : filled(reasons.hidesListed, { count: hides }),
  };
}

/** The same for several companies. `hides` counts those that are known. */
export function sumOfEffects(effects: readonly Effect[]): Effect & { readonly hides: number } {
  const hides = effects.reduce((sum, effect) => sum + (effect.hides ?? 0), 0);
  const mayShow = effects.reduce((sum, effect) => sum + effect.mayShow, 0);
  const unknowns = effects.filter((effect) => effect.hides === undefined).length;
  const unknown = counted(unknowns, nouns.company);
  const text: Text = {
    en: `${hides} listed NFS-e would be hidden; of ${mayShow} hidden ones, those issued since then would be listed${unknowns === 0 ? '' : `; unknown for ${unknown.en}`}`,
    pt: `${hides} NFS-e listadas ficariam ocultas; de ${mayShow} ocultas, as emitidas desde então passariam a ser listadas${unknowns === 0 ? '' : `; não se sabe para ${unknown.pt}`}`,
  };
  return { hides, mayShow, text };
}

interface IssuePeriod {
  readonly companyId: string;
  /** Before this time, in milliseconds. */
  readonly before: number;
}

/**
 * How many listed NFS-e were issued before a time: the count of the list (public), without its documents. `undefined` when
 * the service does not report it to this key.
 */
export async function countListed(context: Context, { companyId, before }: IssuePeriod): Promise<number | undefined> {
  const client = await context.client();
  const issuedEnd = formatUtc(before - 1);
  const query = { pageIndex: 1, pageCount: 1, hasTotals: true, issuedEnd };
  try {
    const input = { path: { companyId }, query };
    const { body } = await client.call('nfse.inbound.list', input, { signal: context.interruption });
    const total = textField(body, 'totalResults');
    return total !== undefined && /^\d{1,15}$/.test(total) ? Number(total) : undefined;
  } catch (error) {
    if (error instanceof FiscalError && isOfCompany(error)) return undefined;
    throw error;
  }
}

function isOfCompany({ facts }: FiscalError): boolean {
  return facts.httpStatus === 403 || facts.httpStatus === 404 || facts.httpStatus === 400;
}

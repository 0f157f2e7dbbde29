import type { Text } from '../contract/text.js';
import type { FiscalError } from '../errors/fiscal-error.js';
import { reasons } from '../errors/reasons.js';
import { filled, valuesIn } from '../errors/text-template.js';

const absences = { billed: 'perhapsBilled', taken: 'takenAndGone', absent: 'absent' } as const;

/**
 * Why a person is asked about an absent resource, with the evidence: the number of lookups and the seconds they span.
 */
export function absenceReason(
  because: keyof typeof absences,
  { looks, seconds }: { readonly looks: number; readonly seconds: number },
): string {
  return `${reasons[absences[because]].en} (${filled(reasons.lookedFor, { looks, seconds }).en})`;
}

/** A reason with what it is about, such as names of fields. */
export function reasonAbout(reason: Text, things: readonly string[]): string {
  return `${reason.en}: ${things.join(', ')}`;
}

/** The ids in a stored reason of an unclear look-up. */
export function candidatesIn(message: string | undefined): readonly string[] {
  const start = `${reasons.severalAlike.en}: `;
  return message?.startsWith(start) === true ? message.slice(start.length).split(', ') : [];
}

/** Why an item waits, or failed, whose resource a 409 neither names nor shows: with the words of the service, if any. */
export function conflictReason({ code, text }: FiscalError): string {
  const words = code === 'service.conflict' ? text.en.replace(/^conflict \(HTTP 409\): /, '') : '';
  return /\p{L}/u.test(words) ? filled(reasons.conflictUnread, { words }).en : reasons.existsUnread.en;
}

/** True for a reason of `conflictReason`. */
export function isConflictReason(message: string): boolean {
  const { existsUnread, conflictUnread } = reasons;
  return message === existsUnread.en || valuesIn(conflictUnread.en, message) !== undefined;
}

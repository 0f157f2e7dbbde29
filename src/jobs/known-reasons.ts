import type { Text } from '../contract/text.js';
import { reasons } from '../errors/reasons.js';
import { filled } from '../errors/text-template.js';

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

/** Why an item waits, or failed, whose resource a 409 neither names nor shows: with the words of the service, if any. */
export function conflictReason(words: string | undefined): Text {
  return words === undefined ? reasons.existsUnread : filled(reasons.conflictUnread, { words });
}

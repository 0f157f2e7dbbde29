const dayMs = 86_400_000;

/** facts §4: Ciência has ten days, in every period. */
const awarenessDays = 10;

/**
 * facts §4: days for a conclusive event, from the day on which the rule came into force. No rule says what happens to
 * notes authorised before a change, so the rule of the day of sending holds: the strictest reading.
 */
const conclusiveTerms: readonly { readonly from: number; readonly days: number }[] = [
  { from: Date.UTC(2026, 5, 1), days: 90 },
  { from: Date.UTC(2021, 0, 1), days: 180 },
  { from: 0, days: 90 },
];

export function isAwarenessLate(authorizedOn: number, sentAt: number): boolean {
  return sentAt > authorizedOn + awarenessDays * dayMs;
}

export function isConclusiveLate(authorizedOn: number, sentAt: number): boolean {
  const term = conclusiveTerms.find((each) => each.from <= sentAt);
  return sentAt > authorizedOn + (term?.days ?? 0) * dayMs;
}

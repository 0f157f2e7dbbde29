const units: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

/** `10d`, `1h30m`, `250ms` → milliseconds; `undefined` for anything else. */
export function parseDuration(text: string): number | undefined {
  if (!/^(\d+(ms|[smhdw]))+$/.test(text)) return undefined;
  let total = 0;
  for (const [, amount, unit] of text.matchAll(/(\d+)(ms|[smhdw])/g)) {
    total += Number(amount) * (units[unit ?? ''] ?? 0);
  }
  return Number.isSafeInteger(total) ? total : undefined;
}

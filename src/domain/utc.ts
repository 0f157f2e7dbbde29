/** Times are UTC ISO 8601 text at the edges (§1, convention 2) and milliseconds inside. */

const utcPattern = /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2}:\d{2})(\.\d{1,9})?Z)?$/;

const unitMs: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** Reads `2026-11-21T10:00:00Z`, with a fraction or not, or `2026-11-21` (midnight). No offsets, no impossible days. */
export function parseUtc(text: string): number | undefined {
  const match = utcPattern.exec(text);
  if (match === null) return undefined;
  const [, day = '', time = '00:00:00', fraction = ''] = match;
  const whole = Date.parse(`${day}T${time}Z`);
  // Date.parse turns 30 February into March: writing it back shows whether the day exists.
  if (Number.isNaN(whole) || new Date(whole).toISOString() !== `${day}T${time}.000Z`) return undefined;
  return whole + Math.floor(Number(`0${fraction}`) * 1000);
}

/** `2026-11-21T10:00:00.000Z`. */
export function formatUtc(ms: number): string {
  return new Date(ms).toISOString();
}

/** Reads `500ms`, `5s`, `1.5m`, `1h`, `10d` as milliseconds; a bare number has no unit and is refused, except `0`. */
export function parseDuration(text: string): number | undefined {
  if (text === '0') return 0;
  const match = /^(\d{1,9}(?:\.\d{1,3})?)(ms|s|m|h|d)$/.exec(text);
  if (match === null) return undefined;
  const [, amount = '', unit = ''] = match;
  const ms = Math.round(Number(amount) * (unitMs[unit] ?? Number.NaN));
  return Number.isSafeInteger(ms) ? ms : undefined;
}

/** The shortest exact form, e.g. `90s`, `10m`, `2d`. */
export function formatDuration(ms: number): string {
  const units = ['d', 'h', 'm', 's'] as const;
  const unit = units.find((candidate) => ms !== 0 && ms % (unitMs[candidate] ?? 1) === 0) ?? 'ms';
  return `${ms / (unitMs[unit] ?? 1)}${unit}`;
}

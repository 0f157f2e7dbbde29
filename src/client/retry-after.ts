/**
 * Reads `Retry-After`: seconds (§8) or an HTTP date. Milliseconds from `now`, never negative;
 * `undefined` when the header is absent or cannot be read.
 */
export function retryAfterMs(header: string | undefined, now: number): number | undefined {
  const text = header?.trim();
  if (text === undefined || text === '') return undefined;
  if (/^\d{1,10}(\.\d+)?$/.test(text)) return Math.ceil(Number(text) * 1000);
  // Date.parse reads much that is no date ("-5" is a year); an HTTP date always names the month.
  if (!/[A-Za-z]{3}/.test(text)) return undefined;
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}

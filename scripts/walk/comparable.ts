/**
 * A screen without what differs from run to run: times, ids, keys, durations. All but durations, which end their lines, keep
 * their length, because columns depend on it.
 */
export function comparable(screen: string): string {
  let text = screen.replace(durations, '# s').replace(inFlight, '');
  for (const pattern of changing) text = text.replace(pattern, (found) => found.replace(/\w/g, '#'));
  return text;
}

const durations = /\b\d+(?:[.,]\d+)? (?:ms|s|min|h)\b/g;

/** After Ctrl-C, where requests were on their way. */
const inFlight = /^(?:finishing|concluindo) .*Ctrl-C.*\n/gm;

const changing = [
  // A deadline with the days that are left, which depend on the time of day.
  /(?:\d{2}\/\d{2}\/\d{4}|\d{4}-\d{2}-\d{2}) │ +\d+ │/g,
  /\b\d{2}\/\d{2}\/\d{4}(?: \d{2}:\d{2})?\b/g,
  /\b\d{2}\/\d{4}\b/g,
  /\b\d{4}-\d{2}(?:-\d{2}(?:[T ][\d:.]+Z?)?)?\b/g,
  /\b\d{6}-\d{4}-[0-9a-f]{6}\b/g,
  /\b[0-9a-f]{4,}(?:-[0-9a-f]{4,})*\b/g,
  /\b[0-9A-Za-z]{3,6}…[0-9A-Za-z]{3,6}\b/g,
  /\b\d+\.\d+\.\d+\b/g,
  /\bfiscal-walk-\w{6}\b/g,
];

/**
 * A screen without what differs from run to run: times, ids, keys, amounts of time. Each keeps its length, because columns
 * depend on it.
 */
export function comparable(screen: string): string {
  return changing.reduce(
    (text, pattern) => text.replace(pattern, (found) => found.replace(/\w/g, '#')),
    screen,
  );
}

const changing = [
  /\b\d{2}\/\d{2}\/\d{4}(?: \d{2}:\d{2})?\b/g,
  /\b\d{2}\/\d{4}\b/g,
  /\b\d{4}-\d{2}(?:-\d{2}(?:[T ][\d:.]+Z?)?)?\b/g,
  /\b\d{6}-\d{4}-[0-9a-f]{6}\b/g,
  /\b[0-9a-f]{4,}(?:-[0-9a-f]{4,})*\b/g,
  /\b[0-9A-Za-z]{3,6}…[0-9A-Za-z]{3,6}\b/g,
  /\b\d+(?:[.,]\d+)?(?= ?(?:ms|s|min|h)\b)/g,
  /\b\d+(?:[.,]\d+)?\/s/g,
];

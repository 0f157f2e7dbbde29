/**
 * A copy that stands by itself. The engine keeps a part of a long text as a view of the whole: remembered as it is, a name
 * would hold its document in memory.
 */
export function ownText(text: string): string {
  return Buffer.from(text).toString();
}

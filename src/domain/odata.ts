/** The part of OData that lists need. Conditions are text; values are quoted only here. */

/** A text literal: in quotes, with inner quotes doubled. */
export function odataText(value: string): string {
  return `'${value.replaceAll("'", "''")}'`;
}

/** Joins conditions with `and`. `undefined`: there are none. */
export function allOf(conditions: readonly (string | undefined)[]): string | undefined {
  const given = conditions.filter((condition) => condition !== undefined);
  if (given.length <= 1) return given[0];
  return given.map((condition) => (isSimple(condition) ? condition : `(${condition})`)).join(' and ');
}

/**
 * The condition that every row meets, for a list that requires one: lists under `/odata/` do (published). A comparison
 * excludes rows without a value, and not every service knows `eq null`: so it is by the time of capture, which every row of both lists
 * has, while a date of issue or receipt may be missing. `undefined`: the list at this address needs none.
 */
export function requiredFilter(address: URL): string | undefined {
  if (!address.pathname.toLowerCase().includes('/odata/')) return undefined;
  return 'createdOn ge 1900-01-01T00:00:00Z or createdOn eq null';
}

/**
 * The condition for rows from a position on, in the order of `time`, then `key`: with those that stand at it, or only those
 * behind it. `at.time` is an OData time, without quotes. The first comparison is redundant, but lets a database use its index.
 */
export function fromPosition(
  fields: { readonly time: string; readonly key: string },
  at: OdataPosition,
  { isBehind }: { readonly isBehind: boolean },
): string {
  const { time, key } = fields;
  const ofKey = `${key} ${isBehind ? 'gt' : 'ge'} ${odataText(at.key)}`;
  return `${time} ge ${at.time} and (${time} gt ${at.time} or ${ofKey})`;
}

export interface OdataPosition {
  readonly time: string;
  readonly key: string;
}

/** True if quotes and parentheses are balanced, so that the filter can be part of a larger one. */
export function isClosedFilter(filter: string): boolean {
  let depth = 0;
  let isText = false;
  for (const character of filter) {
    // A doubled quote closes the text and opens it again.
    if (character === "'") isText = !isText;
    if (isText) continue;
    if (character === '(') depth += 1;
    if (character === ')') depth -= 1;
    if (depth < 0) return false;
  }
  return depth === 0 && !isText;
}

/** One comparison: `field op value`. */
function isSimple(condition: string): boolean {
  return /^[\w/]+ (?:eq|ne|gt|ge|lt|le) (?:'(?:[^']|'')*'|[^\s'()]+)$/.test(condition);
}

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
 * The condition for rows after a position in the order of `time`, then `key`. `at.time` is an OData time, without
 * quotes. The first comparison is redundant, but lets a database use its index.
 */
export function afterPosition(
  fields: { readonly time: string; readonly key: string },
  at: OdataPosition,
): string {
  const { time, key } = fields;
  return `${time} ge ${at.time} and (${time} gt ${at.time} or ${key} gt ${odataText(at.key)})`;
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

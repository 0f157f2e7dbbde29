/** The few words of OData that a list needs. Conditions are text; values are quoted here and nowhere else. */

/** A text literal: quotes around it, quotes in it doubled. */
export function odataText(value: string): string {
  return `'${value.replaceAll("'", "''")}'`;
}

/** All conditions at once; `undefined` when there is none. */
export function allOf(conditions: readonly (string | undefined)[]): string | undefined {
  const given = conditions.filter((condition) => condition !== undefined);
  if (given.length <= 1) return given[0];
  return given.map((condition) => (isSimple(condition) ? condition : `(${condition})`)).join(' and ');
}

/**
 * Rows behind a position in the order of `time`, then `key`. `at` is a time as OData writes it: without quotes. The first
 * comparison says nothing new to people, but to a database where to begin.
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

/** Quotes and parentheses close where they should: then the filter can stand within a larger one. */
export function isClosedFilter(filter: string): boolean {
  let depth = 0;
  let isText = false;
  for (const character of filter) {
    // A doubled quote ends the text and begins it again.
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

/** Readers of what a service answers: lenient, since any field may be absent or of another type. */

/** A text field that is not empty; identifiers may be numbers (§1, convention 4). */
export function textField(body: unknown, name: string): string | undefined {
  if (typeof body !== 'object' || body === null) return undefined;
  const value: unknown = Object.entries(body).find(([key]) => key === name)?.[1];
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The last segment of the path of a `Location`. */
export function lastSegment(location: string | undefined): string | undefined {
  return location
    ?.split('?')[0]
    ?.split('/')
    .findLast((segment) => segment !== '');
}

/** A list field; `undefined` when there is none. */
export function listField(body: unknown, name: string): readonly unknown[] | undefined {
  if (typeof body !== 'object' || body === null) return undefined;
  const value: unknown = Object.entries(body).find(([key]) => key === name)?.[1];
  return Array.isArray(value) ? value : undefined;
}

/** Reads a value inside JSON of unknown shape: `look(data, 'entries', 0, 'status')`. */
export function look(data: unknown, ...path: readonly (string | number)[]): unknown {
  let value = data;
  for (const step of path) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = Object.entries(value).find(([name]) => name === String(step))?.[1];
  }
  return value;
}

export function list(data: unknown): readonly unknown[] {
  return Array.isArray(data) ? data : [];
}

import { invalid } from '../core/refusal.js';
import { canonicalField } from './vocabulary.js';

const depthLimit = 32;

/**
 * The same JSON with canonical field names at every depth and without null fields (§2, conventions 1 and 4).
 * Of two spellings of one name the later wins.
 */
export function withCanonicalNames(value: unknown, path = '', depth = 0): unknown {
  if (depth > depthLimit) throw invalid(path, `Nested deeper than ${depthLimit} levels.`);
  if (Array.isArray(value)) {
    return value.map((element, index) => withCanonicalNames(element, `${path}[${index}]`, depth + 1));
  }
  if (typeof value !== 'object' || value === null) return value;
  const fields: [string, unknown][] = [];
  for (const [name, field] of Object.entries(value)) {
    if (field === null) continue;
    const canonical = canonicalField(name);
    fields.push([canonical, withCanonicalNames(field, join(path, canonical), depth + 1)]);
  }
  // fromEntries defines own fields, so a field called __proto__ stays a field.
  return Object.fromEntries(fields);
}

export function join(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

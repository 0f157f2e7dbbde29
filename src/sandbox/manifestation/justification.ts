/** §2: 15 to 255 characters; facts §3: no leading or trailing space, U+0020 to U+00FF only. `null` when it is one. */
export function findJustificationFault(value: unknown): string | null {
  if (typeof value !== 'string') return 'Must be text.';
  if (value.length < 15 || value.length > 255) return 'Must have from 15 to 255 characters.';
  if (value.startsWith(' ') || value.endsWith(' ')) return 'Must not begin or end with a space.';
  if (!/^[\u0020-\u00ff]*$/.test(value)) return 'Must have characters from U+0020 to U+00FF only.';
  return null;
}

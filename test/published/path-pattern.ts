/** What fits a path with names in braces, e.g. `/v2/companies/{companyId}`. */
export function patternOf(path: string, flags = ''): RegExp {
  const escaped = path.replaceAll(/[.*+?^$()|[\]\\]/g, String.raw`\$&`);
  return new RegExp(`^${escaped.replaceAll(/\{\w+\}/g, '[^/]+')}$`, flags);
}

/** Of several paths that fit, the one with the longest literal text is meant. */
export function literalLength(path: string): number {
  return path.replaceAll(/\{\w+\}/g, '').length;
}

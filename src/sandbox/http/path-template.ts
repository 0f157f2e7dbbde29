const parameter = /\{(\w+)\}(\.\w+)?/g;

/** `/{tenantId}/products` → `/:tenantId/products`; `{accessKey}.pdf` takes only what ends like that. */
export function templateOf(path: string): string {
  return path.replaceAll(parameter, (_whole, name: string, ending?: string) =>
    ending === undefined ? `:${name}` : `:${name}{[\\w-]+\\${ending}}`,
  );
}

/** The parameters without what the path writes after them. */
export function withoutEndings(
  path: string,
  parameters: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const endings = new Map([...path.matchAll(parameter)].map(([, name, ending = '']) => [name, ending]));
  return Object.fromEntries(
    Object.entries(parameters).map(([name, value]) => [
      name,
      value.slice(0, value.length - (endings.get(name)?.length ?? 0)),
    ]),
  );
}

/** A word before a parameter with an ending, that before any parameter. */
export function placeRank(word: string): number {
  if (!word.startsWith(':')) return 0;
  return word.endsWith('}') ? 1 : 2;
}

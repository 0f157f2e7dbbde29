/** A title of a column without accents, letter case and punctuation: `Código do produto` → `codigodoproduto`. */
export function plainTitle(title: string): string {
  return title
    .normalize('NFD')
    .replaceAll(/[^A-Za-z0-9]/g, '')
    .toLowerCase();
}

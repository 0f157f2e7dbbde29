import type { Text } from '../../contract/text.js';

/** Where to find valid values for the tax fields with problems: the NCM table when only NCMs are wrong, else `codes`. */
export function taxHint(fields: readonly string[], codes: Text): Text {
  return fields.every((field) => /(?:^|\.)ncm$/i.test(field)) ? ncmTable : codes;
}

const ncmTable: Text = {
  en: 'an NCM has the 8 digits of its row in the NCM table of the Receita Federal, such as 09012100',
  pt: 'um NCM tem os 8 dígitos da sua linha na tabela NCM da Receita Federal, como 09012100',
};

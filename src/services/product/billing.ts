import type { Text } from '../../contract/text.js';

/** §1: the registry belongs to the tax engine, which is billed apart from issuance. */
export const billedOne: Text = {
  en: 'the tax engine bills this call, because the product carries tax rules (fiscal usage shows it)',
  pt: 'o motor de cálculo cobra esta chamada, pois o produto tem regras fiscais (veja fiscal usage)',
};

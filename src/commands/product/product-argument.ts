import type { ArgumentSpec, OptionSpecs, OptionValues } from '../../cli/command.js';
import type { ProductFields } from './read-product.js';

/** The product that a verb is about. */
export const productArgument: ArgumentSpec = {
  name: 'product',
  required: true,
  summary: {
    en: 'Id of the product, or its SKU where this machine knows it',
    pt: 'Id do produto, ou seu SKU quando esta máquina o conhece',
  },
};

/** Common fields as flags; they win over the same fields of the file. */
export const fieldOptions = {
  sku: {
    kind: 'text',
    value: 'text',
    summary: { en: 'Your code of the product', pt: 'Seu código do produto' },
  },
  description: { kind: 'text', value: 'text', summary: { en: 'Description', pt: 'Descrição' } },
  origin: {
    kind: 'text',
    value: 'name',
    summary: { en: 'Origin, e.g. National', pt: 'Origem, p. ex. National' },
  },
  ncm: { kind: 'text', value: 'digits', summary: { en: 'NCM, 8 digits', pt: 'NCM, 8 dígitos' } },
  gtin: { kind: 'text', value: 'digits', summary: { en: 'GTIN', pt: 'GTIN' } },
  cest: { kind: 'text', value: 'digits', summary: { en: 'CEST, 7 digits', pt: 'CEST, 7 dígitos' } },
  collection: { kind: 'text', value: 'id', summary: { en: 'Collection id', pt: 'Id da coleção' } },
  taxRegime: {
    kind: 'text',
    value: 'name',
    summary: { en: 'Tax regime, e.g. RealProfit', pt: 'Regime tributário, p. ex. RealProfit' },
  },
} as const satisfies OptionSpecs;

export const contentOptions = {
  ...fieldOptions,
  file: {
    kind: 'text',
    value: 'file',
    summary: { en: 'The product as JSON; - for stdin', pt: 'O produto em JSON; - para o stdin' },
  },
  unchecked: {
    kind: 'toggle',
    summary: { en: 'Send as written, without local checks', pt: 'Envia como está, sem conferência local' },
  },
} as const satisfies OptionSpecs;

export function fieldsOf(options: OptionValues<typeof fieldOptions>): ProductFields {
  const { sku, description, origin, ncm, gtin, cest, collection, taxRegime } = options;
  return { sku, description, origin, ncm, gtin, cest, taxRegime, collectionId: collection };
}

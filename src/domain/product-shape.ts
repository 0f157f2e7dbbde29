import { issuerTaxProfiles, origins, recipientTaxProfiles, taxRegimes } from '../contract/product.js';

/** What a field of a product may hold, as data. */
export type Shape =
  | { readonly kind: 'text'; readonly maxLength: number }
  /** Text of digits only, at most (or exactly) so many. */
  | { readonly kind: 'digits'; readonly length: number; readonly exact: boolean }
  | { readonly kind: 'name'; readonly names: readonly string[] }
  | { readonly kind: 'integer'; readonly min: number; readonly max: number }
  | GroupShape
  | { readonly kind: 'list'; readonly of: Shape }
  /** Everything below is values of tax groups: text, and groups of text (§2, convention 3). */
  | { readonly kind: 'tax-group' };

export interface GroupShape {
  readonly kind: 'group';
  readonly fields: Readonly<Record<string, Shape>>;
}

const taxGroup: Shape = { kind: 'tax-group' };

const scenario: Shape = {
  kind: 'group',
  fields: {
    operationCode: { kind: 'integer', min: 0, max: 999 },
    issuer: {
      kind: 'list',
      of: {
        kind: 'group',
        fields: {
          taxRegime: { kind: 'name', names: taxRegimes },
          taxProfile: { kind: 'name', names: issuerTaxProfiles },
        },
      },
    },
    recipient: {
      kind: 'list',
      of: { kind: 'group', fields: { taxProfile: { kind: 'name', names: recipientTaxProfiles } } },
    },
    intraState: taxGroup,
    interState: taxGroup,
  },
};

/**
 * The product as published for a registry of this kind; the service document shows only `origin`, `taxRegime` and
 * `customTax` (§2). Fields that are not listed are sent as written. A list may also be given as its one element:
 * the document calls `customTax` an object, the published form is an array, and the form is kept.
 */
export const productShape: GroupShape = {
  kind: 'group',
  fields: {
    collectionId: { kind: 'text', maxLength: 60 },
    sku: { kind: 'text', maxLength: 60 },
    description: { kind: 'text', maxLength: 120 },
    origin: { kind: 'name', names: origins },
    taxRegime: { kind: 'name', names: taxRegimes },
    gtin: { kind: 'digits', length: 14, exact: false },
    tax: {
      kind: 'group',
      fields: {
        ncm: { kind: 'digits', length: 8, exact: true },
        cest: { kind: 'digits', length: 7, exact: true },
      },
    },
    customTax: { kind: 'list', of: scenario },
  },
};

/** Needed to create a product (assumed: the request schema is not shown by the document). */
export const requiredProductFields = ['sku', 'description', 'origin'] as const;

/**
 * Field names inside tax groups in their canonical spelling (the layout of the NF-e). A name that is not here is
 * sent as it was written: the service reads names in any letter case (§2, convention 1).
 */
const taxFieldNames = [
  'cfop',
  'icms',
  'pis',
  'cofins',
  'ipi',
  'cst',
  'csosn',
  'cBenef',
  'cEnq',
  'modBC',
  'modBCST',
  'motDesICMS',
  'pBCOp',
  'pCOFINS',
  'pCredSN',
  'pDif',
  'pFCP',
  'pFCPST',
  'pICMS',
  'pICMSST',
  'pIPI',
  'pMVAST',
  'pPIS',
  'pRedBC',
  'pRedBCST',
] as const;

const canonicalTaxNames = new Map(taxFieldNames.map((name) => [name.toLowerCase(), name]));

/** `picms` → `pICMS`; an unknown name stays as it is. */
export function canonicalTaxName(name: string): string {
  return canonicalTaxNames.get(name.toLowerCase()) ?? name;
}

/** The field of a group that `name` means in any letter case. */
export function fieldOf(shape: GroupShape, name: string): { name: string; shape: Shape } | undefined {
  const wanted = name.toLowerCase();
  for (const [known, field] of Object.entries(shape.fields)) {
    if (known.toLowerCase() === wanted) return { name: known, shape: field };
  }
  return undefined;
}

import { issuerTaxProfiles, origins, recipientTaxProfiles, taxRegimes } from '../contract/product.js';

/** What a field of a product may contain. */
export type Shape =
  | { readonly kind: 'text'; readonly maxLength: number }
  /** Text of digits only: at most `length`, or exactly. `none`: words for a product without the code. */
  | { readonly kind: 'digits'; readonly length: number; readonly exact: boolean; readonly none?: RegExp }
  | { readonly kind: 'name'; readonly names: readonly string[] }
  | { readonly kind: 'integer'; readonly min: number; readonly max: number }
  | GroupShape
  | { readonly kind: 'list'; readonly of: Shape }
  /** Tax values, and groups of tax values, as text (§2, convention 3). */
  | { readonly kind: 'tax-group' };

export interface GroupShape {
  readonly kind: 'group';
  readonly fields: Readonly<Record<string, Shape>>;
}

/** `SEM GTIN` is what an NF-e has as the `cEAN` of a product without one; people and ERPs write it in several ways. */
const withoutGtin = /^(?:(?:sem|s\/)[\s_-]*(?:gtin|ean))?$/i;

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
 * `customTax` (§2). Unlisted fields are sent as written. A list may also be its only element: the service document
 * shows `customTax` as an object, the published form is an array, and the program keeps the form of the input.
 */
export const productShape: GroupShape = {
  kind: 'group',
  fields: {
    collectionId: { kind: 'text', maxLength: 60 },
    sku: { kind: 'text', maxLength: 60 },
    description: { kind: 'text', maxLength: 120 },
    origin: { kind: 'name', names: origins },
    taxRegime: { kind: 'name', names: taxRegimes },
    gtin: { kind: 'digits', length: 14, exact: false, none: withoutGtin },
    tax: {
      kind: 'group',
      fields: { ncm: { kind: 'digits', length: 8, exact: true }, cest: { kind: 'digits', length: 7, exact: true } },
    },
    customTax: { kind: 'list', of: scenario },
  },
};

/** Required to create a product (assumed: the service document does not show the request schema). */
export const requiredProductFields = ['sku', 'description', 'origin'] as const;

/**
 * The canonical spelling of field names in tax groups (NF-e layout). Other names are sent as written: the service
 * reads names in any letter case (§2, convention 1).
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

/** `picms` → `pICMS`; returns an unknown name unchanged. */
export function canonicalTaxName(name: string): string {
  return canonicalTaxNames.get(name.toLowerCase()) ?? name;
}

/** Finds a field of a group by its name, in any letter case. */
export function fieldOf(shape: GroupShape, name: string): { name: string; shape: Shape } | undefined {
  const wanted = name.toLowerCase();
  for (const [known, field] of Object.entries(shape.fields)) {
    if (known.toLowerCase() === wanted) return { name: known, shape: field };
  }
  return undefined;
}

import { isExactNumber, isRecord } from '../core/exact-json.js';

/** The canonical names of fields and values of the product registry (§2, conventions 1 and 2). */

const fields = `
  collectionId sku description gtin origin taxRegime tax ncm cest customTax
  operationCode issuer recipient taxProfile state intraState interState
  cfop icms icmsUfDest ipi pis pisST cofins cofinsST ii ibs cbs
  cst csosn orig modBC modBCST motDesICMS cEnq cClassTrib cBenef
  pICMS pICMSST pICMSInter pICMSUFDest pRedBC pRedBCST pMVAST pFCP pFCPST pFCPUFDest pDif pST pCredSN
  pIPI pPIS pCOFINS pIBS pCBS vICMSDeson vBCST
`;

const byLowerCase = new Map(fields.match(/\S+/g)?.map((name) => [name.toLowerCase(), name]));

/** The canonical name of a field at any depth; an unknown name only becomes camelCase. */
function canonicalField(name: string): string {
  return byLowerCase.get(name.toLowerCase()) ?? name.charAt(0).toLowerCase() + name.slice(1);
}

export const states: readonly string[] =
  'AC AL AM AP BA CE DF ES GO MA MG MS MT PA PB PE PI PR RJ RN RO RR RS SC SE SP TO EX'.split(' ');

/** The canonical form of a listed value, in any letter case; `undefined`: not on the list. */
export function canonicalValue(list: readonly string[], value: string): string | undefined {
  const lower = value.toLowerCase();
  return list.find((name) => name.toLowerCase() === lower);
}

/** The same fields, with the value of each named enumeration in its canonical form at any depth (§2, convention 2). */
export function withCanonicalWords(
  fields: Readonly<Record<string, unknown>>,
  words: Readonly<Record<string, readonly string[]>>,
): Readonly<Record<string, unknown>> {
  const canonical = (name: string, value: unknown): unknown => {
    if (isRecord(value)) return withCanonicalWords(value, words);
    const list = words[name];
    return list === undefined || typeof value !== 'string' ? value : (canonicalValue(list, value) ?? value);
  };
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, canonical(name, value)]));
}

/**
 * The same JSON with canonical field names at every depth and without null fields (§2, conventions 1 and 4).
 * Of two spellings of one name the later wins.
 */
export function withCanonicalNames(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((element) => withCanonicalNames(element));
  if (typeof value !== 'object' || value === null || isExactNumber(value)) return value;
  const fields: [string, unknown][] = [];
  for (const [name, field] of Object.entries(value)) {
    if (field === null) continue;
    fields.push([canonicalField(name), withCanonicalNames(field)]);
  }
  // `fromEntries` defines own fields, so that a field called `__proto__` stays a field.
  return Object.fromEntries(fields);
}

export function join(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

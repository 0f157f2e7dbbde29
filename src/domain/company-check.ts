import { type CompanyTaxRegime, companyTaxRegimes } from '../contract/company.js';
import type { Text } from '../contract/text.js';
import { fields, type InvoiceFinding, oneOf, text, type Rule } from './invoice-rules.js';
import { stateNames } from './address.js';
import { joinField } from './json-numbers.js';
import { fieldOf, isRecord } from './record.js';
import type { BodyForms } from './request-body.js';
import { checkCnpj, readTaxNumber } from './tax-number.js';

type JsonObject = Readonly<Record<string, unknown>>;

/** The fields of a body: `true` for a plain value. */
interface FieldTree {
  readonly [name: string]: true | FieldTree;
}

/** The closed body of create and update (published). */
const bodyFields: FieldTree = {
  name: true,
  tradeName: true,
  federalTaxNumber: true,
  municipalTaxNumber: true,
  taxRegime: true,
  accountId: true,
  address: {
    state: true,
    city: { code: true, name: true },
    district: true,
    street: true,
    number: true,
    postalCode: true,
    country: true,
    additionalInformation: true,
  },
};

/** What only the service sets; a request that contains it is refused (published). */
const setByService: readonly string[] = ['id', 'status', 'stateTaxes', 'municipalTaxes', 'createdOn', 'modifiedOn'];

/** The part of a company that a request carries. Leaves out null, which means absent, unless it says what to remove. */
export function companyBody(company: JsonObject, tree: FieldTree = bodyFields, keepsNull = false): JsonObject {
  const kept = Object.entries(company).flatMap(([name, value]) => {
    const inner = Object.hasOwn(tree, name) ? tree[name] : undefined;
    if (inner === undefined || (value === null && !keepsNull)) return [];
    return [[name, inner !== true && isRecord(value) ? companyBody(value, inner, keepsNull) : value]];
  });
  return Object.fromEntries(kept);
}

/** The problems of what a person wrote and no request carries, unless the service shows the same. */
export function fieldsNotTaken(
  written: JsonObject,
  standing: JsonObject,
  { tree = bodyFields, path = '' }: { readonly tree?: FieldTree; readonly path?: string } = {},
): readonly InvoiceFinding[] {
  return Object.entries(written).flatMap(([name, value]) => {
    const field = joinField(path, name);
    const inner = Object.hasOwn(tree, name) ? tree[name] : undefined;
    const before = fieldOf(standing, name);
    if (inner === undefined) {
      const isShown = JSON.stringify(value ?? null) === JSON.stringify(before ?? null);
      return isShown ? [] : [{ field, message: setByService.includes(field) ? serviceOnly : unknownField }];
    }
    if (inner === true || !isRecord(value)) return [];
    return fieldsNotTaken(value, isRecord(before) ? before : {}, { tree: inner, path: field });
  });
}

/** The words of the product registry, and short ones of accountants. */
const otherWords: readonly (readonly [word: string, regime: CompanyTaxRegime])[] = [
  ['RealProfit', 'LucroReal'],
  ['PresumedProfit', 'LucroPresumido'],
  // As one published description spells it.
  ['PresumidProfile', 'LucroPresumido'],
  ['NationalSimple', 'SimplesNacional'],
  ['Simples', 'SimplesNacional'],
  ['NationalSimpleSublimitExceeded', 'SimplesNacionalExcessoSublimite'],
  ['IndividualMicroEnterprise', 'MicroempreendedorIndividual'],
  ['MEI', 'MicroempreendedorIndividual'],
  ['Exempt', 'Isento'],
];

/**
 * The tax regime of a company (published) that a word means: its own name in any spelling (`lucro real`), or the name
 * of the product registry. Any other word is returned unchanged.
 */
export function companyTaxRegime(word: string): string {
  const plain = lettersOf(word);
  const own = companyTaxRegimes.find((name) => lettersOf(name) === plain);
  return own ?? otherWords.find(([other]) => lettersOf(other) === plain)?.[1] ?? word;
}

/** Without case, accents, spaces and hyphens. */
function lettersOf(word: string): string {
  const plain = word.normalize('NFD').replaceAll(/\p{M}/gu, '');
  return plain.replaceAll(/[\s_-]/g, '').toLowerCase();
}

/** How a body carries a CNPJ: as the published integer, or as text. */
export type TaxNumberForm = BodyForms['taxNumbers'];

/** The CNPJ as a body carries it. One with letters stays text: `checkCompany` reports it where an integer is due. */
export function cnpjToSend(value: unknown, form: TaxNumberForm): unknown {
  const cnpj = typeof value === 'string' ? checkCnpj(value).value : readTaxNumber(value);
  if (cnpj === undefined) return value;
  return form === 'integer' && /^\d{14}$/.test(cnpj) ? Number(cnpj) : cnpj;
}

/**
 * Checks the body of a company before it is sent: required fields, the check digits of the CNPJ, the tax regime
 * (published). Returns the problems; an empty list: the body is valid.
 */
export function checkCompany(company: unknown, form: TaxNumberForm): readonly InvoiceFinding[] {
  return rule(form)(company, '');
}

function cnpj(form: TaxNumberForm): Rule {
  return (value, field) => {
    const text = typeof value === 'number' ? readTaxNumber(value) : value;
    if (typeof text !== 'string') return [{ field, message: mustBeCnpj }];
    const check = checkCnpj(text);
    const problem = check.issues[0]?.message;
    if (problem !== undefined) return [{ field, message: problem }];
    return form === 'integer' && !/^\d+$/.test(check.value) ? [{ field, message: lettersInInteger }] : [];
  };
}

const mustBeCnpj: Text = { en: 'must be a CNPJ', pt: 'deve ser um CNPJ' };
const lettersInInteger: Text = {
  en: 'has letters, and the published body of a company takes the CNPJ as an integer, which cannot carry them yet; if your service takes text: fiscal config set sends.taxNumbers text',
  pt: 'tem letras, e o corpo publicado de uma empresa leva o CNPJ como número inteiro, que ainda não as comporta; se o seu serviço aceita texto: fiscal config set sends.taxNumbers text',
};
const serviceOnly: Text = { en: 'is set by the service: leave it out', pt: 'é definido pelo serviço: não informe' };
const unknownField: Text = {
  en: 'is not a field of a company: leave it out',
  pt: 'não é um campo de empresa: não informe',
};
const aCep = { en: 'must be a CEP of 8 digits', pt: 'deve ser um CEP de 8 dígitos' };
const anIbgeCode = { en: 'must be the IBGE code, 7 digits', pt: 'deve ser o código IBGE, 7 dígitos' };

function rule(form: TaxNumberForm): Rule {
  return fields({
    required: {
      name: text(115),
      federalTaxNumber: cnpj(form),
      taxRegime: oneOf(companyTaxRegimes),
      address: fields({
        required: {
          state: oneOf(stateNames),
          city: fields({ required: { code: text(7, { pattern: /^\d{7}$/, is: anIbgeCode }), name: text(60) } }),
          district: text(60),
          street: text(125),
          number: text(10),
          postalCode: text(9, { pattern: /^\d{5}-?\d{3}$/, is: aCep }),
          country: text(3),
        },
        optional: { additionalInformation: text(60) },
      }),
    },
    optional: { tradeName: text(60), accountId: text(255), municipalTaxNumber: text(255) },
  });
}

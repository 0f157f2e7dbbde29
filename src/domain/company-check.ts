import { fields, oneOf, text, type InvoiceFinding, type Rule } from './invoice-rules.js';
import { stateNames } from './address.js';
import { checkCnpj } from './tax-number.js';
import { taxRegimes } from '../contract/product.js';

/**
 * Checks the body of a company before it is sent: required fields, the check digits of the CNPJ, the names of facts
 * §9 (lengths published). Returns the problems; an empty list: the body is valid.
 */
export function checkCompany(company: unknown): readonly InvoiceFinding[] {
  return rule(company, '');
}

const cnpj: Rule = (value, field) => {
  const problem = typeof value === 'string' ? checkCnpj(value).issues[0]?.message : mustBeText;
  return problem === undefined ? [] : [{ field, message: problem }];
};

const mustBeText = { en: 'must be a CNPJ as text', pt: 'deve ser um CNPJ como texto' };
const aCep = { en: 'must be a CEP of 8 digits', pt: 'deve ser um CEP de 8 dígitos' };
const anIbgeCode = { en: 'must be the IBGE code, 7 digits', pt: 'deve ser o código IBGE, 7 dígitos' };

const rule = fields({
  required: { name: text(115), federalTaxNumber: cnpj },
  optional: {
    tradeName: text(60),
    taxRegime: oneOf(taxRegimes),
    address: fields({
      optional: {
        state: oneOf(stateNames),
        city: fields({
          optional: { code: text(7, { pattern: /^\d{7}$/, is: anIbgeCode }), name: text(60) },
        }),
        district: text(60),
        street: text(125),
        number: text(10),
        postalCode: text(9, { pattern: /^\d{5}-?\d{3}$/, is: aCep }),
        country: text(3),
      },
    }),
  },
});

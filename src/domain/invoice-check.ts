import type { Text } from '../contract/text.js';
import { isNumber } from './json-numbers.js';
import { isRecord } from './record.js';
import {
  all,
  cpf,
  decimal,
  entries,
  fields,
  isGiven,
  isRequired,
  money,
  oneOf,
  taxNumber,
  text,
  whole,
  type InvoiceFinding,
  type Rule,
} from './invoice-rules.js';
import { stateNames } from './address.js';

/** `general`: the short form of the service document (§4), which names no model. */
export type CheckedModel = 'general' | 'nfe' | 'nfce' | 'nfse';

const MAX_ITEMS = 990;
const MAX_FINDINGS = 50;

/**
 * Checks the body of an invoice by the rules that the service is expected to have: formats, CPF and CNPJ, empty
 * lists, negative amounts, decimals (§4 and the layouts; which fields are required is assumed). Sums are left to the
 * service.
 */
export function checkInvoice(model: CheckedModel, body: unknown): readonly InvoiceFinding[] {
  return rules[model](body, '').slice(0, MAX_FINDINGS);
}

const digits = (pattern: RegExp, is: Text) => ({ pattern, is });

const address = fields({
  optional: {
    state: oneOf(stateNames),
    postalCode: text(
      9,
      digits(/^\d{5}-?\d{3}$/, { en: 'must be a CEP of 8 digits', pt: 'deve ser um CEP de 8 dígitos' }),
    ),
    country: text(60),
    city: fields({
      optional: {
        code: text(
          7,
          digits(/^\d{7}$/, { en: 'must be the IBGE code, 7 digits', pt: 'deve ser o código IBGE, 7 dígitos' }),
        ),
        name: text(60),
      },
    }),
  },
});

const email = { pattern: /^[^\s@]+@[^\s@]+$/, is: { en: 'must be an e-mail address', pt: 'deve ser um e-mail' } };
const externalId = text(100, {
  pattern: /^[^\p{Cc}]*$/u,
  is: { en: 'may not contain control characters', pt: 'não pode conter caracteres de controle' },
});
const environment = oneOf(['Production', 'Test']);

const general = fields({
  required: {
    cliente: fields({ required: { nome: text(60) }, optional: { cpf, cnpj: taxNumber } }),
    itens: entries(
      MAX_ITEMS,
      fields({ required: { descricao: text(120), quantidade: decimal(4, 'above zero'), valorUnitario: money } }),
    ),
  },
});

/** Quantities have four decimals, unit prices ten, amounts two (`qCom`, `vUnCom`, `vProd` of the layout). */
const item = fields({
  required: { description: text(120), quantity: decimal(4, 'above zero'), unitAmount: decimal(10) },
  optional: {
    code: text(60),
    codeGTIN: text(14),
    ncm: text(8, digits(/^\d{2}(?:\d{6})?$/, { en: 'must be an NCM of 8 digits', pt: 'deve ser um NCM de 8 dígitos' })),
    cest: text(7, digits(/^\d{7}$/, { en: 'must be a CEST of 7 digits', pt: 'deve ser um CEST de 7 dígitos' })),
    cfop,
    unit: text(6),
    totalAmount: money,
    discountAmount: money,
    freightAmount: money,
    insuranceAmount: money,
    othersAmount: money,
    tax: fields({}),
    taxDetermination: fields({ optional: { operationCode: whole(0, 999) } }),
  },
});

const buyer = fields({
  optional: { name: text(60), federalTaxNumber: taxNumber, email: text(60, email), stateTaxNumber: text(14), address },
});

const merchandise = {
  required: { items: entries(MAX_ITEMS, item) },
  optional: {
    externalId,
    serie: whole(0, 969),
    number: whole(1, 999_999_999),
    operationNature: text(60),
    operationType: oneOf(['Outgoing', 'Incoming']),
    environment,
    buyer,
    payment: entries(
      100,
      fields({ optional: { paymentDetail: entries(100, fields({ optional: { amount: money } })), payBack: money } }),
    ),
  },
};

const service = fields({
  required: { description: text(2_000), servicesAmount: decimal(2, 'above zero') },
  optional: {
    externalId,
    environment,
    rpsSerialNumber: text(5),
    rpsNumber: whole(1, 999_999_999_999_999),
    cityServiceCode: text(20),
    federalServiceCode: text(10),
    cnaeCode: text(9),
    nbsCode: text(11),
    issRate: decimal(4),
    borrower: fields({ optional: { name: text(300), federalTaxNumber: taxNumber, email: text(80, email), address } }),
  },
});

const rules: Readonly<Record<CheckedModel, Rule>> = {
  general,
  nfe: all(fields({ ...merchandise, required: { ...merchandise.required, buyer } }), knownBuyer),
  nfce: fields(merchandise),
  nfse: all(service, amounts, serviceCode),
};

function cfop(value: unknown, field: string): readonly InvoiceFinding[] {
  const isWritten = typeof value === 'string' || isNumber(value);
  if (isWritten && /^[1-7]\d{3}$/.test(String(value))) return [];
  return [{ field, message: { en: 'must be a CFOP of 4 digits', pt: 'deve ser um CFOP de 4 dígitos' } }];
}

/** A buyer abroad has neither CPF nor CNPJ. */
function knownBuyer(body: unknown): readonly InvoiceFinding[] {
  const given = isRecord(body) ? body['buyer'] : undefined;
  if (!isRecord(given) || isGiven(given['federalTaxNumber'])) return [];
  const country = isRecord(given['address']) ? given['address']['country'] : undefined;
  const isAbroad = typeof country === 'string' && !/^(?:bra|brasil|br)$/i.test(country);
  return isAbroad ? [] : [{ field: 'buyer.federalTaxNumber', message: isRequired }];
}

/** The other amounts of the municipal layouts have two decimals, whatever comes before `Amount` in their name. */
function amounts(body: unknown): readonly InvoiceFinding[] {
  if (!isRecord(body)) return [];
  return Object.entries(body).flatMap(([name, value]) =>
    name !== 'servicesAmount' && name.endsWith('Amount') && isGiven(value) ? money(value, name) : [],
  );
}

/** The national layout has a federal service code, a municipal layout has its own code. */
function serviceCode(body: unknown): readonly InvoiceFinding[] {
  if (!isRecord(body) || isGiven(body['cityServiceCode']) || isGiven(body['federalServiceCode'])) return [];
  const message = {
    en: 'is required unless federalServiceCode is given',
    pt: 'é obrigatório, a menos que haja federalServiceCode',
  };
  return [{ field: 'cityServiceCode', message }];
}

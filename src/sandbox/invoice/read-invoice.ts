import {
  type Report,
  all,
  cpf,
  decimal,
  list,
  money,
  object,
  oneOf,
  readBody,
  taxNumber,
  text,
  whole,
} from '../core/checks.js';
import { centsOf, centsText, product, readDecimal } from '../core/decimal.js';
import { isRecord } from '../core/exact-json.js';
import type { Fields } from '../core/records.js';
import { Refusal } from '../core/refusal.js';
import { states } from '../product/vocabulary.js';

const mostItems = 990;
const generalItem = object({
  required: { descricao: text(120), quantidade: decimal({ decimals: 4, isPositive: true }), valorUnitario: money },
});
const generalCheck = object({
  required: {
    cliente: object({ required: { nome: text(60) }, optional: { cpf, cnpj: taxNumber } }),
    itens: list(mostItems, generalItem),
  },
});

export interface ReadInvoice {
  readonly content: Fields;
  readonly totalAmount: string;
}

/** Reads the body of `POST /v2/nota-fiscal` (§4); required fields and lengths are assumed. */
export function readGeneral(body: unknown): ReadInvoice {
  const content = readBody(body, generalCheck, 'invoice');
  const cents = itemsOf(content, 'itens').reduce((sum, each) => {
    const [quantity, price] = [readDecimal(each['quantidade']), readDecimal(each['valorUnitario'])];
    return quantity === undefined || price === undefined ? sum : sum + centsOf(product(quantity, price));
  }, 0n);
  return { content, totalAmount: centsText(cents) };
}

export function itemsOf(content: Fields, name: string): readonly Fields[] {
  const items = content[name];
  return Array.isArray(items) ? items : [];
}

/** Quantity times unit amount, in hundredths. */
function itemCents(item: Fields): bigint {
  const [quantity, price] = [readDecimal(item['quantity']), readDecimal(item['unitAmount'])];
  return quantity === undefined || price === undefined ? 0n : centsOf(product(quantity, price));
}

/** The amount of an item, in hundredths: the total that was sent, because the authority allows a cent of rounding. */
export function goodsCents(item: Fields): bigint {
  const total = readDecimal(item['totalAmount']);
  return total === undefined ? itemCents(item) : centsOf(total);
}

export const environments = ['Production', 'Test'] as const;
const plain = /^[^\u0000-\u001f\u007f]*$/;

/** Limits of the layout: quantities four decimals, prices ten, amounts two (`qCom`, `vUnCom`, `vProd`). */
const item = object({
  required: {
    description: text(120),
    quantity: decimal({ decimals: 4, isPositive: true }),
    unitAmount: decimal({ decimals: 10 }),
  },
  optional: {
    code: text(60),
    codeGTIN: text(14),
    ncm: text(8, /^\d{2}(\d{6})?$/),
    cest: text(7, /^\d{7}$/),
    cfop,
    unit: text(6),
    totalAmount: money,
    discountAmount: money,
    freightAmount: money,
    insuranceAmount: money,
    othersAmount: money,
    tax: object({}),
    taxDetermination: object({ required: { operationCode: whole(1, 9_999) } }),
  },
});

const address = object({
  optional: {
    state: oneOf(states),
    postalCode: text(9, /^\d{5}-?\d{3}$/),
    country: text(60),
    city: object({ optional: { code: text(7, /^\d{7}$/), name: text(60) } }),
  },
});

const buyer = object({
  optional: {
    name: text(60),
    federalTaxNumber: taxNumber,
    email: text(60, /^[^\s@]+@[^\s@]+$/),
    stateTaxNumber: text(14),
    address,
  },
});

const payment = list(
  100,
  object({ optional: { paymentDetail: list(100, object({ optional: { amount: money } })), payBack: money } }),
);

const body = {
  required: { items: list(mostItems, item) },
  optional: {
    externalId: text(100, plain),
    serie: whole(0, 969),
    number: whole(1, 999_999_999),
    operationNature: text(60),
    operationType: oneOf(['Outgoing', 'Incoming']),
    environment: oneOf(environments),
    buyer,
    payment,
  },
};

const checks = {
  // The layout of model 55 requires a recipient; that of model 65 does not.
  nfe: all(object({ ...body, required: { ...body.required, buyer } }), knownBuyer),
  nfce: object(body),
};

/**
 * Reads the body of an NF-e or NFC-e (public; which fields are required is assumed). Throws 400 for its format, 422
 * for its sums.
 */
export function readMerchandise(given: unknown, kind: 'nfe' | 'nfce'): ReadInvoice {
  const content = readBody(given, checks[kind], 'invoice');
  const cents = itemsOf(content, 'items').map((each, index) => {
    const exact = itemCents(each);
    const total = optionalCents(each, 'totalAmount') ?? exact;
    if (total - exact > 1n || exact - total > 1n) throw wrongTotal(index);
    return total + sumOf(each, additions) - sumOf(each, ['discountAmount']);
  });
  const sum = cents.reduce((total, each) => total + each, 0n);
  if (sum < 0n) throw unfit('items', 'The discounts exceed the amount of the goods.');
  return { content, totalAmount: centsText(sum) };
}

const additions = ['freightAmount', 'insuranceAmount', 'othersAmount'];

function optionalCents(item: Fields, name: string): bigint | undefined {
  const amount = readDecimal(item[name]);
  return amount && centsOf(amount);
}

function sumOf(item: Fields, names: readonly string[]): bigint {
  return names.reduce((sum, name) => sum + (optionalCents(item, name) ?? 0n), 0n);
}

/** The authority allows a cent of rounding (rule 629 of the layout). */
function wrongTotal(index: number): Refusal {
  return unfit(`items[${index}].totalAmount`, 'Does not equal quantity times unit amount.');
}

function unfit(field: string, message: string): Refusal {
  return new Refusal('semantic_error', 'The invoice cannot be issued.', { details: [{ field, message }] });
}

function cfop(value: unknown, path: string, report: Report): void {
  if (!/^[1-7]\d{3}$/.test(String(value))) report.push({ field: path, message: 'Must be a CFOP of four digits.' });
}

/** A buyer abroad has neither CPF nor CNPJ. */
function knownBuyer(value: unknown, _path: string, report: Report): void {
  const given = isRecord(value) ? value['buyer'] : undefined;
  if (!isRecord(given)) return;
  const address = isRecord(given['address']) ? given['address'] : {};
  const isAbroad = typeof address['country'] === 'string' && !/^(bra|brasil|br)$/i.test(address['country']);
  const isUnknown = given['federalTaxNumber'] === undefined || given['federalTaxNumber'] === null;
  if (isUnknown && !isAbroad) report.push({ field: 'buyer.federalTaxNumber', message: 'Is required.' });
}

const rate = decimal({ decimals: 4 });

const borrower = object({
  optional: { name: text(300), federalTaxNumber: taxNumber, email: text(80, /^[^\s@]+@[^\s@]+$/), address },
});

const fields = object({
  required: { description: text(2_000), servicesAmount: decimal({ decimals: 2, isPositive: true }) },
  optional: {
    externalId: text(100, plain),
    environment: oneOf(environments),
    rpsSerialNumber: text(5),
    rpsNumber: whole(1, 999_999_999_999_999),
    cityServiceCode: text(20),
    federalServiceCode: text(10, /^[\d.]+$/),
    cnaeCode: text(9, /^[\d./-]+$/),
    nbsCode: text(11, /^[\d.]+$/),
    issRate: rate,
    borrower,
  },
});

/** The other amounts of the municipal layouts have two decimals, whatever comes before `Amount` in their name. */
function amounts(value: unknown, _path: string, report: Report): void {
  if (!isRecord(value)) return;
  for (const [name, each] of Object.entries(value)) {
    if (name !== 'servicesAmount' && name.endsWith('Amount') && each !== null) money(each, name, report);
  }
}

/** The national layout has a federal service code, a municipal layout has its own code. */
function serviceCode(value: unknown, _path: string, report: Report): void {
  const isThere = (name: string) => isRecord(value) && value[name] !== undefined && value[name] !== null;
  if (isThere('cityServiceCode') || isThere('federalServiceCode')) return;
  report.push({ field: 'cityServiceCode', message: 'Is required unless federalServiceCode is given.' });
}

const serviceCheck = all(fields, amounts, serviceCode);

/**
 * Reads the body of an NFS-e (public; which fields are required is assumed). Other fields of the layouts pass
 * unchanged.
 */
export function readService(body: unknown): ReadInvoice {
  const content = readBody(body, serviceCheck, 'invoice');
  const amount = readDecimal(content['servicesAmount']);
  return { content, totalAmount: centsText(amount === undefined ? 0n : centsOf(amount)) };
}

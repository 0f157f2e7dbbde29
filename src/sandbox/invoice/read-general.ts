import { centsOf, centsText, product, readDecimal } from './decimal.js';
import { decimal, type Fields, list, money, object, readBody, text } from './checks.js';
import { cpf, taxNumber } from './tax-number.js';

const mostItems = 990;
const item = object({
  required: {
    descricao: text(120),
    quantidade: decimal({ decimals: 4, isPositive: true }),
    valorUnitario: money,
  },
});
const check = object({
  required: {
    cliente: object({ required: { nome: text(60) }, optional: { cpf, cnpj: taxNumber } }),
    itens: list(mostItems, item),
  },
});

export interface ReadInvoice {
  readonly content: Fields;
  readonly totalAmount: string;
}

/** The body of `POST /v2/nota-fiscal` (§4); which fields are required and how long they are is assumed. */
export function readGeneral(body: unknown): ReadInvoice {
  const content = readBody(body, check);
  const cents = itemsOf(content, 'itens').reduce((sum, each) => {
    const [quantity, price] = [readDecimal(each['quantidade']), readDecimal(each['valorUnitario'])];
    return quantity === undefined || price === undefined ? sum : sum + centsOf(product(quantity, price));
  }, 0n);
  return { content, totalAmount: centsText(cents) };
}

/** The items of a checked body. */
export function itemsOf(content: Fields, name: string): readonly Fields[] {
  const items = content[name];
  return Array.isArray(items) ? items : [];
}

/** Quantity times unit amount of a checked item, in hundredths. */
export function itemCents(item: Fields): bigint {
  const [quantity, price] = [readDecimal(item['quantity']), readDecimal(item['unitAmount'])];
  return quantity === undefined || price === undefined ? 0n : centsOf(product(quantity, price));
}

/** What the item is worth: the total that was sent, for the authority allows a cent of rounding. */
export function goodsCents(item: Fields): bigint {
  const total = readDecimal(item['totalAmount']);
  return total === undefined ? itemCents(item) : centsOf(total);
}

import type { ApiErrorDetail } from '../../contract/error-body.js';
import { states } from '../product/vocabulary.js';
import { isRecord } from '../product/read-product.js';
import { all, decimal, money, object, oneOf, readBody, text, whole } from './checks.js';
import { centsOf, centsText, readDecimal } from './decimal.js';
import type { ReadInvoice } from './read-general.js';
import { environments } from './read-merchandise.js';
import { taxNumber } from './tax-number.js';

const plain = /^[^\u0000-\u001f\u007f]*$/;
const rate = decimal({ decimals: 4 });

const borrower = object({
  optional: {
    name: text(300),
    federalTaxNumber: taxNumber,
    email: text(80, /^[^\s@]+@[^\s@]+$/),
    address: object({
      optional: {
        state: oneOf(states),
        postalCode: text(9, /^\d{5}-?\d{3}$/),
        country: text(60),
        city: object({ optional: { code: text(7, /^\d{7}$/), name: text(60) } }),
      },
    }),
  },
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

/** Every other amount of the layouts of towns has two decimals, whatever its name before `Amount` is. */
function amounts(value: unknown, _path: string, report: ApiErrorDetail[]): void {
  if (!isRecord(value)) return;
  for (const [name, each] of Object.entries(value)) {
    if (name !== 'servicesAmount' && name.endsWith('Amount') && each !== null) money(each, name, report);
  }
}

/** The national layout has a code of the federation, that of a town one of its own. */
function serviceCode(value: unknown, _path: string, report: ApiErrorDetail[]): void {
  const isThere = (name: string) => isRecord(value) && value[name] !== undefined && value[name] !== null;
  if (isThere('cityServiceCode') || isThere('federalServiceCode')) return;
  report.push({ field: 'cityServiceCode', message: 'Is required, or federalServiceCode.' });
}

const check = all(fields, amounts, serviceCode);

/** The body of an NFS-e (public; which fields are required is assumed). What the layouts add passes through. */
export function readService(body: unknown): ReadInvoice {
  const content = readBody(body, check);
  const amount = readDecimal(content['servicesAmount']);
  return { content, totalAmount: centsText(amount === undefined ? 0n : centsOf(amount)) };
}

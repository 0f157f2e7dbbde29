import { isNumber } from '../domain/json-numbers.js';
import { isRecord } from '../domain/record.js';

/** `model`: the invoice model with which the name of the kind begins. `?`: not in every row. */
type Field = 'text' | 'number' | 'flag' | 'object' | 'model';
type Shape = Readonly<Record<string, Field | `${Field}?`>>;

const ofCompany = { companyId: 'text' } as const;
const ofInvoice = { ...ofCompany, invoiceId: 'text' } as const;
const ofKey = { ...ofCompany, accessKey: 'text' } as const;
const ofProduct = { tenantId: 'text', product: 'object' } as const;
const issue = { ...ofCompany, model: 'model', externalId: 'text', invoice: 'object' } as const;
const merchandise = { ...issue, stateTaxId: 'text?', environment: 'text?' } as const;
const cancel = { ...ofInvoice, model: 'model', reason: 'text?' } as const;
const disable = { ...ofCompany, model: 'model', disablement: 'object' } as const;
const lookup = { digest: 'text', number: 'text?', birthDate: 'text?', companyId: 'text?' } as const;
const counts = { hidden: 'number?', expected: 'number?' } as const;
const sweep = { ...ofCompany, ...counts, released: 'flag', wasReleased: 'flag?', plan: 'object?' } as const;
const event = { accessKey: 'text', eventCode: 'number', companyUnchecked: 'flag?' } as const;

/** What the input of an item holds, by the kind of its job: what the engine and the commands read without asking again. */
const shapes: ReadonlyMap<string, Shape> = new Map<string, Shape>(
  Object.entries({
    'product-create': ofProduct,
    'product-update': { ...ofProduct, productId: 'text', seen: 'object' },
    'manifestation nfe': { ...event, nSequencia: 'number', detail: 'object', companyId: 'text?' },
    'manifestation nfse': { ...event, ...ofCompany, reasonCode: 'number?', justification: 'text?' },
    'fetch-by-key': ofKey,
    'company-create': { company: 'object' },
    'state-tax-create': { ...ofCompany, stateTax: 'object' },
    'municipal-tax-create': { ...ofCompany, municipalTax: 'object' },
    'client-step': { step: 'text', wanted: 'object' },
    'lookup-cnpj': lookup,
    'lookup-cpf': lookup,
    'lookup-address': lookup,
    'lookup-nfe': lookup,
    'lookup-cte': lookup,
    invoice: { invoice: 'object' },
    'nfe-issue': merchandise,
    'nfce-issue': merchandise,
    'nfse-issue': issue,
    'nfe-cancel': cancel,
    'nfce-cancel': cancel,
    'nfse-cancel': cancel,
    'nfe-correct': { ...ofInvoice, reason: 'text' },
    'nfe-disable': disable,
    'nfce-disable': disable,
    'nfe-disable-invoice': { ...ofInvoice, reason: 'text' },
    'backfill-release': sweep,
    'backfill-revoke': sweep,
    'backfill-start-from': { ...ofCompany, startFromDate: 'text' },
  }),
);

/**
 * The first field of an item's input that no program has written so: it is missing, or of another type. `undefined`: none. The
 * kinds of a newer program are not known, and everything goes.
 */
export function damagedField(kind: string, input: Readonly<Record<string, unknown>>): string | undefined {
  if (kind !== 'manifestation') return fieldAgainst(shapes.get(kind) ?? {}, kind, input);
  const shape = shapes.get(`${kind} ${String(input['family'])}`);
  return shape === undefined ? 'family' : fieldAgainst(shape, kind, input);
}

function fieldAgainst(shape: Shape, kind: string, input: Readonly<Record<string, unknown>>): string | undefined {
  for (const [name, field] of Object.entries(shape)) {
    const value = input[name];
    const isAbsent = value === undefined && field.endsWith('?');
    if (!isAbsent && !isOf(field, value, kind)) return name;
  }
  return undefined;
}

function isOf(field: string, value: unknown, kind: string): boolean {
  switch (field.replace('?', '')) {
    case 'text':
      return typeof value === 'string' && (value !== '' || field.endsWith('?'));
    case 'number':
      return isNumber(value);
    case 'flag':
      return typeof value === 'boolean';
    case 'model':
      return typeof value === 'string' && value !== '' && kind.startsWith(`${value}-`);
    default:
      return isRecord(value);
  }
}

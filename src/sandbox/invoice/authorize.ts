import type { Core } from '../core/core.js';
import { makeInvoiceKey, makeKey } from '../document/make-key.js';
import { townOf } from '../document/invent-document.js';
import { authorOf } from '../manifestation/author.js';
import type { NumberSpace, StoredInvoice } from './invoices.js';
import { numberSpaceOf } from './issue-rules.js';

/** Models of the keys; the short way is taken for a consumer invoice (assumed). */
const models = { nfe: '55', nfce: '65', general: '65' } as const;

/** Gives the invoice its number and its key. */
export function authorize(core: Core, invoice: StoredInvoice, at: number): void {
  const { id, kind, content } = invoice;
  const space = numberSpaceOf(invoice);
  const given = kind === 'nfse' ? undefined : content['number'];
  const number = typeof given === 'number' ? given : nextNumber(core, space);
  const accessKey = keyOf(core, invoice, { ...space, number });
  core.invoices.change(id, {
    status: 'Issued',
    serie: space.serie,
    number,
    accessKey,
    protocol: kind === 'nfse' ? null : protocolOf(accessKey, at),
    issuedAt: at,
    modifiedAt: at,
  });
}

/** The next that is neither issued nor disabled. */
function nextNumber(core: Core, space: NumberSpace): number {
  let number = core.invoices.lastNumber(space) + 1;
  for (;;) {
    const disabled = core.disablements.overlapping(space, number, number);
    if (disabled === undefined) return number;
    number = disabled.lastNumber + 1;
  }
}

function keyOf(
  core: Core,
  { id, tenantId, companyId, kind, createdAt }: StoredInvoice,
  { serie, number }: { readonly serie: number; readonly number: number },
): string {
  const issuerTaxNumber = authorOf(core, tenantId, companyId);
  const random = String(Math.floor(core.chance.unit(`invoice:${id}`) * 1_000_000_000)).padStart(9, '0');
  const town = townOf(core, issuerTaxNumber);
  const parts = { town, issuerTaxNumber, issuedOn: createdAt, number, random };
  return kind === 'nfse' ? makeKey('nfse', parts) : makeInvoiceKey(models[kind], parts, serie);
}

/** 15 digits: the state's authority, the year, and what is left of the key. */
export function protocolOf(accessKey: string, at: number): string {
  const year = String(new Date(at).getUTCFullYear() % 100).padStart(2, '0');
  return `1${accessKey.slice(0, 2)}${year}${accessKey.slice(25, 35)}`;
}

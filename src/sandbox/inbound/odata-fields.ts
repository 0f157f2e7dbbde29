import type { Family } from '../core/captures.js';

/** What a field of a list is in SQL, and how literals are compared with it. */
export interface Field {
  readonly sql: string;
  readonly kind: 'text' | 'time' | 'number';
}

export type Fields = Readonly<Record<string, Field>>;

const text = (sql: string): Field => ({ sql, kind: 'text' });
const time = (sql: string): Field => ({ sql, kind: 'time' });
const number = (sql: string): Field => ({ sql, kind: 'number' });

const common: Fields = {
  id: text('id'),
  accessKey: text('access_key'),
  companyId: text('company_id'),
  status: text('status'),
  webhookStatus: text('webhook_status'),
  nsu: number('nsu'),
  issuedOn: time('issued_on'),
  authorizedOn: time('authorized_on'),
  createdOn: time('created_on'),
  modifiedOn: time('modified_on'),
  'issuer/federalTaxNumber': text('issuer_tax_number'),
  'issuer/name': text('issuer_name'),
};

const total = number('CAST(total_amount AS REAL)');
const ordinal = number('CAST(substr(access_key, 26, 9) AS INTEGER)');

/** The fields that a list of documents may be filtered and ordered by (assumed: those that it shows). */
export const documentFields: Readonly<Record<Family, Fields>> = {
  nfe: {
    ...common,
    type: text("CASE stage WHEN 'summary' THEN 'productInvoiceSummary' ELSE 'productInvoice' END"),
    nfeNumber: ordinal,
    totalInvoiceAmount: total,
  },
  cte: { ...common, type: text("'transportationInvoice'"), cteNumber: ordinal, totalInvoiceAmount: total },
  nfse: { ...common, type: text("'serviceInvoice'"), totalAmount: total },
};

export const eventFields: Fields = {
  accessKey: text('access_key'),
  eventKey: text('event_key'),
  companyId: text('company_id'),
  type: text('type'),
  sequence: number('sequence'),
  protocol: text('protocol'),
  nsu: number('nsu'),
  issuedOn: time('issued_on'),
  createdOn: time('created_on'),
};

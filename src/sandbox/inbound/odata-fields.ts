import type { Family } from '../core/captures.js';
import { customer } from '../document/recipient.js';

/** What a field of a list is in SQL, and how literals are compared with it. */
export interface Field {
  readonly sql: string;
  readonly kind: 'text' | 'time' | 'number';
  /** As it is shown, where that is another text than `sql` gives. */
  readonly shown?: string;
}

/** By the names that the list shows, `/` between an object and its field. A Map, for the names come from outside. */
export type Fields = ReadonlyMap<string, Field>;

type Row = readonly [name: string, field: Field];

const text = (sql: string): Field => ({ sql, kind: 'text' });
const time = (sql: string): Field => ({ sql, kind: 'time' });
const number = (sql: string, shown?: string): Field => ({
  sql,
  kind: 'number',
  ...(shown === undefined ? {} : { shown }),
});
/** A constant of ours in SQL. */
const quoted = (constant: string): string => `'${constant.replaceAll("'", "''")}'`;

const ofCompany = (column: string): string =>
  `(SELECT ${column} FROM companies WHERE companies.id = company_id)`;

/** The recipient as `recipientOf` finds it; one that is not known is not shown. */
const recipient = (stored: string, column: string, constant: string): Field =>
  text(
    `NULLIF(COALESCE(${stored}, CASE direction WHEN 'outgoing' THEN ${quoted(constant)} ELSE ${ofCompany(column)} END), '')`,
  );

const party = (name: string): readonly Row[] => [
  [`${name}/federalTaxNumber`, recipient('recipient_tax_number', 'federal_tax_number', customer.taxNumber)],
  [`${name}/name`, recipient('recipient_name', 'name', customer.name)],
];

const common: readonly Row[] = [
  ['id', text('id')],
  ['accessKey', text('access_key')],
  ['companyId', text('company_id')],
  ['company/id', text('company_id')],
  ['company/federalTaxNumber', text(ofCompany('federal_tax_number'))],
  ['company/name', text(ofCompany('name'))],
  ['status', text('status')],
  ['webhookStatus', text('webhook_status')],
  ['nsu', number('nsu')],
  ['issuedOn', time('issued_on')],
  ['authorizedOn', time('authorized_on')],
  ['createdOn', time('created_on')],
  ['modifiedOn', time('modified_on')],
  ['issuer/federalTaxNumber', text('issuer_tax_number')],
  ['issuer/name', text('issuer_name')],
];

const total = number('CAST(total_amount AS REAL)', 'total_amount');
const ordinal = number('CAST(substr(access_key, 26, 9) AS INTEGER)');
const series = number('CAST(substr(access_key, 23, 3) AS INTEGER)');
const prefix = "'/v2/companies/' || company_id || '/inbound/";
const isSummary = "stage = 'summary'";

/** The fields that a list of documents may be filtered and ordered by: those that it shows, and `id`. */
export const documentFields: Readonly<Record<Family, Fields>> = {
  nfe: new Map([
    ...common,
    ...party('buyer'),
    ['type', text(`CASE WHEN ${isSummary} THEN 'productInvoiceSummary' ELSE 'productInvoice' END`)],
    ['nfeNumber', ordinal],
    ['nfeSerialNumber', series],
    ['totalInvoiceAmount', total],
    ['operationType', text("CASE direction WHEN 'incoming' THEN 'Incoming' ELSE 'Outgoing' END")],
    ['links/xml', text(`${prefix}nfe/' || access_key || '/xml'`)],
    ['links/pdf', text(`CASE WHEN NOT ${isSummary} THEN ${prefix}nfe/' || access_key || '/pdf' END`)],
  ]),
  cte: new Map([
    ...common,
    ...party('taker'),
    ['type', text("'transportationInvoice'")],
    ['cteNumber', ordinal],
    ['cteSerialNumber', series],
    ['totalInvoiceAmount', total],
    ['links/xml', text(`${prefix}' || access_key || '/xml'`)],
  ]),
  nfse: new Map([
    ...common,
    ...party('taker'),
    ['intermediary/federalTaxNumber', text('intermediary_tax_number')],
    ['intermediary/name', text('intermediary_name')],
    ['type', text("'serviceInvoice'")],
    ['number', number('CAST(substr(access_key, 24, 13) AS INTEGER)')],
    ['totalAmount', total],
  ]),
};

export const eventFields: Fields = new Map([
  ['accessKey', text('access_key')],
  ['eventKey', text('event_key')],
  ['companyId', text('company_id')],
  ['type', text('type')],
  ['description', text('description')],
  ['sequence', number('sequence')],
  ['protocol', text('protocol')],
  ['nsu', number('nsu')],
  ['issuedOn', time('issued_on')],
  ['createdOn', time('created_on')],
]);

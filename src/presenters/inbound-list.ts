import { isRecord } from '../domain/record.js';
import { columnsView } from './generic.js';
import type { View } from './render.js';
import { valueAt } from './scalar.js';

const amounts = ['amount', 'totalInvoiceAmount', 'totalAmount', 'servicesAmount'];
const days = ['awareness.state', 'awareness.daysLeft', 'fullXml.daysLeft'];
const files = ['archive.state', 'archive.xmlKind'];
const required = ['day', 'state', ...days, 'accessKey'];

const ofOneFamily = columnsView(
  [
    ...['family', 'day', 'issuer.name', 'provider.name', ...amounts, 'state', 'status', ...days],
    ...['accessKey', 'eventKey', 'companyName', 'competence', 'issuedOn', ...files, 'webhookStatus', 'nsu'],
  ],
  { required: [...required, ...amounts] },
);

const ofSeveral = columnsView(
  [
    ...['family', 'day', 'supplier', 'amount', 'state', 'status', ...days],
    ...['accessKey', 'eventKey', 'companyName', 'competence', 'issuedOn', ...files, 'webhookStatus', 'nsu'],
  ],
  { required: [...required, 'supplier', 'amount'] },
);

/** Each family has its own fields for the supplier and the amount; of several families they share a column. */
export const inboundListView: View = (data, options) => {
  const rows = Array.isArray(data) ? data.filter(isRecord) : [];
  const families = new Set(rows.map(({ family }) => family));
  if (families.size < 2) return ofOneFamily(data, options);
  // One table for all: their types would make a table each.
  const shared = rows.map(({ type: _type, ...row }) => ({
    ...row,
    supplier: valueAt(row, 'issuer.name') ?? valueAt(row, 'provider.name'),
    amount: amounts.map((name) => row[name]).find((amount) => amount !== undefined && amount !== null),
  }));
  return ofSeveral(shared, options);
};

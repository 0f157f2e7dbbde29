import { isRecord } from '../../domain/record.js';
import { columnsView } from '../../presenters/generic.js';
import type { View } from '../../presenters/render.js';
import { valueAt } from '../../presenters/scalar.js';

/** A column, and the fields that state and municipal registrations have for it. */
const columns: Readonly<Record<string, readonly string[]>> = {
  sphere: ['kind'],
  id: ['id'],
  place: ['code', 'city.name', 'city.code'],
  taxNumber: ['taxNumber'],
  type: ['type'],
  environment: ['environmentType', 'environment'],
  serie: ['serie', 'rpsSerialNumber'],
  number: ['number', 'rpsNumber'],
  status: ['fiscalStatus', 'status'],
};

const table = columnsView(Object.keys(columns), { required: ['sphere', 'taxNumber'] });

/** State and municipal registrations in one table. */
export const registrationsView: View = Object.assign<View, View>(
  (data, options) => table(Array.isArray(data) ? data.map(rowOf) : data, options),
  table,
);

function rowOf(registration: unknown): unknown {
  if (!isRecord(registration)) return registration;
  const cells = Object.entries(columns).map(([column, fields]) => {
    const values = fields.map((field) => valueAt(registration, field));
    return [column, values.find((value) => value !== undefined && value !== null)];
  });
  return Object.fromEntries(cells);
}

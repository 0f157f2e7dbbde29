import type { Language } from '../contract/text.js';
import { dayInWords, dayOf } from '../domain/dates.js';
import { batchView } from './batch.js';
import { defaultView } from './generic.js';
import { record } from './record.js';
import type { View } from './render.js';
import { isRecord } from '../domain/record.js';
import { scalarText, valueAt } from './scalar.js';
import { tableLines } from './table.js';

/** The fields with names and states, by kind of query. */
const nameFields = ['name', 'legalEntity.name', 'issuer.name', 'addresses', 'address', 'nameSender'];
const statusFields = ['status', 'legalEntity.status', 'currentStatus'];

const answers = record('line label name status source');

/** Several queries: a line per answer, then failures and counts. One query: field by field. */
export const lookupView: View = (data, options) => {
  const records = Array.isArray(data) ? data.filter(isRecord) : [];
  if (!records.some(({ type }) => type === 'summary')) return defaultView(data, options);
  const answered = records.filter(({ answer }) => isRecord(answer));
  const cell = (row: Readonly<Record<string, unknown>>, fields: readonly string[]): string => {
    const found = fields.map((field) => valueAt(row, `answer.${field}`)).find((value) => value !== undefined);
    if (Array.isArray(found)) return placeOf(found[0]);
    return isRecord(found) ? placeOf(found) : scalarText(found);
  };
  const columns = [
    { title: 'line', cells: answered.map(({ line }) => scalarText(line)) },
    { title: 'label', cells: answered.map(({ label }) => scalarText(label)), isWhole: true },
    { title: 'name', cells: answered.map((row) => cell(row, nameFields)) },
    { title: 'status', cells: answered.map((row) => cell(row, statusFields)) },
    { title: 'source', cells: answered.map((row) => sourceOf(row, options.language)) },
  ];
  const used = columns.filter(({ cells }) => cells.some((text) => text !== ''));
  const table = answered.length === 0 ? [] : [...tableLines(used, options, { record: answers }), ''];
  return [...table, ...batchView(data, options)];
};

/** A cached answer shows its date; the data contain the time. */
function sourceOf({ source, fetchedAt }: Readonly<Record<string, unknown>>, language: Language): string {
  const name = scalarText(source);
  if (name !== 'cache') return name;
  return `${name} ${dayInWords(dayOf(scalarText(fetchedAt)) ?? '')[language]}`;
}

function placeOf(address: unknown): string {
  if (!isRecord(address)) return '';
  const parts = ['street', 'district', 'city.name', 'state'].map((field) => scalarText(valueAt(address, field)));
  return parts.filter((part) => part !== '').join(', ');
}

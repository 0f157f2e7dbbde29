import type { StoredFault } from '../core/rules.js';
import type { ListFaultKind } from '../../contract/sandbox.js';

type Body = Readonly<Record<string, unknown>>;

const rowFields = [
  ...['value', 'documents', 'companies', 'items', 'notifications', 'stateTaxes', 'municipalTaxes'],
  ...['serviceInvoices', 'productInvoices', 'consumerInvoices', 'events'],
];
const moreFields = ['@odata.nextLink', 'hasMore', 'totalPages'];
const totalFields = ['@odata.count', 'totalResults', 'totalCount'];

/** A list as a fault gives it. `keep` remembers the rows of the page before. A body without a list does not change. */
export function unkindList(
  fault: StoredFault & { readonly kind: ListFaultKind },
  body: unknown,
  keep: (rows: readonly unknown[]) => void,
): unknown {
  if (typeof body !== 'object' || body === null) return body;
  const list = { ...body } as Body;
  const field = rowFields.find((name) => Array.isArray(list[name]));
  const rows = field === undefined ? undefined : list[field];
  if (field === undefined || !Array.isArray(rows)) return body;
  const withRows = (given: readonly unknown[] | null): Body => ({ ...list, [field]: given });
  switch (fault.kind) {
    case 'cut-list':
      return without(withRows(rows.slice(0, Math.floor(rows.length / 2))), moreFields);
    case 'list-row-twice':
      return rows.length < 2 ? body : withRows([rows[0], rows[0], ...rows.slice(2)]);
    case 'list-row-missing':
      return withRows(rows.slice(1));
    case 'list-page-again':
      if (fault.rows !== undefined) return withRows(fault.rows);
      keep(rows);
      return body;
    case 'list-total-of-page':
      return withTotals(list, () => rows.length);
    case 'list-total-wrong':
      return withTotals(list, (total) => total + 1);
    case 'list-rows-move':
      return withTotals(withRows(rows.slice(1)), (total) => total - 1);
    case 'list-no-total':
      return without(list, [...totalFields, 'totalPages']);
    case 'list-null':
      return withRows(null);
  }
}

function without(list: Body, names: readonly string[]): Body {
  return Object.fromEntries(Object.entries(list).filter(([name]) => !names.includes(name)));
}

/** Only the totals that the list has. */
function withTotals(list: Body, change: (total: number) => number): Body {
  const changed = Object.entries(list).map(([name, value]) =>
    totalFields.includes(name) && typeof value === 'number'
      ? [name, Math.max(0, change(value))]
      : [name, value],
  );
  return Object.fromEntries(changed);
}

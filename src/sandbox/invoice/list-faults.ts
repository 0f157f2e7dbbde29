import type { Core } from '../core/core.js';
import type { InvoiceFilter, StoredInvoice } from './invoices.js';

/** The order of the lists of issued invoices: no order is published. */
export function orderOf({ behaviour }: Core): 'created' | 'changed' {
  return behaviour.pageFaults().byChange ? 'changed' : 'created';
}

/** Before a page that is not the first, the last invoice of the list changes, if that is configured. */
export function changeLast(core: Core, filter: InvoiceFilter): void {
  const { behaviour, clock, invoicePages, invoices } = core;
  if (!behaviour.pageFaults().stirred) return;
  const [last] = invoicePages.page(filter, Math.max(0, invoicePages.count(filter) - 1), 1);
  const [first] = invoicePages.page({ ...filter, order: 'changed' }, 0, 1);
  if (last === undefined || first === undefined) return;
  invoices.change(last.id, { modifiedAt: Math.max(clock.now(), first.modifiedAt + 1) });
}

interface GivenPage {
  readonly rows: readonly StoredInvoice[];
  /** The last row of the page before it. */
  readonly rowBefore: StoredInvoice | undefined;
}

/** The rows as a page gives them: with a row twice, in reverse order, or from the beginning of a list without an end. */
export function faultyRows(
  { behaviour, invoicePages }: Core,
  { rows, rowBefore }: GivenPage,
  { filter, limit }: { readonly filter: InvoiceFilter; readonly limit: number },
): readonly StoredInvoice[] {
  const { doubled, reordered } = behaviour.pageFaults();
  const hostility = behaviour.listHostility();
  const isFirstAgain = hostility === 'self-link' || (hostility === 'endless-list' && rows.length === 0);
  const shown = isFirstAgain ? invoicePages.page(filter, 0, limit) : rows;
  const all = doubled && rowBefore !== undefined ? [rowBefore, ...shown] : shown;
  return reordered ? all.toReversed() : all;
}

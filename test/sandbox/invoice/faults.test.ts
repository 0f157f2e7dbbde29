import { beforeEach, describe, expect, it } from 'vitest';
import { testService } from '../../conformance/service.js';
import {
  consumerInvoicesPath,
  general,
  generalPath,
  merchandise,
  productInvoicesPath,
  services,
  serviceInvoicesPath,
} from '../../facts/invoice.js';

const service = testService();
const company = () => service.ready().companyId;

const issues = [
  ['invoice.create', () => generalPath, general],
  ['nfe.issue', () => productInvoicesPath(company()), merchandise],
  ['nfce.issue', () => consumerInvoicesPath(company()), merchandise],
  ['nfse.issue', () => serviceInvoicesPath(company()), services],
] as const;

/** Whether an invoice exists after the fault. */
const faults = [
  ['429', 0],
  ['503', 0],
  ['500', 0],
  ['cut-before', 0],
  ['500-after', 1],
  ['cut-after', 1],
  ['cut-body', 1],
  ['broken-json', 1],
] as const;

async function countOfInvoices(): Promise<number> {
  const { invoices } = await service.control('GET', 'outcomes');
  return Object.values<number>(invoices).reduce((sum, count) => sum + count, 0);
}

beforeEach(() => service.control('POST', 'reset'));

describe.each(issues)('%s under a fault', (operation, path, body) => {
  it.each(faults)('%s leaves %i invoices, as the ledger says', async (kind, expected) => {
    await service.control('POST', 'faults', { operation, kind, count: 1 });
    // A broken connection is what some of them are for.
    await service.send('POST', path(), { body }).catch(() => undefined);
    const { entries } = await service.control('GET', `ledger?operation=${operation}`);
    const effects = entries.filter(({ effect }: { effect: object | null }) => effect !== null);
    expect([await countOfInvoices(), effects.length, entries[0].fault]).toEqual([expected, expected, kind]);
  });
});

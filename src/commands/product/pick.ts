import type { Text } from '../../contract/text.js';
import { isRecord } from '../../domain/record.js';
import type { Picker } from '../../services/pick.js';
import { PRODUCT } from './known-products.js';

const question: Text = { en: 'Product', pt: 'Produto' };

/** Older ones are named by their id or SKU. */
const MOST = 1_000;

/** A product that this machine knows, the newest first: the service has no list of them. Its word is the SKU, or the id where two have the same. */
export const picker: Picker = async ({ scope, settings, store }, io, { lines: linesOf }) => {
  const tenant = await (await scope()).tenant();
  if (tenant === undefined) return undefined;
  const { storeNamespace: profile } = await settings();
  const { known } = await store();
  const products = await known.list({ profile, kind: PRODUCT, scope: tenant, limit: MOST });
  if (products.length === 0) return undefined;
  const skus = products.map(({ label }) => label);
  const rows = products.map(({ id, label: sku, status, data }) => ({
    sku: sku ?? id,
    status,
    description: isRecord(data) ? data['description'] : undefined,
  }));
  const lines = linesOf(rows, ['sku', 'status', 'description']);
  const choices = products.map(({ id, label: sku }, index) => {
    const isOnly = sku !== undefined && skus.indexOf(sku) === skus.lastIndexOf(sku);
    return { value: isOnly ? sku : id, name: lines[index] ?? id, short: sku ?? id };
  });
  return [await io.prompts.search(question[io.language], choices)];
};

import type { Core } from '../core/core.js';
import type { ControlRequest } from './control.js';
import { fieldsOf, numberField } from './fields.js';

const most = 100_000;

/** `{companies, products, seed}`: adds invented companies and valid products; the same seed makes the same ones. */
export function addSeed(core: Core, request: ControlRequest): object {
  const fields = fieldsOf(request.body, ['companies', 'products', 'seed']);
  const companies = numberField(fields, 'companies', { from: 0, to: most, whole: true }) ?? 0;
  const products = numberField(fields, 'products', { from: 0, to: most, whole: true }) ?? 0;
  const seed = numberField(fields, 'seed', { from: 0, to: Number.MAX_SAFE_INTEGER, whole: true });
  if (seed !== undefined) core.chance.reseed(seed);
  const { tenantId } = core.account;
  for (let made = 0; made < companies; made += 1) core.companies.add(tenantId, core.chance.uuid());
  for (let made = 1; made <= products; made += 1) addProduct(core, tenantId, made);
  return { companies, products, seed: core.chance.seed() };
}

function addProduct(core: Core, tenantId: string, ordinal: number): void {
  const id = core.chance.uuid();
  const content = {
    sku: `SEED-${String(ordinal).padStart(6, '0')}`,
    description: `Produto de exemplo ${ordinal}`,
    origin: 'National',
    tax: { ncm: '22030000' },
    customTax: [
      {
        operationCode: 121,
        issuer: [{ taxRegime: 'RealProfit', taxProfile: 'wholesale' }],
        recipient: [{ taxProfile: 'retail' }],
        intraState: { cfop: '5102', icms: { cst: '00', pICMS: '18.00' } },
      },
    ],
  };
  core.products.insert({ id, tenantId, content, status: 'Active', errorMessage: null, revision: 1 });
}

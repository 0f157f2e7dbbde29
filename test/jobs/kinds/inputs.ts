import type { ClientStep } from '../../../src/jobs/kinds/client-step.js';
import type { CutOffRequest } from '../../../src/jobs/kinds/backfill-start-from.js';
import type { SweepRequest } from '../../../src/jobs/kinds/backfill-sweep.js';
import type { CompanyCreateItem } from '../../../src/jobs/resources/company.js';
import type { FetchByKeyItem } from '../../../src/jobs/kinds/fetch-by-key.js';
import type {
  CancelItem,
  CorrectionItem,
  DisableItem,
  InvoiceDisableItem,
} from '../../../src/jobs/kinds/invoice-change.js';
import type { GeneralInvoiceItem } from '../../../src/jobs/kinds/invoice-issue.js';
import type { MerchandiseItem, ServiceItem } from '../../../src/jobs/kinds/invoice-items.js';
import type { LookupItem } from '../../../src/jobs/kinds/lookup.js';
import type { NfeSubmission } from '../../../src/jobs/kinds/manifestation.js';
import type { ProductCreateInput, ProductUpdateInput } from '../../../src/jobs/kinds/product.js';
import type { MunicipalTaxCreateItem, StateTaxCreateItem } from '../../../src/jobs/resources/registration.js';

const companyId = 'c-1';
const accessKey = '35250530057049000141550010000280181030656857';
const ofInvoice = { companyId, invoiceId: 'i-1' };
const product = { sku: 'SKU-1', description: 'Café', origin: 'National' } as const;
const lookup: Required<LookupItem> = { digest: 'd-1', number: '1', birthDate: '2001-01-31', companyId };
const disablement = { environment: 'Test', serie: 1, state: 'SP', beginNumber: 1, lastNumber: 2, reason: 'r' };

/** An input of each kind of job, with every field that it may have. */
export const inputs = {
  'product-create': { tenantId: 't-1', product } as ProductCreateInput,
  'product-update': { tenantId: 't-1', productId: 'p-1', product, seen: { origin: null } } as ProductUpdateInput,
  manifestation: {
    ...{ family: 'nfe', accessKey, eventCode: 210210, nSequencia: 1, detail: {} },
    ...{ companyId, companyUnchecked: true },
  } satisfies Required<NfeSubmission>,
  'fetch-by-key': { companyId, accessKey } satisfies Required<FetchByKeyItem>,
  'company-create': { company: { name: 'Padaria Sol' } } as unknown as Required<CompanyCreateItem>,
  'state-tax-create': { companyId, stateTax: {} } as unknown as Required<StateTaxCreateItem>,
  'municipal-tax-create': { companyId, municipalTax: {} } as unknown as Required<MunicipalTaxCreateItem>,
  'client-step': { step: 'company', wanted: {} } satisfies ClientStep,
  'lookup-cnpj': lookup,
  'lookup-cpf': lookup,
  'lookup-address': lookup,
  'lookup-nfe': lookup,
  'lookup-cte': lookup,
  invoice: { invoice: {} } as unknown as Required<GeneralInvoiceItem>,
  'nfe-issue': merchandise('nfe'),
  'nfce-issue': merchandise('nfce'),
  'nfse-issue': { model: 'nfse', companyId, externalId: 'e-1', invoice: {} } as unknown as Required<ServiceItem>,
  'nfe-cancel': { model: 'nfe', ...ofInvoice, reason: 'r' } satisfies Required<CancelItem>,
  'nfce-cancel': { model: 'nfce', ...ofInvoice, reason: 'r' } satisfies Required<CancelItem>,
  'nfse-cancel': { model: 'nfse', ...ofInvoice, reason: 'r' } satisfies Required<CancelItem>,
  'nfe-correct': { ...ofInvoice, reason: 'r' } satisfies Required<CorrectionItem>,
  'nfe-disable': { model: 'nfe', companyId, disablement } as unknown as Required<DisableItem>,
  'nfce-disable': { model: 'nfce', companyId, disablement } as unknown as Required<DisableItem>,
  'nfe-disable-invoice': { ...ofInvoice, reason: 'r' } satisfies Required<InvoiceDisableItem>,
  'backfill-release': {
    companyId,
    released: true,
    hidden: 1,
    expected: 1,
    wasReleased: false,
    plan: { id: '3f9a1c20', row: 'f0', approvals: [{ by: 'Maria', at: '2026-11-28T19:00:00.000Z' }] },
  } satisfies Required<SweepRequest>,
  'backfill-revoke': {
    companyId,
    released: false,
    hidden: 1,
    expected: 1,
    wasReleased: false,
    plan: { id: '3f9a1c20', row: 'f0', approvals: [{ by: 'Maria', at: '2026-11-28T19:00:00.000Z' }] },
  } satisfies Required<SweepRequest>,
  'backfill-start-from': { companyId, startFromDate: '2026-01-01' } satisfies Required<CutOffRequest>,
} as const;

function merchandise(model: 'nfe' | 'nfce'): Required<MerchandiseItem> {
  const body = { stateTaxId: 's-1', externalId: 'e-1', environment: 'Test', invoice: {} };
  return { model, companyId, ...body } as unknown as Required<MerchandiseItem>;
}

/** Of a family that shares its kind with the other one. */
export const nfseEvent = {
  ...{ family: 'nfse', companyId, accessKey, eventCode: 203202, reasonCode: 1, justification: 'j' },
  companyUnchecked: true,
};

/** An input of the kind; `{}` for one of a test. */
export function inputOf(kind: string): object {
  return Object.entries(inputs).find(([name]) => name === kind)?.[1] ?? {};
}

import { FiscalError } from '../errors/fiscal-error.js';
import { manifestation } from '../jobs/kinds/manifestation.js';
import { sweepFacts } from '../jobs/kinds/backfill-release.js';
import { startFrom } from '../jobs/kinds/backfill-start-from.js';
import { clientStep } from '../jobs/kinds/client-step.js';
import { companyCreate } from '../jobs/resources/company.js';
import { fetchByKey } from '../jobs/kinds/fetch-by-key.js';
import { lookupNames } from '../jobs/kinds/lookup.js';
import { productCreate, productUpdate } from '../jobs/kinds/product.js';
import { municipalTaxCreate, stateTaxCreate } from '../jobs/resources/registration.js';
import type { JobRow } from '../store/store.js';
import type { BatchFamily } from '../services/batch/run-batch.js';
import type { Context } from '../services/context.js';
import { startFromFamily, sweepFamily } from './backfill/family.js';
import { clientFamily } from './company/clients-apply.js';
import { municipalTaxFamily, stateTaxFamily } from './company/registration-write.js';
import { companyFamily } from './company/write.js';
import { manifestationFamily } from './manifestation/bulk.js';
import { fetchFamily } from './inbound/fetch-by-key.js';
import { invoiceFamily, invoiceKindNames } from './invoice/family.js';
import { lookupFamily } from './lookup/list.js';
import { productFamily } from './product/family.js';

/** The family that renders and stores the items of a stored job. Throws `job.unknown_kind`. */
export function familyOf(context: Context, job: JobRow): BatchFamily {
  switch (job.kind) {
    case productCreate.name:
    case productUpdate.name:
      return productFamily(context, job.profile);
    case manifestation.name:
      return manifestationFamily(context, { storeNamespace: job.profile, company: job.scope['companyId'] ?? '' });
    case fetchByKey.name:
      return fetchFamily;
    case companyCreate.name:
      return companyFamily;
    case stateTaxCreate.name:
      return stateTaxFamily;
    case municipalTaxCreate.name:
      return municipalTaxFamily;
    case clientStep.name:
      return clientFamily(context);
    case sweepFacts(true).name:
    case sweepFacts(false).name:
      return sweepFamily(context);
    case startFrom.name:
      return startFromFamily;
    default:
      if (invoiceKindNames.has(job.kind)) return invoiceFamily;
      return lookupFamilyOf(context, job);
  }
}

/** Queries keep the requested age; only the holder of the list knows their CPFs. */
function lookupFamilyOf(context: Context, job: JobRow): BatchFamily {
  const name = lookupNames.find((each) => job.kind === `lookup-${each}`);
  if (name === undefined) throw new FiscalError('job.unknown_kind', { id: job.id, kind: job.kind }, { jobId: job.id });
  return lookupFamily(context, { name, maxAgeMs: Number(job.scope['maxAgeMs'] ?? 0), numbers: new Map() });
}

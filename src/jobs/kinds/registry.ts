import { runnable, type RunnableKind } from '../kind.js';
import { sweepKinds } from './backfill-release.js';
import { startFrom } from './backfill-start-from.js';
import { clientSteps } from './client-step.js';
import { companyCreate } from '../resources/company.js';
import { lookupKind, lookupNames } from './lookup.js';
import { manifestation } from './manifestation.js';
import { fetchByKey } from './fetch-by-key.js';
import { cancelKinds, changeKinds } from './invoice-change.js';
import { generalInvoice, issueKinds } from './invoice-issue.js';
import { municipalTaxCreate, stateTaxCreate } from '../resources/registration.js';
import { productCreate, productUpdate } from './product.js';

const kinds: readonly RunnableKind[] = [
  runnable(productCreate),
  runnable(productUpdate),
  manifestation,
  runnable(fetchByKey),
  runnable(companyCreate),
  runnable(stateTaxCreate),
  runnable(municipalTaxCreate),
  clientSteps(),
  ...lookupNames.map((name) => lookupKind(name)),
  runnable(generalInvoice),
  ...issueKinds,
  ...cancelKinds,
  ...changeKinds,
  ...sweepKinds,
  startFrom,
];

/** The kind names that a stored job may have. */
export const kindNames: readonly string[] = kinds.map(({ name }) => name);

/** The kind of a stored job; `undefined` when a newer version of the program wrote it. */
export function kindOf(name: string): RunnableKind | undefined {
  return kinds.find((kind) => kind.name === name);
}

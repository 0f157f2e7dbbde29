import { requiredFile } from '../../services/batch/template.js';
import type { ProductInput } from '../../contract/product.js';
import type { Text } from '../../contract/text.js';
import { counted, nouns } from '../../domain/counted.js';
import type { Outcome } from '../../domain/outcome.js';
import { productCreate, type ProductCreateInput } from '../../jobs/kinds/product.js';
import { countSends, runImport, type SkippedRow } from '../../services/batch/import.js';
import { previewOne } from '../../services/calls/one-call.js';
import { consentToBatch } from '../../services/batch/start-job.js';
import type { Context } from '../../services/context.js';
import { openSource } from '../../services/input/source.js';
import { tenantOf } from '../../services/scope/companies.js';
import type { ApplyGiven } from './apply-send.js';
import { problemOfExisting, productFamily } from './family.js';
import { productInput, type ValidatedProducts, validateProducts, type ValidProduct } from './import-file.js';
import { createKey, findCreated, labelOf, type ProductScope } from './known-products.js';

/**
 * Creates the products of a file that do not exist, as one job, and updates nothing. Errors: `input.*`, `usage.confirmation_required` when calls are billed, and those of
 * `runImport`.
 */
export async function importProducts(context: Context, given: ApplyGiven): Promise<Outcome> {
  const { dryRun, storeNamespace } = await context.settings();
  const tenantId = await tenantOf(context);
  const input = productInput(await openSource(context, requiredFile(given.file), { again: !dryRun }), given);
  return await runImport<ValidProduct, ValidatedProducts, ProductCreateInput>(context, {
    ...{ input, skipInvalid: given.skipInvalid, options: given },
    validate: () => validateProducts(input, tenantId),
    preview: async (first) =>
      first === undefined
        ? { type: 'dry-run', operation: productCreate.submit }
        : await previewOne(context, productCreate.submit, { path: { tenantId }, body: first.product }),
    counts: ({ billed }) => ({ billedCalls: billed }),
    notices: ({ notes }) =>
      notes.map(({ field, message }) => ({ en: `${field} ${message.en}`, pt: `${field} ${message.pt}` })),
    job: async ({ digest }) => ({
      family: productFamily(context, storeNamespace),
      job: {
        kind: productCreate,
        profile: storeNamespace,
        inputDigest: `import ${tenantId} ${digest}`,
        scope: { tenantId },
      },
    }),
    item: async ({ line, product }) =>
      (await existing(context, { storeNamespace, tenantId }, { line, product })) ?? {
        ...{ ordinal: line, label: labelOf(product), dedupeKey: createKey(tenantId, product) },
        input: { tenantId, product },
      },
    consent: async (sends) => {
      const counts = await countSends(sends);
      if (counts.billed > 0)
        await consentToBatch(context, { what: billedCalls({ ...counts, storeNamespace, tenantId }) });
    },
    notForMended: ['createOnly', 'metricsFile'],
    summary: ({ count }) => ({ leftOut: count }),
  });
}

interface Question extends ProductScope {
  readonly sends: number;
  readonly billed: number;
}

function billedCalls({ sends, billed, storeNamespace, tenantId }: Question): Text {
  const [products, calls] = [counted(sends, nouns.product), counted(billed, nouns.billedCall)];
  return {
    en: `creating ${products.en} with ${calls.en} (profile ${storeNamespace}, tenant ${tenantId})`,
    pt: `criar ${products.pt} com ${calls.pt} (perfil ${storeNamespace}, tenant ${tenantId})`,
  };
}

/**
 * A product that exists although no item holds its key any more, because its job was pruned: a create would make a second one.
 * Where it differs from the record, it needs an update.
 */
async function existing(
  context: Context,
  scope: ProductScope,
  { line, product: wanted }: { readonly line: number; readonly product: ProductInput },
): Promise<SkippedRow | undefined> {
  const store = await context.store();
  const key = createKey(scope.tenantId, wanted);
  const created = await findCreated(store, { ...scope, key });
  if (created === undefined) return undefined;
  const holder = await store.items.holder({ profile: scope.storeNamespace, kind: productCreate.name, dedupeKey: key });
  // The engine skips this record itself, with a link to the item.
  if (holder !== undefined) return undefined;
  const { productId: id, status } = created;
  const name = labelOf(wanted);
  const problem = await problemOfExisting(store, scope, { id, name, wanted, status });
  const why = problem === undefined ? '' : `: ${problem.error}`;
  return {
    skipped: {
      en: `line ${line}: ${name} exists as ${id} and is skipped${why}`,
      pt: `linha ${line}: ${name} já existe como ${id} e é ignorado${why}`,
    },
    isProblem: problem !== undefined,
  };
}

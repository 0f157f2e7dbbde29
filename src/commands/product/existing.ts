import type { ProductInput } from '../../contract/product.js';
import { productDifferences } from '../../domain/product-difference.js';
import { isRecord } from '../../domain/record.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { Store } from '../../store/store.js';
import type { ItemProblem } from '../../services/batch.js';
import { productEndedBadly } from './endings.js';
import type { Place } from './find.js';
import { PRODUCT } from './remember.js';

/** A product that is there already for a record of an import. */
export interface Existing {
  readonly id: string;
  readonly name: string;
  /** What the import says that it is. */
  readonly wanted: ProductInput;
  /** As it was created, where nothing newer is known. */
  readonly created?: unknown;
  readonly status?: string | undefined;
  readonly errorMessage?: string | undefined;
}

/** What is wrong with an existing product, by the newest that this machine knows of it; `undefined`: it is as wanted. */
export async function problemOfExisting(
  store: Store,
  { space, tenantId }: Place,
  existing: Existing,
): Promise<ItemProblem | undefined> {
  const { id, name, wanted } = existing;
  const known = await store.known.get({ profile: space, kind: PRODUCT, scope: tenantId, id });
  if (productDifferences(known?.data ?? existing.created, wanted).length > 0) {
    return problem(new FiscalError('product.already_created', { name, id }), bringToFile);
  }
  const status = known?.status ?? existing.status;
  if (status !== 'Error') return undefined;
  const told = isRecord(known?.data) ? known.data['errorMessage'] : undefined;
  const errorMessage = typeof told === 'string' ? told : existing.errorMessage;
  return problem(productEndedBadly({ id, status, errorMessage }), bringToFile);
}

/** As the record of an item shows it. */
export function problem(error: FiscalError, next?: string): ItemProblem {
  return { errorCode: error.code, error: next === undefined ? error.text.en : `${error.text.en}; ${next}` };
}

const bringToFile = 'bring it to the file: fiscal product apply <file>';

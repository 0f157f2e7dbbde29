import { RunningDigest } from '../input/running-digest.js';
import type { ProductInput } from '../../contract/product.js';
import type { ProductFinding } from '../../domain/product-check.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { hasTaxRules } from '../../jobs/kinds/product.js';
import { LineProblems } from '../input/line-problems.js';
import { contentDigest } from './identity.js';
import type { ProductRecord } from './import-records.js';

/** What the first reading of an import found. Nothing of the records stays in memory but the first one. */
export interface Survey {
  readonly valid: number;
  readonly billed: number;
  readonly problems: LineProblems;
  /** Digest of the valid products in their order: the same content finds the same job. */
  readonly digest: string;
  readonly first: ProductInput | undefined;
  /** The notes of the first record that has some; the others are alike. */
  readonly notes: readonly ProductFinding[];
}

/** Reads everything once. Error: `input.empty`. */
export async function survey(records: AsyncIterable<ProductRecord>, name: string): Promise<Survey> {
  const problems = new LineProblems();
  const digest = new RunningDigest();
  let billed = 0;
  let first: ProductInput | undefined;
  let notes: readonly ProductFinding[] = [];
  for await (const record of records) {
    if ('problems' in record) {
      problems.add(record.line, record.problems);
      continue;
    }
    first ??= record.product;
    if (notes.length === 0) notes = record.notes;
    if (hasTaxRules(record.product)) billed += 1;
    digest.add(contentDigest(record.product));
  }
  if (digest.count === 0 && problems.lines === 0) throw new FiscalError('input.empty', { path: name });
  return { valid: digest.count, billed, problems, digest: digest.text(), first, notes };
}

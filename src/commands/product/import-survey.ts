import { RunningDigest } from '../../services/input/running-digest.js';
import type { ProductInput } from '../../contract/product.js';
import type { Text } from '../../contract/text.js';
import type { ProductFinding } from '../../domain/product-check.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { hasTaxRules } from '../../jobs/kinds/product.js';
import { LineProblems } from '../../services/input/line-problems.js';
import { contentDigest, createKey, labelOf } from './identity.js';
import type { ProductRecord } from './import-records.js';

/** What the first reading of an import found. Nothing of the records stays in memory but the first one. */
export interface Survey {
  readonly valid: number;
  readonly billed: number;
  readonly problems: LineProblems;
  /** Digest of the valid products in their order: the same content finds the same job. */
  readonly digest: string;
  readonly first: ProductInput | undefined;
  /** Records that repeat an earlier one, content and all: the line of each with the line of the first. */
  readonly repeats: ReadonlyMap<number, number>;
  /** The notes of the first record that has some; the others are alike. */
  readonly notes: readonly ProductFinding[];
}

/**
 * Reads everything once. Errors: `input.empty`; `input.invalid` where one SKU stands twice with different content, whatever
 * is done with other invalid records: which of them is meant, only a person knows.
 */
export async function survey(
  records: AsyncIterable<ProductRecord>,
  name: string,
  tenantId: string,
): Promise<Survey> {
  const problems = new LineProblems();
  const conflicts = new LineProblems();
  const seen = new Map<string, { readonly line: number; readonly content: string }>();
  const repeats = new Map<number, number>();
  const digest = new RunningDigest();
  let billed = 0;
  let firstProduct: ProductInput | undefined;
  let notes: readonly ProductFinding[] = [];
  for await (const record of records) {
    if ('problems' in record) {
      problems.add(record.line, record.problems);
      continue;
    }
    firstProduct ??= record.product;
    if (notes.length === 0) notes = record.notes;
    const content = contentDigest(record.product);
    digest.add(content);
    const key = createKey(tenantId, record.product);
    const first = seen.get(key);
    if (first === undefined) {
      seen.set(key, { line: record.line, content });
      if (hasTaxRules(record.product)) billed += 1;
    } else if (first.content === content) {
      repeats.set(record.line, first.line);
    } else {
      conflicts.add(record.line, [
        { field: 'sku', message: otherContent(labelOf(record.product), first.line) },
      ]);
    }
  }
  if (conflicts.lines > 0) throw conflicts.error(name);
  if (digest.count === 0 && problems.lines === 0) throw new FiscalError('input.empty', { path: name });
  const text = digest.text();
  return { valid: digest.count, billed, problems, digest: text, first: firstProduct, repeats, notes };
}

function otherContent(sku: string, line: number): Text {
  return {
    en: `"${sku}" stands on line ${line} as well, with other content`,
    pt: `"${sku}" também está na linha ${line}, com outro conteúdo`,
  };
}

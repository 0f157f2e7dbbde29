import { FiscalError } from '../../errors/fiscal-error.js';
import { usesTaxEngine } from '../../jobs/kinds/invoice-issue.js';
import { LineProblems } from '../../services/input/line-problems.js';
import { RunningDigest } from '../../services/input/running-digest.js';
import { contentDigest } from './identity.js';
import type { InvoiceRecord } from './import-records.js';

/** What the first reading of an import found. Nothing of the records stays in memory but the first one. */
export interface Survey {
  readonly valid: number;
  readonly billed: number;
  /** Records without an externalId: one is made of their content. */
  readonly unnamed: number;
  readonly problems: LineProblems;
  /** Digest of the valid invoices in their order: the same content finds the same job. */
  readonly digest: string;
  readonly first: Extract<InvoiceRecord, { invoice: unknown }> | undefined;
  /** The companies that issue them. */
  readonly companies: ReadonlySet<string>;
}

/** Reads everything once. Error: `input.empty`. */
export async function survey(records: AsyncIterable<InvoiceRecord>, name: string): Promise<Survey> {
  const problems = new LineProblems();
  const digest = new RunningDigest();
  let billed = 0;
  let unnamed = 0;
  const companies = new Set<string>();
  let first: Survey['first'];
  for await (const record of records) {
    if ('problems' in record) {
      problems.add(record.line, record.problems);
      continue;
    }
    const { invoice, companyId } = record;
    first ??= record;
    companies.add(companyId);
    if (usesTaxEngine(invoice)) billed += 1;
    if (typeof invoice['externalId'] !== 'string') unnamed += 1;
    digest.add(digestLine(record));
  }
  if (digest.count === 0 && problems.lines === 0) throw new FiscalError('input.empty', { path: name });
  return { valid: digest.count, billed, unnamed, problems, digest: digest.text(), first, companies };
}

/** An invoice as the digest takes it. */
export function digestLine({ invoice, companyId }: NonNullable<Survey['first']>): string {
  const { externalId } = invoice;
  return `${typeof externalId === 'string' ? externalId : ''} ${contentDigest(invoice)} ${companyId}\n`;
}

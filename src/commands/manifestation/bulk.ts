import type { Text } from '../../contract/text.js';
import { counted, nouns } from '../../domain/counted.js';
import type { Outcome } from '../../domain/outcome.js';
import type { PlannedItem } from '../../jobs/engine.js';
import { manifestationFacts, submissionKey, type Submission } from '../../jobs/kinds/manifestation.js';
import { runBatch, type BatchOptions } from '../../services/batch.js';
import type { Context } from '../../services/context.js';
import { companyNamed } from '../../services/scope/text.js';
import { manifestationFamily } from './family.js';
import { placeOf } from './company.js';
import { companyOf } from '../../services/read-company.js';
import { eventNameOf, labelOf } from './shown.js';

/** How many of each event, for the question. */
export interface BulkCounts {
  readonly valid: number;
  readonly events: ReadonlyMap<number, number>;
  readonly denials: number;
  /** The ids of the companies that they are for, each with its number of denials; empty where nobody has said it. */
  readonly companies: ReadonlyMap<string, number>;
}

/**
 * Asks before events go out in bulk: they are declarations to the tax authority. Events that deny a document also ask for
 * the ids of their companies. Errors: `usage.confirmation_required`, `usage.declined`, `usage.missing`.
 */
export async function confirmBulk(
  context: Context,
  counts: BulkCounts,
  confirm: string | undefined,
): Promise<void> {
  const { space } = await context.settings();
  const companies = [...counts.companies.keys()].filter((id) => id !== '');
  const named = await Promise.all(companies.map((id) => companyNamed(context, id)));
  const what = bulkText(counts, space, named);
  if (counts.denials === 0) {
    await context.consent({ what });
    return;
  }
  const denying = companies.filter((id) => (counts.companies.get(id) ?? 0) > 0);
  const value = denying.length > 0 ? denying.join(',') : await companyOf(context);
  await context.consent({ what, confirmWith: { value, given: confirm } });
}

export interface BulkWork {
  /** Which file or plan this is: the same digest finds the same job. */
  readonly inputDigest: string;
  /** The ids of the companies that are named. */
  readonly companies: readonly string[];
  /** Of the first submission; the job is named after it. */
  readonly family: Submission['family'];
  readonly items: AsyncIterable<PlannedItem<Submission>> | Iterable<PlannedItem<Submission>>;
  readonly options: BatchOptions;
  readonly summary: () => Readonly<Record<string, unknown>>;
}

/** Sends many submissions as one job, whatever documents they are about, with all that a batch knows. */
export async function runBulk(context: Context, work: BulkWork): Promise<Outcome> {
  const { inputDigest, companies, family, items, options, summary } = work;
  const place = await placeOf(context, companies.length === 1 ? companies[0] : '');
  return await runBatch<Submission>(context, {
    family: manifestationFamily(context, place),
    options,
    summary,
    job: {
      kind: manifestationFacts(family),
      profile: place.space,
      inputDigest,
      scope: { companyId: place.company },
      companies,
      items,
    },
  });
}

/** A submission as the job takes it; `ordinal` is its line. */
export function plannedItem(ordinal: number, submission: Submission): PlannedItem<Submission> {
  return { ordinal, label: labelOf(submission), dedupeKey: submissionKey(submission), input: submission };
}

function bulkText({ valid, events }: BulkCounts, space: string, companies: readonly string[]): Text {
  const list = [...events]
    .map(([code, count]) => `${count} × ${code} ${eventNameOf(code) ?? ''}`.trim())
    .join(', ');
  const whose = companies.map((company) => `, ${company}`).join('');
  const many = counted(valid, nouns.event);
  return {
    en: `submitting ${many.en} to the tax authority: ${list} (0 billed calls, profile ${space}${whose})`,
    pt: `enviar ${many.pt} à autoridade fiscal: ${list} (0 chamadas cobradas, perfil ${space}${whose})`,
  };
}

import type { Store } from '../../store/store.js';
import { mayStand } from '../../domain/document-state.js';
import { documentPages } from './pages.js';
import { recordOf } from './record.js';

const PAGE = 500;

/** How many NF-e of each company came as a summary and wait for their full XML, by company id. Those that do not stand wait for none. */
export async function waitingSummaries(
  { documents }: Pick<Store, 'documents'>,
  profile: string,
  companies: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  const filter = { profile, companies, families: ['nfe'], summaries: true, limit: PAGE } as const;
  for await (const page of documentPages(documents, filter))
    for (const row of page)
      if (mayStand(recordOf(row).state.state)) counts.set(row.companyId, (counts.get(row.companyId) ?? 0) + 1);
  return counts;
}

import type { ManifestEntry } from '../../archive/manifest.js';
import type { FamilyCoverage } from '../../services/closing/coverage.js';
import type { Context } from '../../services/context.js';
import type { DocumentGroup } from '../../store/documents.js';
import { rowDay } from '../../domain/document-date.js';
import {
  compareFiles,
  type Comparison,
  type GroupResult,
  type ListedRow,
  withArchived,
  xmlCounts,
} from './close-compare.js';
import {
  noEventList,
  notListed,
  readCapture,
  readEventListing,
  readListing,
  readOne,
} from './close-coverage.js';

/** Compares the received documents of one company and family with the lists of the service. Yields the entries of the manifest. */
export async function* compareReceived(
  context: Context,
  comparison: Comparison,
): AsyncGenerator<ManifestEntry, GroupResult<FamilyCoverage>> {
  const { group } = comparison;
  const capture = await readCapture(context, group);
  const isUnknown = capture.coverage.capture === 'off' && !(await isKnown(context, group));
  const listing = isUnknown ? notListed : await readListing(context, comparison);
  const known = isUnknown ? new Set<string>() : await withArchived(context, comparison, listing.rows.keys());
  const rows = await withUndated(context, comparison, { rows: listing.rows, known });
  const named = { keys: known, events: listing.events };
  const events = isUnknown ? noEventList : await readEventListing(context, comparison, named);
  const unreadable = listing.coverage.unreadable + (events.coverage?.unreadable ?? 0);
  const lists = { rows, events: events.events, unreadable, known };
  const files = yield* compareFiles(context, comparison, lists);
  const nsu = await listing.nsu.coverage(context, group);
  const list = { ...listing.coverage, documents: rows.size };
  const ofLists = { list, events: events.coverage };
  return {
    ...files,
    coverage: { ...capture.coverage, ...ofLists, nsu, xml: xmlCounts(files) },
    servedAt: capture.servedAt,
  };
}

/**
 * A row without a readable date of issue meets no filter by it, so the list of the month lacks it: each such document of the archive is
 * asked for by its key. A month has few.
 */
async function withUndated(
  context: Context,
  { group }: Comparison,
  { rows, known }: { readonly rows: ReadonlyMap<string, ListedRow>; readonly known: ReadonlySet<string> },
): Promise<ReadonlyMap<string, ListedRow>> {
  const all = new Map(rows);
  const { documents } = await context.store();
  for (const id of known) {
    if (all.has(id)) continue;
    const row = await documents.get(group, id);
    if (row === undefined || rowDay(row.issuedOn, undefined) !== undefined) continue;
    const found = await readOne(context, group, id);
    if (found !== undefined) all.set(id, found);
  }
  return all;
}

async function isKnown(context: Context, { profile, companyId, family }: DocumentGroup): Promise<boolean> {
  const { documents } = await context.store();
  const rows = await documents.list({ profile, companies: [companyId], families: [family], limit: 1 });
  return rows.length > 0;
}

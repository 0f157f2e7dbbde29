import type { ManifestEntry } from '../../archive/manifest.js';
import type { FamilyCoverage } from '../../services/closing/coverage.js';
import type { Context } from '../../services/context.js';
import type { DocumentGroup } from '../../store/documents.js';
import { clockRange } from '../../services/closing/month.js';
import {
  compareFiles,
  type Comparison,
  type GroupResult,
  type ListedRow,
  withArchived,
  xmlCounts,
} from './close-compare.js';
import {
  listedRow,
  noEventList,
  notListed,
  readCapture,
  readEventListing,
  readListing,
} from './close-coverage.js';
import { undatedRows } from './undated.js';

/** Compares the received documents of one company and family with the lists of the service. Yields the entries of the manifest. */
export async function* compareReceived(
  context: Context,
  comparison: Comparison,
): AsyncGenerator<ManifestEntry, GroupResult<FamilyCoverage>> {
  const { group } = comparison;
  const capture = await readCapture(context, group);
  const isUnknown = capture.coverage.capture === 'off' && !(await isKnown(context, group));
  const listing = isUnknown ? notListed : await readListing(context, comparison);
  const rows = isUnknown ? listing.rows : await withUndated(context, comparison, listing.rows);
  const known = isUnknown ? new Set<string>() : await withArchived(context, comparison, rows.keys());
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

/** With the documents that a list by date of issue lacks. */
async function withUndated(
  context: Context,
  { group, month }: Comparison,
  rows: ReadonlyMap<string, ListedRow>,
): Promise<ReadonlyMap<string, ListedRow>> {
  const all = new Map(rows);
  for await (const { id, row } of undatedRows(context, group, clockRange(month)))
    if (!all.has(id)) all.set(id, listedRow(row));
  return all;
}

async function isKnown(context: Context, { profile, companyId, family }: DocumentGroup): Promise<boolean> {
  const { documents } = await context.store();
  const rows = await documents.list({ profile, companies: [companyId], families: [family], limit: 1 });
  return rows.length > 0;
}

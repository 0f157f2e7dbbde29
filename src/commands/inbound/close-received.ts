import type { ManifestEntry } from '../../archive/manifest.js';
import type { FamilyCoverage } from '../../services/closing/coverage.js';
import type { Context } from '../../services/context.js';
import type { DocumentGroup } from '../../store/documents.js';
import { compareFiles, type Comparison, type GroupResult, withArchived, xmlCounts } from './close-compare.js';
import { noEventList, notListed, readCapture, readEventListing, readListing } from './close-coverage.js';

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
  const named = { keys: known, events: listing.events };
  const events = isUnknown ? noEventList : await readEventListing(context, comparison, named);
  const unreadable = listing.coverage.unreadable + (events.coverage?.unreadable ?? 0);
  const lists = { rows: listing.rows, events: events.events, unreadable, known };
  const files = yield* compareFiles(context, comparison, lists);
  const nsu = await listing.nsu.coverage(context, group);
  const ofLists = { list: listing.coverage, events: events.coverage };
  return {
    ...files,
    coverage: { ...capture.coverage, ...ofLists, nsu, xml: xmlCounts(files) },
    servedAt: capture.servedAt,
  };
}

async function isKnown(context: Context, { profile, companyId, family }: DocumentGroup): Promise<boolean> {
  const { documents } = await context.store();
  const rows = await documents.list({ profile, companies: [companyId], families: [family], limit: 1 });
  return rows.length > 0;
}

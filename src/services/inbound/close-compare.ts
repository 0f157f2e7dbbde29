import { setImmediate as turn } from 'node:timers/promises';
import type { ManifestEntry } from '../../archive/manifest.js';
import type { InboundDocument } from '../../contract/inbound.js';
import type { ErrorCode } from '../../errors/catalogue.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { DocumentGroup, DocumentRow, SignatureVerdict } from '../../store/documents.js';
import type { Context } from '../context.js';
import { checkDocument, type CheckedDocument, type CloseProblem } from './close-check.js';
import type { Month } from './close-month.js';
import { listDocuments } from './read-pages.js';
import { captureState } from '../capture-state.js';

/** How one company and family stand at the end of the month. */
export interface GroupResult {
  readonly group: DocumentGroup;
  /** False: this family is not captured for the company, and nothing of it is known. */
  readonly captured: boolean;
  /** Documents that the service lists. */
  readonly listed: number;
  /** Documents that stand in the manifest, their events, and the bytes of the documents themselves. */
  readonly archived: number;
  readonly events: number;
  readonly bytes: number;
  /** Archived, but listed no more: kept and shown, not missing. */
  readonly unlisted: number;
  readonly problems: readonly CloseProblem[];
  readonly signatures: Readonly<Record<SignatureVerdict, number>>;
}

export interface Comparison {
  readonly group: DocumentGroup;
  readonly month: Month;
  readonly archive: string;
}

const DAY_MS = 86_400_000;
/** Files that are read at the same time: the disk is busy while others are compared. */
const AT_ONCE = 8;

/** Errors about one family that do not keep the others from being closed. */
const ofTheFamily: readonly ErrorCode[] = [
  'service.forbidden',
  'service.not_found',
  'service.refused',
  'service.unreadable',
  'inbound.list_limit',
];

/**
 * Lists the service again and compares it with the store and with the files themselves. Gives the entries of the manifest
 * in its order, one after another: of a whole month only the keys are held.
 */
export async function* compareGroup(
  context: Context,
  comparison: Comparison,
): AsyncGenerator<ManifestEntry, GroupResult> {
  const tally = new Tally(comparison.group);
  const listed = await listedStatuses(context, comparison, tally);
  const keys = [...(await archivedKeys(context, comparison, listed.keys()))].sort();
  for (let from = 0; from < keys.length; from += AT_ONCE) {
    context.interruption.throwIfAborted();
    const some = keys.slice(from, from + AT_ONCE);
    const read = await Promise.all(some.map((key) => readAgain(context, comparison, key)));
    for (const { key, ...found } of read) {
      const entry = tally.add(key, listed.get(key), found);
      if (entry !== undefined) yield entry;
    }
  }
  return tally.result(listed.size);
}

/** What the store and the disk have under a key. */
interface Found {
  readonly row?: DocumentRow;
  readonly checked?: CheckedDocument;
}

async function readAgain(context: Context, { group, archive }: Comparison, key: string) {
  const store = await context.store();
  const row = await store.documents.get(group, key);
  if (row === undefined) return { key };
  const events = await store.events.of(group, key);
  return { key, row, checked: await checkDocument(row, events, archive) };
}

class Tally {
  readonly problems: CloseProblem[] = [];
  captured = true;
  private readonly sums = { archived: 0, events: 0, bytes: 0, unlisted: 0 };
  private readonly signatures = { valid: 0, invalid: 0, absent: 0, unverifiable: 0 };

  constructor(private readonly group: DocumentGroup) {}

  /** The entry of the manifest, where the document may stand in it. */
  add(key: string, listedAs: string | undefined, { row, checked }: Found): ManifestEntry | undefined {
    if (row === undefined || checked === undefined) {
      this.problems.push({ kind: 'not-synced', key });
      return undefined;
    }
    const { entry, problems } = checked;
    this.problems.push(...problems);
    if (entry === undefined) return undefined;
    this.sums.archived += 1;
    this.sums.events += entry.events.length;
    this.sums.bytes += entry.bytes;
    this.signatures[row.signature ?? 'unverifiable'] += 1;
    if (listedAs === undefined) this.sums.unlisted += 1;
    else if (listedAs !== (row.status ?? '')) {
      this.problems.push({ kind: 'outdated', key, reason: `${row.status ?? '-'} → ${listedAs}` });
    }
    return entry;
  }

  result(listed: number): GroupResult {
    const { group, captured, sums, signatures } = this;
    const problems = this.problems.toSorted((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1));
    return { group, captured, listed, ...sums, problems, signatures };
  }
}

function orderOf({ key = '', event = '' }: CloseProblem): string {
  return `${key} ${event}`;
}

/** The status of every document that the service lists, by key. */
async function listedStatuses(
  context: Context,
  { group, month }: Comparison,
  tally: Tally,
): Promise<ReadonlyMap<string, string>> {
  const statuses = new Map<string, string>();
  const { family, companyId } = group;
  try {
    const capture = await captureState(context, companyId, family);
    if (capture.kind === 'off' && !(await isKnown(context, group))) {
      tally.captured = false;
      return statuses;
    }
    if (capture.kind === 'on' && capture.spacedUntil !== undefined) {
      tally.problems.push({ kind: 'capture-spaced', reason: capture.spacedUntil });
    }
    const query = { family, companyId, by: 'issued', since: month.since, until: month.until } as const;
    for await (const document of listDocuments(context, query)) {
      statuses.set(document.accessKey, statusOf(document));
    }
  } catch (error) {
    if (!(error instanceof FiscalError) || !ofTheFamily.includes(error.code)) throw error;
    tally.problems.push({ kind: 'unread', reason: error.message });
  }
  return statuses;
}

async function isKnown(context: Context, { profile, companyId, family }: DocumentGroup): Promise<boolean> {
  const { documents } = await context.store();
  const rows = await documents.list({ profile, companies: [companyId], families: [family], limit: 1 });
  return rows.length > 0;
}

function statusOf({ status }: InboundDocument): string {
  return typeof status === 'string' ? status : '';
}

/** These keys, and those of the month's documents that stand in the archive, whether the service lists them or not. */
async function archivedKeys(
  context: Context,
  { group, month }: Comparison,
  listed: Iterable<string>,
): Promise<ReadonlySet<string>> {
  const { documents } = await context.store();
  const keys = new Set(listed);
  for (let since = month.since; since < month.until; since += DAY_MS) {
    context.interruption.throwIfAborted();
    const until = Math.min(since + DAY_MS, month.until);
    for (const id of await documents.archivedIds(group, { since, until })) keys.add(id);
    // A read of the store ends in the same turn: the signal of the user would not be heard among many.
    await turn();
  }
  return keys;
}

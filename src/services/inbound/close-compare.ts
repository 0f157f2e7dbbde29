import type { ManifestEntry } from '../../archive/manifest.js';
import type { InboundDocument } from '../../contract/inbound.js';
import type { ErrorCode } from '../../errors/catalogue.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { DocumentGroup, DocumentRow, SignatureVerdict } from '../../store/documents.js';
import type { Context } from '../context.js';
import { checkDocument, type CloseProblem } from './close-check.js';
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
  /** Archived, but listed no more: kept and shown, not missing. */
  readonly unlisted: number;
  readonly entries: readonly ManifestEntry[];
  readonly problems: readonly CloseProblem[];
  readonly signatures: Readonly<Record<SignatureVerdict, number>>;
}

export interface Comparison {
  readonly group: DocumentGroup;
  readonly month: Month;
  readonly archive: string;
}

const PAGE = 500;

/** Errors about one family that do not keep the others from being closed. */
const ofTheFamily: readonly ErrorCode[] = [
  'service.forbidden',
  'service.not_found',
  'service.refused',
  'service.unreadable',
  'inbound.list_limit',
];

/** Lists the service again and compares it with the store and with the files themselves. */
export async function compareGroup(context: Context, comparison: Comparison): Promise<GroupResult> {
  const tally = new Tally(comparison.group);
  const listed = await listedStatuses(context, comparison, tally);
  const store = await context.store();
  const left = new Set(listed.keys());
  const take = async (row: DocumentRow): Promise<void> => {
    context.interruption.throwIfAborted();
    left.delete(row.id);
    const status = listed.get(row.id);
    if (status === undefined && row.state !== 'archived') return;
    const events = await store.events.of(comparison.group, row.id);
    tally.add(row, status, await checkDocument(row, events, comparison.archive));
  };
  for await (const row of rowsOf(context, comparison)) await take(row);
  for (const key of [...left].sort()) {
    // Known without a date of issue, or with another one: the list of the store does not show it among this month's.
    const row = await store.documents.get(comparison.group, key);
    if (row === undefined) tally.problems.push({ kind: 'not-synced', key });
    else await take(row);
  }
  return tally.result(listed.size);
}

class Tally {
  readonly problems: CloseProblem[] = [];
  captured = true;
  private unlisted = 0;
  private readonly entries: ManifestEntry[] = [];
  private readonly signatures = { valid: 0, invalid: 0, absent: 0, unverifiable: 0 };

  constructor(private readonly group: DocumentGroup) {}

  add(
    row: DocumentRow,
    listedAs: string | undefined,
    checked: Awaited<ReturnType<typeof checkDocument>>,
  ): void {
    this.problems.push(...checked.problems);
    if (checked.entry === undefined) return;
    this.entries.push(checked.entry);
    this.signatures[row.signature ?? 'unverifiable'] += 1;
    if (listedAs === undefined) this.unlisted += 1;
    else if (listedAs !== (row.status ?? '')) {
      this.problems.push({ kind: 'outdated', key: row.id, reason: `${row.status ?? '-'} → ${listedAs}` });
    }
  }

  result(listed: number): GroupResult {
    const { group, captured, unlisted, entries, signatures } = this;
    const problems = this.problems.toSorted((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1));
    return { group, captured, listed, unlisted, entries, problems, signatures };
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

async function* rowsOf(context: Context, { group, month }: Comparison): AsyncIterable<DocumentRow> {
  const { documents } = await context.store();
  const { profile, companyId, family } = group;
  const filter = { profile, companies: [companyId], families: [family] };
  let after: DocumentRow | undefined;
  for (;;) {
    const range = { since: month.since, until: month.until, limit: PAGE };
    const page = await documents.list({ ...filter, ...range, ...(after && { after }) });
    yield* page;
    after = page.at(-1);
    if (page.length < PAGE) return;
  }
}

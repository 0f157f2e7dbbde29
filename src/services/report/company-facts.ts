import type { ArchivedType } from '../../archive/manifest.js';
import type { ArchiveStorage } from '../../archive/storage.js';
import { operations } from '../../contract/operations.js';
import type { Operation } from '../../contract/operation.js';
import type { Text } from '../../contract/text.js';
import { parseUtc } from '../../domain/dates.js';
import { lawDeadlines } from '../../domain/deadline.js';
import type { Direction } from '../../domain/direction.js';
import type { ReportFacts, UsageFacts } from '../../report/facts.js';
import { groupOf, typesOf } from '../closing/direction.js';
import { type FoundClose, readClose } from '../closing/found-close.js';
import type { Month } from '../closing/month.js';
import { keptCertificates } from '../company/certificate.js';
import type { Context } from '../context.js';
import { issuedReadAt, listsReadAt } from '../documents/facts.js';
import { readTerms } from '../documents/terms.js';
import type { AccountCompany } from '../scope/scope.js';
import { closeFacts } from './close-facts.js';
import { commandLines } from './command-lines.js';
import { readIssuedMonth } from './issued-documents.js';
import { type MonthRequest, readMonthDocuments } from './read-documents.js';

interface FactsRequest {
  readonly direction: Direction;
  readonly month: Month;
  readonly company: AccountCompany;
  readonly storage: ArchiveStorage;
  readonly version: string;
  /**
   * By which terms run out, in milliseconds. `newest-data`: the last close or sync that the facts rest on, so that the same data
   * make the same report on any day.
   */
  readonly at: number | 'newest-data';
}

/** What the report of a company says of a month: the close in the archive, and what this machine knows. Makes no request. */
export async function readReportFacts(context: Context, request: FactsRequest): Promise<ReportFacts> {
  const { direction, month, company, storage, version } = request;
  const { storeNamespace, profile } = await context.settings();
  const store = await context.store();
  const close = await readClose({ storage, month, companyId: company.id, direction });
  const types: readonly ArchivedType[] = typesOf[direction];
  const lists = await Promise.all(
    types.map(async (family) => {
      const group = groupOf(direction, { profile: storeNamespace, companyId: company.id }, family);
      const readAt = direction === 'issued' ? issuedReadAt(store, group) : listsReadAt(store, group);
      return { family, readAt: (await readAt) ?? null };
    }),
  );
  const at = request.at === 'newest-data' ? newestOf({ month, close, lists }) : request.at;
  const { stored, withoutTerms, undecided } = await storedDocuments(context, direction, {
    ...{ month, company, proven: close.entries, at },
  });
  const certificates = await keptCertificates(store, storeNamespace, { companies: [company], now: at });
  const terms =
    direction === 'issued' ? undefined : await readTerms(context, [company], { rules: lawDeadlines, at });
  const lines = commandLines({ direction, month, company, storage, profile, manifest: close.path });
  return {
    ...{ direction, month: month.name, company, madeAt: at, version, lists, withoutTerms, undecided },
    ...(request.at === 'newest-data' && { isOfData: true }),
    close: closeFacts(close, stored, lines),
    documents: stored.map(({ document }) => document),
    terms: terms && { horizon: terms.horizon, ...terms.of(company.id) },
    certificate: certificates.get(company.id),
    usage: await usageOf(context, request),
    commands: lines.report,
  };
}

async function storedDocuments(context: Context, direction: Direction, request: MonthRequest) {
  if (direction === 'issued') return { ...(await readIssuedMonth(context, request)), withoutTerms: 0 };
  return { ...(await readMonthDocuments(context, request)), undecided: { refused: 0, notFinal: 0 } };
}

interface Dated extends Pick<ReportFacts, 'lists'> {
  readonly month: Month;
  readonly close: Pick<FoundClose, 'closedAt'>;
}

/** The end of the month for a company of which nothing was ever read. */
function newestOf({ month, close: { closedAt = '' }, lists }: Dated): number {
  const times = [parseUtc(closedAt), ...lists.map(({ readAt }) => readAt ?? undefined)];
  const known = times.filter((at) => at !== undefined);
  return known.length === 0 ? month.until : Math.max(...known);
}

/** The billed calls of the month in the store, by operation. */
async function usageOf(context: Context, { month, company }: FactsRequest): Promise<readonly UsageFacts[]> {
  const { storeNamespace: profile } = await context.settings();
  const { usage } = await context.store();
  const rows = await usage.list({ profile, companyIds: [company.id], since: month.since });
  const sums = new Map<string, UsageFacts>();
  for (const { operation, outcome, at } of rows) {
    if (at >= month.until) continue;
    const before = sums.get(operation) ?? {
      operation: nameOf(operation),
      billed: 0,
      unknown: 0,
      freeRepeats: 0,
    };
    const name = ({ billed: 'billed', unknown: 'unknown', repeat: 'freeRepeats' } as const)[outcome];
    sums.set(operation, { ...before, [name]: before[name] + 1 });
  }
  return [...sums.entries()].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, sum]) => sum);
}

function nameOf(operation: string): Text {
  const rows: Readonly<Record<string, Operation>> = operations;
  return rows[operation]?.summary ?? { en: operation, pt: operation };
}

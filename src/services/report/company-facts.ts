import { version } from '../../domain/version.js';
import type { ArchivedType } from '../../archive/manifest.js';
import type { ArchiveStorage } from '../../archive/storage.js';
import type { Operation } from '../../contract/operation.js';
import { operations } from '../../contract/operations.js';
import type { Text } from '../../contract/text.js';
import { fiscalLine } from '../../domain/command-words.js';
import { DAY_MS, parseUtc } from '../../domain/dates.js';
import { lawDeadlines } from '../../domain/deadline.js';
import type { Direction } from '../../domain/direction.js';
import { CERTIFICATE_DAYS } from '../../domain/term-horizon.js';
import type { ReportCommands, ReportFacts, UsageFacts } from '../../report/facts.js';
import type { DocumentRow } from '../../store/documents.js';
import { groupOf, typesOf } from '../closing/direction.js';
import { entryName, type FoundClose, readClose } from '../closing/found-close.js';
import { clockRange, type Month } from '../closing/month.js';
import { endsBy, keptCertificates } from '../company/certificate.js';
import type { Context } from '../context.js';
import { issuedReadAt, listsReadAt } from '../documents/facts.js';
import { documentPages } from '../documents/pages.js';
import { recordOf } from '../documents/record.js';
import { readTerms } from '../documents/terms.js';
import type { IssuedModel } from '../issued/book.js';
import { finalityOf } from '../issued/rows.js';
import type { AccountCompany } from '../scope/scope.js';
import { closeFacts, type DisableLine, type StoredDocument } from './close-facts.js';
import type { GapCommands } from './gap-words.js';
import { fileState, type MonthRequest, readMonthDocuments, shownAmount } from './read-documents.js';

interface LinesRequest {
  readonly direction: Direction;
  readonly month: Month;
  readonly company: AccountCompany;
  readonly storage: ArchiveStorage;
  readonly profile: string | undefined;
  readonly manifest: string;
}

/** The commands that a report prints. A folder is named as seen from inside, so that the report tells no path of this machine. */
function commandLines({ direction, month, company, storage, profile, manifest }: LinesRequest) {
  const isBucket = storage.location.startsWith('s3://');
  const of = { company: company.id, profile };
  // Issued invoices are always listed whole.
  const since = direction === 'issued' ? [] : [['--since', `${month.name}-01`] as const];
  const line = (command: string, ...flags: readonly (readonly [string, string | true])[]) =>
    fiscalLine({ command, flags, ...of });
  const isIssued = direction === 'issued';
  const sync = isIssued ? 'invoice sync' : 'inbound sync';
  const side = isIssued ? [['--direction', direction] as const] : [];
  const close = { command: 'inbound close', positionals: [month.name], ...of };
  const report: ReportCommands = {
    sync: line(sync),
    close: fiscalLine({ ...close, flags: side }),
    verify: fiscalLine({
      command: 'inbound verify',
      flags: [['--manifest', isBucket ? storage.nameOf(manifest) : manifest]],
    }),
    due: line('manifestation due'),
    certificate: line('certificate list'),
  };
  const gaps: GapCommands = {
    sync: line(sync, ...since),
    repair: line(sync, ['--repair', true], ...since),
    retry: line(sync, ['--retry-quarantined', true], ...since),
    full: line(sync, ['--full', true]),
    plan: line('manifestation plan', ['--new', true], ['--event', 'awareness'], ['--out', 'plan.csv']),
    outstanding: line('inbound outstanding', ['--written-off', true]),
    followLinks: fiscalLine({ ...close, flags: [...side, ['--follow-links', true]] }),
  };
  const disable: DisableLine = (model, { serie, first, last }) => {
    const numbers = [
      ['--serie', String(serie)],
      ['--from', String(first)],
      ['--to', String(last)],
    ] as const;
    return `${line('invoice disable', ['--model', model], ...numbers)} --state <UF> --reason <text>`;
  };
  return { report, gaps, disable };
}

const BATCH = 1_000;

interface IssuedMonth {
  readonly stored: readonly StoredDocument[];
  /** Invoices that are no documents: rejected, denied or disabled, and those whose state may still change. */
  readonly undecided: { readonly refused: number; readonly notFinal: number };
}

/** The invoices of the month that this machine has read from the lists of issued ones. Makes no request. */
async function readIssuedMonth(
  context: Context,
  { month, company, proven }: Pick<MonthRequest, 'month' | 'company' | 'proven'>,
): Promise<IssuedMonth> {
  const { storeNamespace } = await context.settings();
  const { documents } = await context.store();
  const stored: StoredDocument[] = [];
  const undecided = { refused: 0, notFinal: 0 };
  for (const type of typesOf.issued) {
    const { profile, family } = groupOf('issued', { profile: storeNamespace, companyId: company.id }, type);
    const range = { ...clockRange(month), limit: BATCH };
    const filter = { profile, companies: [company.id], families: [family], ...range };
    for await (const page of documentPages(documents, filter)) {
      context.interruption.throwIfAborted();
      for (const row of page) {
        const finality = finalityOf(row.status);
        if (finality === 'refused') undecided.refused += 1;
        else if (finality === 'not-final') undecided.notFinal += 1;
        else stored.push({ status: row.status, document: documentOf(row, type, proven) });
      }
    }
  }
  return { stored, undecided };
}

function documentOf(row: DocumentRow, type: IssuedModel, proven: MonthRequest['proven']) {
  const { key, recipient, recipientName, day, competence, amountText, state } = recordOf(row);
  return {
    ...{ key, family: type, party: recipient, partyName: recipientName },
    ...{ day, competence, amount: shownAmount(amountText), state: state.state },
    file: fileState(row.state === 'archived', row.xmlKind),
    isProven: proven.has(entryName({ type, key })),
    manifestation: 'not-due' as const,
    terms: [],
    answers: [],
  };
}

interface FactsRequest {
  readonly direction: Direction;
  readonly month: Month;
  readonly company: AccountCompany;
  readonly storage: ArchiveStorage;
  /**
   * By which terms run out, in milliseconds. `newest-data`: the last close or sync that the facts rest on, so that the same data
   * make the same report on any day.
   */
  readonly at: number | 'newest-data';
}

/** What the report of a company says of a month: the close in the archive, and what this machine knows. Makes no request. */
export async function readReportFacts(context: Context, request: FactsRequest): Promise<ReportFacts> {
  const { direction, month, company, storage } = request;
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
  const certificate = certificates.get(company.id);
  const terms = direction === 'issued' ? undefined : await readTerms(context, [company], { rules: lawDeadlines, at });
  const lines = commandLines({ direction, month, company, storage, profile, manifest: close.path });
  return {
    ...{ direction, month: month.name, company, madeAt: at, version, lists, withoutTerms, undecided },
    ...(request.at === 'newest-data' && { isOfData: true }),
    close: closeFacts(close, stored, lines),
    documents: stored.map(({ document }) => document),
    terms: terms && { horizon: terms.horizon, ...terms.of(company.id) },
    certificate: certificate && { ...certificate, isEnding: endsBy(certificate, at + CERTIFICATE_DAYS * DAY_MS) },
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
    const before = sums.get(operation) ?? { operation: nameOf(operation), billed: 0, unknown: 0, freeRepeats: 0 };
    const name = ({ billed: 'billed', unknown: 'unknown', repeat: 'freeRepeats' } as const)[outcome];
    sums.set(operation, { ...before, [name]: before[name] + 1 });
  }
  return [...sums.entries()].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, sum]) => sum);
}

function nameOf(operation: string): Text {
  const rows: Readonly<Record<string, Operation>> = operations;
  return rows[operation]?.summary ?? { en: operation, pt: operation };
}

import { keepOldHeapSmall } from '../../jobs/small-heap.js';
import type { Text } from '../../contract/text.js';
import { canonicalJson } from '../../domain/canonical-json.js';
import { isDenial } from '../../domain/event-codes.js';
import type { Outcome } from '../../domain/outcome.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { PlannedItem } from '../../jobs/engine.js';
import { manifestationFacts, type Submission } from '../../jobs/kinds/manifestation.js';
import { sendsOf, dryRunOnly, leftOutNotices, RunningDigest } from '../../services/batch/import.js';
import type { BatchOptions } from '../../services/batch/run-batch.js';
import type { Context } from '../../services/context.js';
import { LineProblems } from '../../services/input/line-problems.js';
import type { InputFormat } from '../../services/input/record.js';
import { openSource, type Source } from '../../services/input/source.js';
import { namedCompany } from '../../services/scope/companies.js';
import { companyOfRow } from '../../services/scope/row.js';
import { confirmBulk, plannedItem, runBulk, type BulkCounts } from './bulk.js';
import { companyOfNote } from './company.js';
import { submissionRecords, type RecordOptions, type SubmissionRecord } from './import-records.js';
import type { Finding } from './event-key.js';
import { previewSubmission } from './preview-submission.js';

interface ImportRequest {
  /** A path, or `-` for standard input. */
  readonly file: string;
  readonly format: InputFormat | undefined;
  readonly skipInvalid: boolean;
  readonly unchecked: boolean;
  /** The user vouches for the company of every row. */
  readonly companyUnchecked: boolean;
  /** The company's id, given where events deny documents. */
  readonly confirm: string | undefined;
  readonly options: BatchOptions;
}

/**
 * Submits many events as one job. The input is read twice, in flat memory: first every record is checked, so that one bad
 * record means that nothing is sent; then the job is written. The same content again resumes the same job.
 * Errors: `input.*`, `usage.confirmation_required`, and those of `runBatch`.
 */
export async function importManifestations(context: Context, request: ImportRequest): Promise<Outcome> {
  keepOldHeapSmall();
  const { dryRun } = await context.settings();
  const company = await namedCompany(context);
  const { format, unchecked, companyUnchecked } = request;
  const isAsked = company === undefined && !companyUnchecked && !dryRun;
  const reading: RecordOptions = {
    ...{ format, unchecked, companyUnchecked, companyId: company },
    companyOfRow: async (cell) => await companyOfRow(context, cell),
    ...(isAsked ? { companyOf: async (accessKey) => await companyOfNote(context, accessKey) } : {}),
  };
  const source = await openSource(context, request.file, { again: !dryRun });
  try {
    const found = await validateAll(submissionRecords(source, reading), source.name);
    if (found.problems.lines > 0 && !request.skipInvalid) throw found.problems.error(source.name);
    if (dryRun) return await dryRunOf(context, found);
    if (found.first === undefined) throw new FiscalError('input.empty', { path: source.name });
    const sending = { request, source, found, reading, family: found.first.family };
    const counts = await countSends(context, sending);
    if (counts.valid > 0) await confirmBulk(context, counts, request.confirm);
    return await send(context, sending);
  } finally {
    await source.close();
  }
}

interface Sending {
  readonly request: ImportRequest;
  readonly source: Source;
  readonly found: ValidatedFile;
  readonly reading: RecordOptions;
  readonly family: Submission['family'];
}

/** What this run will send: nothing of what an earlier one has sent. */
async function countSends(context: Context, sending: Sending): Promise<BulkCounts> {
  const { space: profile } = await context.settings();
  const { request, family } = sending;
  const intended = {
    ...{ kind: manifestationFacts(family), profile, inputDigest: await inputDigest(context, sending) },
    items: () => plan(sending),
    retryBillable: request.options.retryBillable,
    variantOf: ({ companyId = '' }: Submission) => companyId,
  };
  const events = new Map<number, number>();
  let valid = 0;
  const companies = new Map<string, number>();
  let denials = 0;
  for await (const { input } of sendsOf(context, intended)) {
    valid += 1;
    const denied = isDenial(input.eventCode) ? 1 : 0;
    denials += denied;
    const companyId = input.companyId ?? '';
    companies.set(companyId, (companies.get(companyId) ?? 0) + denied);
    events.set(input.eventCode, (events.get(input.eventCode) ?? 0) + 1);
  }
  return { valid, events, denials, companies };
}

async function inputDigest(context: Context, { found }: Sending): Promise<string> {
  const company = await namedCompany(context);
  return `import ${company ?? ''} ${found.digest}`;
}

async function send(context: Context, sending: Sending): Promise<Outcome> {
  const { request, found, family } = sending;
  const company = await namedCompany(context);
  const outcome = await runBulk(context, {
    inputDigest: await inputDigest(context, sending),
    companies: company === undefined ? [] : [company],
    family,
    items: plan(sending),
    options: request.options,
    summary: () => ({ invalid: found.problems.lines }),
  });
  return { ...outcome, notices: [...noticesOf(found), ...(outcome.notices ?? [])] };
}

/** The second reading. What differs from the first is no file that anybody has seen: nothing is sent. */
async function* plan({ source, found, reading }: Sending): AsyncIterable<PlannedItem<Submission>> {
  const digest = new RunningDigest();
  for await (const record of submissionRecords(source, reading)) {
    if ('problems' in record) continue;
    digest.add(digestLine(record.submission));
    yield plannedItem(record.line, record.submission);
  }
  if (digest.text() !== found.digest) throw new FiscalError('input.changed', { path: source.name });
}

async function dryRunOf(context: Context, found: ValidatedFile): Promise<Outcome> {
  const { first, valid, problems, events } = found;
  const preview = first === undefined ? { type: 'dry-run' } : await previewSubmission(context, first);
  const counts = { records: valid + problems.lines, valid, invalid: problems.lines };
  return {
    data: { ...preview, ...counts, events: Object.fromEntries(events), billedCalls: 0 },
    notices: [...noticesOf(found), dryRunOnly],
  };
}

function noticesOf({ problems, notes, noted }: ValidatedFile): readonly Text[] {
  const words = notes.map(({ field, message }) => ({
    en: `${field} ${message.en} (in ${noted} records)`,
    pt: `${field} ${message.pt} (em ${noted} registros)`,
  }));
  return [...words, ...leftOutNotices(problems)];
}

/** What the first reading of a bulk file found. Of the records only the first stays in memory. */
interface ValidatedFile {
  readonly valid: number;
  /** How many of each event. */
  readonly events: ReadonlyMap<number, number>;
  /** How many deny a document: 210220, 210240, 203206. */
  readonly denials: number;
  readonly problems: LineProblems;
  /** Digest of the valid submissions in their order: the same content finds the same job. */
  readonly digest: string;
  readonly first: Submission | undefined;
  /** Records with something to say, and the words of the first of them. */
  readonly noted: number;
  readonly notes: readonly Finding[];
}

/** Reads everything once. Error: `input.empty`. */
async function validateAll(records: AsyncIterable<SubmissionRecord>, name: string): Promise<ValidatedFile> {
  const problems = new LineProblems();
  const digest = new RunningDigest();
  const events = new Map<number, number>();
  let denials = 0;
  let noted = 0;
  let first: Submission | undefined;
  let notes: readonly Finding[] = [];
  for await (const record of records) {
    if ('problems' in record) {
      problems.add(record.line, record.problems);
      continue;
    }
    const { submission } = record;
    first ??= submission;
    if (record.notes.length > 0) noted += 1;
    if (notes.length === 0) notes = record.notes;
    if (isDenial(submission.eventCode)) denials += 1;
    events.set(submission.eventCode, (events.get(submission.eventCode) ?? 0) + 1);
    digest.add(digestLine(submission));
  }
  if (digest.count === 0 && problems.lines === 0) throw new FiscalError('input.empty', { path: name });
  const { count: valid } = digest;
  return { valid, events, denials, problems, digest: digest.text(), first, noted, notes };
}

/** A submission as the digest takes it. */
function digestLine(submission: Submission): string {
  return `${canonicalJson(submission)}\n`;
}

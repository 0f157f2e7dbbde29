import { counted } from '../../domain/counted.js';
import { isDenial } from '../../domain/event-codes.js';
import type { Outcome } from '../../domain/outcome.js';
import type { Submission } from '../../jobs/kinds/manifestation.js';
import { runImport, type Send } from '../../services/batch/import.js';
import { validateAll, type Validated } from '../../services/batch/import-input.js';
import type { BatchOptions } from '../../services/batch/run-batch.js';
import type { Context } from '../../services/context.js';
import type { RecordForm } from '../../services/input/record.js';
import type { Source } from '../../services/input/source.js';
import { namedCompany, companyOfRow } from '../../services/scope/companies.js';
import { type BulkCounts, bulkJob, confirmBulk, plannedItem } from './bulk.js';
import { companyOfNote } from './company.js';
import type { Finding } from './event-key.js';
import { type RecordOptions, submissionInput, type ValidSubmission } from './import-records.js';
import { previewSubmission } from './submission.js';

export interface ImportRequest extends RecordForm {
  readonly skipInvalid: boolean;
  readonly unchecked: boolean;
  /** The user takes responsibility for the company of every row. */
  readonly companyUnchecked: boolean;
  /** The company's id, given where events deny documents. */
  readonly confirm: string | undefined;
  readonly options: BatchOptions;
}

/** What the first reading of a bulk file found. */
interface ValidatedEvents extends Validated<ValidSubmission> {
  /** How many of each event. */
  readonly events: ReadonlyMap<number, number>;
  /** The number of records with warnings, and the warnings of the first. */
  readonly noted: number;
  readonly notes: readonly Finding[];
}

/** Submits many events as one job. Errors: `input.*`, those of `confirmBulk`, and those of `runImport`. */
export async function importManifestations(
  context: Context,
  source: Source,
  request: ImportRequest,
): Promise<Outcome> {
  const { dryRun } = await context.settings();
  const company = await namedCompany(context);
  const { format, encoding, sheet, unchecked, companyUnchecked, skipInvalid, options } = request;
  const isAsked = company === undefined && !companyUnchecked && !dryRun;
  const reading: RecordOptions = {
    ...{ format, encoding, sheet, unchecked, companyUnchecked, companyId: company },
    companyOfRow: async (cell) => await companyOfRow(context, cell),
    ...(isAsked ? { companyOf: async (accessKey) => await companyOfNote(context, accessKey) } : {}),
  };
  const input = submissionInput(source, reading);
  return await runImport<ValidSubmission, ValidatedEvents, Submission>(context, {
    ...{ input, skipInvalid, options },
    validate: async () => {
      const events = new Map<number, number>();
      let noted = 0;
      let first: readonly Finding[] = [];
      const found = await validateAll(input, ({ submission: { eventCode }, notes }) => {
        if (notes.length > 0) noted += 1;
        if (first.length === 0) first = notes;
        events.set(eventCode, (events.get(eventCode) ?? 0) + 1);
      });
      return { ...found, events, noted, notes: first };
    },
    preview: async (first) =>
      first === undefined ? { type: 'dry-run' } : await previewSubmission(context, first.submission),
    counts: ({ events }) => ({ events: Object.fromEntries(events), billedCalls: 0 }),
    notices: ({ notes, noted }) =>
      notes.map(({ field, message }) => {
        const records = counted(noted, { en: ['record', 'records'], pt: ['registro', 'registros'] });
        return {
          en: `${field} ${message.en} (in ${records.en})`,
          pt: `${field} ${message.pt} (em ${records.pt})`,
        };
      }),
    job: ({ digest }, { submission: { family } }) =>
      bulkJob(context, {
        inputDigest: `import ${company ?? ''} ${digest}`,
        companies: company === undefined ? [] : [company],
        family,
      }),
    item: async ({ line, submission }) => plannedItem(line, submission),
    variantOf: ({ companyId = '' }) => companyId,
    consent: async (sends) => {
      const counts = await countEvents(sends);
      if (counts.valid > 0) await confirmBulk(context, counts, request.confirm);
    },
  });
}

async function countEvents(sends: AsyncIterable<Send<Submission>>): Promise<BulkCounts> {
  const events = new Map<number, number>();
  const companies = new Map<string, number>();
  let valid = 0;
  let denials = 0;
  for await (const { input } of sends) {
    valid += 1;
    const denied = isDenial(input.eventCode) ? 1 : 0;
    denials += denied;
    const companyId = input.companyId ?? '';
    companies.set(companyId, (companies.get(companyId) ?? 0) + denied);
    events.set(input.eventCode, (events.get(input.eventCode) ?? 0) + 1);
  }
  return { valid, events, denials, companies };
}

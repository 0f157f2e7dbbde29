import type { Text } from '../../contract/text.js';
import { eventOfCode, isDenial } from '../../domain/event-codes.js';
import { counted, nouns } from '../../domain/counted.js';
import { filled } from '../../errors/text-template.js';
import { reasons } from '../../errors/reasons.js';
import { Prose } from '../../domain/prose.js';
import { answerFields } from '../../jobs/authority-answer.js';
import type { PlannedItem } from '../../jobs/engine.js';
import { manifestationFacts, submissionKey, type Submission, isSameEvent } from '../../jobs/kinds/manifestation.js';
import type { ImportJob, Send } from '../../services/batch/import.js';
import type { BatchFamily, ItemProblem } from '../../services/batch/run-batch.js';
import { consentToBatch } from '../../services/batch/start-job.js';
import type { Context } from '../../services/context.js';
import { companyOf } from '../../services/scope/companies.js';
import { companyNamed } from '../../services/scope/text.js';
import type { ItemRow } from '../../store/store.js';
import { answerHere } from '../../services/documents/event-answers.js';
import { eventScopeOf, type EventScope } from './company.js';
import { companyFields, rememberItems } from './remember.js';
import { eventNameOf, labelOf } from './shown.js';

/** How many of each event, for the question. */
interface BulkCounts {
  readonly valid: number;
  readonly events: ReadonlyMap<number, number>;
  readonly denials: number;
  /** The companies by id, each with its number of denials; empty when unknown. */
  readonly companies: ReadonlyMap<string, number>;
}

/** Counts them; `sends` are read once. */
export async function countEvents(
  sends: AsyncIterable<Pick<Send<Submission>, 'input'>> | Iterable<Pick<Send<Submission>, 'input'>>,
): Promise<BulkCounts> {
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

/**
 * Asks before events go out in bulk: they are declarations to the tax authority. Events that deny a document also ask for
 * the ids of their companies. Errors: `usage.confirmation_required`, `usage.declined`, `usage.missing`.
 */
export async function confirmBulk(context: Context, counts: BulkCounts, confirm: string | undefined): Promise<void> {
  const { storeNamespace } = await context.settings();
  const companies = [...counts.companies.keys()].filter((id) => id !== '');
  const named = await Promise.all(companies.map((id) => companyNamed(context, id)));
  const what = bulkText(counts, storeNamespace, named);
  if (counts.denials === 0) {
    await consentToBatch(context, { what });
    return;
  }
  const denying = companies.filter((id) => (counts.companies.get(id) ?? 0) > 0);
  const value = denying.length > 0 ? denying.join(',') : await companyOf(context);
  await consentToBatch(context, { what, confirmWith: { value, given: confirm } });
}

interface BulkRequest {
  /** Identifies the file or plan: the same digest finds the same job. */
  readonly inputDigest: string;
  /** The ids of the companies that are named. */
  readonly companies: readonly string[];
  /** Of the first submission; the job is named after it. */
  readonly family: Submission['family'];
}

/** The job of many submissions, whatever documents they are about. */
export async function bulkJob(
  context: Context,
  { inputDigest, companies, family }: BulkRequest,
): Promise<ImportJob<Submission>> {
  const scope = await eventScopeOf(context, companies.length === 1 ? companies[0] : '');
  return {
    family: manifestationFamily(context, scope),
    job: {
      kind: manifestationFacts(family),
      profile: scope.storeNamespace,
      inputDigest,
      scope: { companyId: scope.company },
      companies,
    },
  };
}

/** A submission as the job takes it; `ordinal` is its line. */
export function plannedItem(ordinal: number, submission: Submission): PlannedItem<Submission> {
  return { ordinal, label: labelOf(submission), dedupeKey: submissionKey(submission), input: submission };
}

function bulkText({ valid, events }: BulkCounts, storeNamespace: string, companies: readonly string[]): Text {
  const listed = (nameOf: (code: number) => string | undefined): string =>
    [...events].map(([code, count]) => `${count} × ${code} ${nameOf(code) ?? ''}`.trim()).join(', ');
  const whose = companies.map((company) => `, ${company}`).join('');
  const many = counted(valid, nouns.event);
  return {
    en: `submitting ${many.en} to the tax authority: ${listed(eventNameOf)} (0 billed calls, profile ${storeNamespace}${whose})`,
    pt: `enviar ${many.pt} à autoridade fiscal: ${listed((code) => eventOfCode(code)?.label.pt)} (0 chamadas cobradas, perfil ${storeNamespace}${whose})`,
  };
}

/** What a report of events has beside the columns of every report. */
export const eventReport = { idField: 'eventId', reportFields: ['protocol', 'answerCode', 'answerText'] } as const;

/** The batch family of manifestations: the event, its id, and a note about skipped ones. */
export function manifestationFamily(context: Context, scope: EventScope): BatchFamily {
  return {
    label: { en: 'manifestations', pt: 'manifestações' },
    ...eventReport,
    next: {
      en: 'the full XML of acknowledged NF-e comes with: fiscal inbound sync; what is still open: fiscal manifestation due',
      pt: 'o XML completo das NF-e com ciência vem com: fiscal inbound sync; o que resta em aberto: fiscal manifestation due',
    },
    read: async (item, duplicate = item, heard = undefined) =>
      answerFields(heard ?? (await answerHere(context, { id: duplicate.resourceId, itemId: duplicate.id }))),
    fields: (item, duplicate) => {
      // The row was written by the kind `manifestation`, whose input has this type.
      const submission = item.input as Submission;
      const { accessKey, eventCode } = submission;
      const eventId = item.resourceId ?? duplicate?.resourceId;
      const sequence = submission.family === 'nfe' ? submission.nSequencia : 1;
      return {
        ...{ accessKey, eventCode, nSequencia: sequence },
        ...companyFields(item, scope),
        ...(eventId === undefined ? {} : { eventId }),
        ...(duplicate === undefined ? {} : { duplicateOf: duplicate.id }),
      };
    },
    problem: async (item, duplicate) => {
      const [own, other] = [item, duplicate].map((each) => each && companyFields(each).companyId);
      if (duplicate === undefined) return undefined;
      if (own !== undefined && other !== undefined && own !== other)
        return await Promise.resolve(besideOther(duplicate, own));
      return isSame(item, duplicate) ? undefined : otherContent;
    },
    keep: async (items) => await rememberItems(await context.store(), scope, items),
  };
}

/** The same event with another text is not sent next to the active one; the user must know. */
const otherContent = { errorCode: 'manifestation.other_content', error: new Prose(reasons.otherEventContent) } as const;

/** The service accepts an event of a document once (§4), so the other company has none. */
function besideOther(duplicate: ItemRow, companyId: string): ItemProblem {
  const { attempts, state, answeredCompany, jobId } = duplicate;
  const errorCode = 'manifestation.other_content';
  if (answeredCompany === companyId) {
    return { errorCode, error: new Prose(filled(reasons.answeredAsThisCompany, { job: jobId })) };
  }
  const isUnsent = attempts === 0 && (state === 'failed' || state === 'prepared');
  return { errorCode, error: new Prose(isUnsent ? reasons.eventOfOtherCompanyFirst : reasons.eventOfOtherCompany) };
}

function isSame(item: ItemRow, duplicate: ItemRow): boolean {
  // Both rows were written by the kind `manifestation`.
  return isSameEvent(item.input as Submission, duplicate.input as Submission);
}

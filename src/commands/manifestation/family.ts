import { isSameEvent, type Submission } from '../../jobs/kinds/manifestation.js';
import type { ItemRow } from '../../store/store.js';
import type { BatchFamily, ItemProblem } from '../../services/batch.js';
import type { Context } from '../../services/context.js';
import type { Place } from './company.js';
import { companyFields, rememberItem } from './remember.js';

/** What manifestations add to a batch: the event, its id, a word about skipped ones, and what this machine keeps. */
export function manifestationFamily(context: Context, place: Place): BatchFamily {
  return {
    label: { en: 'manifestations', pt: 'manifestações' },
    idField: 'eventId',
    fields: (item, twin) => {
      // The row was written by the kind `manifestation`, whose input has this type.
      const submission = item.input as Submission;
      const { accessKey, eventCode } = submission;
      const eventId = item.resourceId ?? twin?.resourceId;
      const sequence = submission.family === 'nfe' ? submission.nSequencia : 1;
      return {
        ...{ accessKey, eventCode, nSequencia: sequence },
        ...companyFields(item, place),
        ...(eventId === undefined ? {} : { eventId }),
        ...(twin === undefined ? {} : { duplicateOf: twin.id }),
      };
    },
    problem: async (item, twin) => {
      const [own, other] = [item, twin].map((each) => each && companyFields(each).companyId);
      if (twin === undefined) return undefined;
      if (own !== undefined && other !== undefined && own !== other)
        return await Promise.resolve(besideOther(twin, own));
      return isSame(item, twin) ? undefined : otherContent;
    },
    keep: async (items) => {
      const store = await context.store();
      await Promise.all(items.map((item) => rememberItem(store, place, item)));
    },
  };
}

/** The same event with another text is not sent beside the living one; that deserves a word. */
const otherContent = {
  errorCode: 'manifestation.other_content',
  error: 'the same event was submitted with other content; it is not sent beside it',
} as const;

/** The service takes an event of a note once (§4), so that the other company has none. */
function besideOther(twin: ItemRow, companyId: string): ItemProblem {
  const { attempts, state, answeredCompany, jobId } = twin;
  const errorCode = 'manifestation.other_content';
  if (answeredCompany === companyId) {
    const error = `the service answered the same event, sent for another company, as one of this company: fiscal job show ${jobId}`;
    return { errorCode, error };
  }
  const isUnsent = attempts === 0 && (state === 'failed' || state === 'prepared');
  return {
    errorCode,
    error: isUnsent
      ? 'an item of the same event for another company comes first, and has not been sent; the same command goes on with both'
      : 'the same event was submitted for another company; it is not sent beside it',
  };
}

function isSame(item: ItemRow, twin: ItemRow): boolean {
  // Both rows were written by the kind `manifestation`.
  return isSameEvent(item.input as Submission, twin.input as Submission);
}

import type { Text } from '../../contract/text.js';
import { deadlinesOf, type Deadline, type DeadlineRule } from '../../domain/deadline.js';
import type { TableForm } from '../../services/input/cell-reader.js';
import type { Context } from '../../services/context.js';
import { DocumentEvents } from '../../services/documents/events.js';
import { readOpenSubjects, type OpenSubject } from '../../services/documents/open-subjects.js';
import { localCompanies } from '../../services/scope/companies.js';
import { readDocuments, readOwn } from './documents.js';
import { storeEvidence } from './store-evidence.js';

interface DueSource extends TableForm {
  /** A path, or `-`; absent: the documents in the store. */
  readonly input: string | undefined;
  readonly allCompanies: boolean;
  readonly own: readonly string[];
  readonly rules: readonly DeadlineRule[];
  readonly today: string;
  /** Days from today between which a term ends, as in `readOpenSubjects`. */
  readonly first: number;
  readonly last: number;
  isWanted(deadline: Deadline): boolean;
}

/** The documents with a wanted term, and what is known of their events. */
export interface DueSubjects {
  readonly subjects: readonly OpenSubject[];
  readonly known: DocumentEvents;
  /** True when the absence of a document proves that there is none. */
  readonly isProven: boolean;
  readonly notices: readonly Text[];
}

/** Errors: `usage.invalid_value` for `--own`, and those of the file. */
export async function readDueSubjects(context: Context, source: DueSource): Promise<DueSubjects> {
  const isOwn = await readOwn(context, source.own);
  if (source.input === undefined) {
    const companies = (await localCompanies(context, source.allCompanies))?.map(({ id }) => id);
    const { subjects, unreadable } = await readOpenSubjects(context, { ...source, companies, isOwn });
    const { isKnown, isFresh, notices } = await storeEvidence(context, companies, unreadable);
    const facts = subjects.map(({ fact }) => fact);
    const known = await DocumentEvents.about(context, facts);
    return { subjects, known, isProven: isKnown && isFresh, notices };
  }
  const { facts, notices } = await readDocuments(context, source);
  const subjects = facts
    .filter((fact) => !isOwn(fact))
    .map((fact) => ({ fact, deadlines: deadlinesOf(fact, source.rules) }))
    .filter(({ deadlines }) => deadlines.some((deadline) => source.isWanted(deadline)));
  return { subjects, known: await DocumentEvents.open(context), isProven: true, notices };
}

import type { Text } from '../../contract/text.js';
import { deadlinesOf, type DeadlineRule } from '../../domain/deadline.js';
import type { TermHorizon } from '../../domain/term-horizon.js';
import type { TableForm } from '../../services/input/cell-reader.js';
import type { Context } from '../../services/context.js';
import { DocumentEvents } from '../../services/documents/events.js';
import {
  type OpenSubjects,
  readOpenSubjects,
  typesWithTerms,
} from '../../services/documents/open-subjects.js';
import { localCompanies } from '../../services/scope/companies.js';
import { readDocuments, readOwn } from './documents.js';
import { storeEvidence } from './store-evidence.js';

interface DueSource extends TableForm {
  /** A path, or `-`; absent: the documents in the store. */
  readonly input: string | undefined;
  readonly allCompanies: boolean;
  readonly own: readonly string[];
  readonly rules: readonly DeadlineRule[];
  readonly horizon: TermHorizon;
}

/** The documents with a term until the end of the horizon, and what is known of their events. */
export interface DueSubjects extends OpenSubjects {
  readonly known: DocumentEvents;
  /** True when the absence of a document proves that there is none. */
  readonly isProven: boolean;
  readonly notices: readonly Text[];
}

/** Errors: `usage.invalid_value` for `--own`, and those of the file. */
export async function readDueSubjects(context: Context, source: DueSource): Promise<DueSubjects> {
  const isOwn = await readOwn(context, source.own);
  const { input, rules, allCompanies } = source;
  const families = typesWithTerms(rules);
  const lastDay = source.horizon.last;
  const eventsOf = ({ subjects }: Pick<OpenSubjects, 'subjects'>) =>
    DocumentEvents.about(
      context,
      subjects.map(({ fact }) => fact),
    );
  if (input === undefined) {
    const companies = (await localCompanies(context, allCompanies))?.map(({ id }) => id);
    const found = await readOpenSubjects(context, { rules, lastDay, companies, isOwn });
    const { isKnown, isFresh, notices } = await storeEvidence(context, {
      ...{ companies, families },
      unreadable: [...found.unreadable.values()].reduce((sum, count) => sum + count, 0),
    });
    return { ...found, known: await eventsOf(found), isProven: isKnown && isFresh, notices };
  }
  const { facts, notices } = await readDocuments(context, { ...source, families });
  const subjects = facts
    .filter((fact) => !isOwn(fact))
    .map((fact) => ({ fact, deadlines: deadlinesOf(fact, rules) }))
    .filter(({ deadlines }) => deadlines.some((deadline) => deadline.lastDay <= lastDay));
  return { subjects, unreadable: new Map(), known: await eventsOf({ subjects }), isProven: true, notices };
}

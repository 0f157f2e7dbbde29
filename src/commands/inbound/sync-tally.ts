import type { Text } from '../../contract/text.js';
import type { FiscalError } from '../../errors/fiscal-error.js';
import type { DocumentGroup } from '../../store/documents.js';

/** What was wrong with one document or event. */
export interface SyncProblem {
  readonly companyId: string;
  readonly family: string;
  readonly key: string;
  readonly state: 'failed' | 'quarantined' | 'gone';
  readonly code: string;
  readonly reason: Text;
}

/** How a group ended, beside its documents. */
export type GroupState = 'done' | 'off' | 'held' | 'failed';

/** Problems that are told one by one; beyond, they are counted, and the store knows them all. */
const MAX_TOLD = 1_000;

/** What happened to one company and family in this run. */
export class SyncTally {
  state: GroupState = 'done';
  error: FiscalError | undefined;
  /** Until then the service captures nothing new for the company (§2). */
  spacedUntil: string | undefined;
  /** The capture is registered and switched off: nothing new comes. */
  isInactive = false;
  /** New in the list, and changed since. */
  added = 0;
  changed = 0;
  /** Full XML that came in this run. */
  archived = 0;
  /** Summaries that came in this run: their full XML is still to come. */
  summaries = 0;
  pdfs = 0;
  events = 0;
  quarantined = 0;
  gone = 0;
  failed = 0;
  bytes = 0;
  /** Of the files that `--repair` found missing or changed: those that are right again, and those that are not. */
  repaired = 0;
  unrepaired = 0;
  /** At the end of the run, with those of earlier runs: what is listed and did not come, and what a person has written off. */
  outstanding = 0;
  writtenOff = 0;
  /** Rows of a list that name no document. */
  unreadable = 0;
  readonly problems: SyncProblem[] = [];

  constructor(readonly group: Pick<DocumentGroup, 'companyId' | 'family'>) {}

  note(problem: Omit<SyncProblem, 'companyId' | 'family'>): void {
    this[problem.state] += 1;
    const { companyId, family } = this.group;
    if (this.problems.length < MAX_TOLD) this.problems.push({ companyId, family, ...problem });
  }

  get isIncomplete(): boolean {
    const { state, outstanding, failed, quarantined, unreadable, unrepaired } = this;
    const count = outstanding + failed + quarantined + unreadable + unrepaired;
    return state === 'failed' || state === 'held' || count > 0;
  }
}

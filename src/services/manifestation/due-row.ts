import type { DeadlineWarning } from '../../domain/deadline.js';
import type { EventClass } from '../../domain/deadline-rules.js';

/** One document and one class of event that is not settled. */
export interface DueRow {
  readonly accessKey: string;
  readonly eventClass: EventClass;
  /** The last day, in Brasília. */
  readonly deadline: string;
  /** 0: today is the last day; below: it is over. */
  readonly daysLeft: number;
  /** sent: an event is on its way, its end is not known yet. */
  readonly state: 'overdue' | 'open' | 'sent';
  readonly supplier: string;
  readonly amount?: string;
  readonly issuedOn: string;
  readonly companyId?: string;
  readonly rule: string;
  readonly source: string;
  readonly warnings?: readonly DeadlineWarning[];
}

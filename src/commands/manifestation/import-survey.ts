import { RunningDigest } from '../../services/input/running-digest.js';
import { canonicalJson } from '../../domain/canonical-json.js';
import { isDenial } from '../../domain/event-code.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { Submission } from '../../jobs/kinds/manifestation.js';
import { LineProblems } from '../../services/input/line-problems.js';
import type { SubmissionRecord } from './import-records.js';
import type { Finding } from './written-submission.js';

/** What the first reading of a bulk file found. Of the records only the first stays in memory. */
export interface Survey {
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
export async function survey(records: AsyncIterable<SubmissionRecord>, name: string): Promise<Survey> {
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
export function digestLine(submission: Submission): string {
  return `${canonicalJson(submission)}\n`;
}

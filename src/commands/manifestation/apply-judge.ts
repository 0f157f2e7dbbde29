import type { Text } from '../../contract/text.js';
import type { DocumentFact } from '../../domain/document-fact.js';
import type { Context } from '../../services/context.js';
import type { PlanEntry } from './apply-rows.js';
import { DocumentEvents } from '../../services/document-events.js';
import { fingerprintOf } from './plan-row.js';
import { tripleOf } from './remember.js';

/** A row that is not sent, and why. */
export interface ChangedEntry {
  readonly entry: PlanEntry;
  readonly reason: Text;
}

export interface Judged {
  readonly unchanged: readonly PlanEntry[];
  readonly changed: readonly ChangedEntry[];
}

/**
 * Holds every row against what is known now. The events that the plan itself asks for are no change: an earlier run of
 * the same plan may have sent them.
 */
export async function judgeEntries(
  context: Context,
  entries: readonly PlanEntry[],
  facts: ReadonlyMap<string, readonly DocumentFact[]>,
): Promise<Judged> {
  const documentEvents = await DocumentEvents.open(context);
  const asked = new Set(entries.map(({ submission }) => wordOf(tripleOf(submission))));
  const unchanged: PlanEntry[] = [];
  const changed: ChangedEntry[] = [];
  for (const entry of entries) {
    const { accessKey, companyId } = entry.submission;
    // What another company holds says nothing about this one's.
    const known = (facts.get(accessKey) ?? []).filter(
      (fact) => companyId === undefined || fact.companyId === undefined || fact.companyId === companyId,
    );
    let isUnchanged = false;
    for (const fact of known) {
      const { events } = await documentEvents.of(fact);
      const others = events.filter(
        ({ eventCode, sequence }) => !asked.has(wordOf({ accessKey, eventCode, nSequencia: sequence })),
      );
      isUnchanged ||= fingerprintOf(fact, others) === entry.fingerprint;
    }
    if (isUnchanged) unchanged.push(entry);
    else changed.push({ entry, reason: known.length === 0 ? notKnown : isOther });
  }
  return { unchanged, changed };
}

function wordOf(triple: {
  readonly accessKey: string;
  readonly eventCode: number;
  readonly nSequencia: number;
}): string {
  return `${triple.accessKey} ${triple.eventCode} ${triple.nSequencia}`;
}

const notKnown: Text = {
  en: 'the document is not known here: give the --input that the plan was made from',
  pt: 'o documento não é conhecido aqui: informe o --input com que o plano foi feito',
};

const isOther: Text = {
  en: 'the document or its events changed since the plan was made',
  pt: 'o documento ou seus eventos mudaram desde que o plano foi feito',
};

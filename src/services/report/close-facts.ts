import { notFollowed } from '../../archive/storage.js';
import type { CloseFacts, CoverageFacts, ReportDocument } from '../../report/facts.js';
import type { FamilyCoverage } from '../closing/coverage.js';
import { entryName, type FoundClose } from '../closing/found-close.js';
import { judge, rulesOf } from '../closing/verdict.js';
import { gapFacts, type GapCommands } from './gap-words.js';

/** A document of the report, with the status that the service reports. */
export interface StoredDocument {
  readonly document: ReportDocument;
  readonly status: string | undefined;
}

/** What the report says of a close. */
export function closeFacts(
  found: FoundClose,
  stored: readonly StoredDocument[],
  commands: GapCommands,
): CloseFacts {
  const { verdict, closedAt, facts, sha256, entries, path } = found;
  const known = new Set<string>();
  let [added, changed] = [0, 0];
  for (const { document, status } of stored) {
    const name = entryName({ type: document.family, key: document.key });
    known.add(name);
    if (!entries.has(name)) added += 1;
    else if (entries.get(name) !== status) changed += 1;
  }
  const unknown = [...entries.keys()].filter((name) => !known.has(name)).length;
  const link = found.isBehindLink === true ? [behindLink] : [];
  return {
    verdict,
    ...(closedAt === undefined ? {} : { closedAt }),
    reasons: [...link, ...(facts === undefined ? [] : judge(facts).reasons.map(({ message }) => message))],
    gaps: facts === undefined ? [] : gapFacts(facts.gaps, commands),
    coverage: facts?.direction === 'received' ? facts.coverage.map(coverageFacts) : [],
    assumptions: facts === undefined ? [] : rulesOf[facts.direction].assumptions,
    ...(sha256 === undefined ? {} : { manifest: { path, sha256, entries: entries.size } }),
    since: { added, changed, unknown },
  };
}

const behindLink = {
  en: notFollowed,
  pt: 'a pasta é um link simbólico e não foi seguida: --follow-links a lê',
};

function coverageFacts({ family, capture, enabledSince, list, events, xml }: FamilyCoverage): CoverageFacts {
  return {
    ...{ family, capture, enabledSince, listReadAt: list.readAt, listed: list.documents },
    ...{ archived: xml.full, summaries: xml.summary },
    events: events === null && family === 'nfse' ? 'none' : eventFacts(events),
  };
}

function eventFacts(events: FamilyCoverage['events']) {
  return events === null ? { readAt: null, count: 0 } : { readAt: events.readAt, count: events.events };
}

import { notFollowed } from '../../archive/storage.js';
import type { CloseFacts, CoverageFacts, IssuedCoverageFacts, ReportDocument, SerieFacts } from '../../report/facts.js';
import type { FamilyCoverage, IssuedCoverage } from '../closing/coverage.js';
import { entryName, type FoundClose } from '../closing/found-close.js';
import { judge, rulesOf } from '../closing/verdict.js';
import { gapFacts, type GapCommands } from './gap-words.js';

/** A document of the report, with the status that the service reports. */
export interface StoredDocument {
  readonly document: ReportDocument;
  readonly status: string | undefined;
}

/** The command that disables the numbers of a serie. */
export type DisableLine = (
  model: string,
  numbers: { readonly serie: number; readonly first: number; readonly last: number },
) => string;

/** What the report says of a close. */
export function closeFacts(
  found: FoundClose,
  stored: readonly StoredDocument[],
  { gaps: commands, disable }: { readonly gaps: GapCommands; readonly disable: DisableLine },
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
  const link = found.isBehindLink === true ? [notFollowed] : [];
  return {
    verdict,
    ...(closedAt === undefined ? {} : { closedAt }),
    reasons: [...link, ...(facts === undefined ? [] : judge(facts).reasons.map(({ message }) => message))],
    gaps: facts === undefined ? [] : gapFacts(facts.gaps, commands),
    coverage: facts?.direction === 'received' ? facts.coverage.map(coverageFacts) : [],
    issued:
      facts?.direction === 'issued'
        ? { coverage: facts.coverage.map(issuedFacts), series: facts.coverage.flatMap((one) => seriesOf(one, disable)) }
        : { coverage: [], series: [] },
    assumptions: facts === undefined ? [] : rulesOf[facts.direction].assumptions,
    ...(sha256 === undefined ? {} : { manifest: { path, sha256, entries: entries.size } }),
    since: { added, changed, unknown },
  };
}

function coverageFacts({ family, capture, enabledSince, list, events, xml }: FamilyCoverage): CoverageFacts {
  return {
    ...{ family, capture, enabledSince, listReadAt: list.readAt, listed: list.documents },
    ...{ archived: xml.full, summaries: xml.summary },
    events: eventFacts(events),
  };
}

function issuedFacts({ family, list, refused, eventsAsked, xml }: IssuedCoverage): IssuedCoverageFacts {
  return {
    ...{ family, listReadAt: list.readAt, listed: list.documents, archived: xml.full, refused },
    eventsAskedAt: family === 'nfse' ? 'none' : (eventsAsked?.at ?? null),
  };
}

function seriesOf({ family, numbering }: IssuedCoverage, disable: DisableLine): readonly SerieFacts[] {
  return numbering.map(({ missingRanges, ...serie }) => ({
    family,
    ...serie,
    ranges: missingRanges.map(([first, last]) => ({
      ...{ first, last },
      disable: disable(family, { serie: serie.serie, first, last }),
    })),
  }));
}

function eventFacts(events: FamilyCoverage['events']) {
  return events === null ? { readAt: null, count: 0 } : { readAt: events.readAt, count: events.events };
}

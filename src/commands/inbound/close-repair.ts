import { formatUtc } from '../../domain/utc.js';
import { fiscalLine } from '../../domain/command-words.js';
import type { CloseKind } from './close-check.js';
import type { GroupResult } from './close-compare.js';

/** What a company's close came to, for the command that mends it. */
export interface Repairable {
  readonly company: string;
  readonly archive: string;
  readonly profile: string | undefined;
  readonly results: readonly GroupResult[];
}

/** Files that are gone, changed, or stand in the store as read and are not there. */
const byRepair: ReadonlySet<CloseKind> = new Set([
  ...(['file-missing', 'file-changed', 'not-a-document', 'event-not-archived'] as const),
  ...(['event-file-missing', 'event-file-changed'] as const),
]);

/** What a sync does nothing about: the taker's or recipient's event, the issuer's document, the service's list, a decision. */
const notBySync: ReadonlySet<CloseKind> = new Set([
  ...(['summary-only', 'signature-invalid', 'row-unreadable'] as const),
  ...(['written-off', 'event-written-off'] as const),
]);

/** The sync that fetches what is missing, with what it needs to reach it; `undefined` where no sync helps. */
export function repairCommand({ company, archive, results, profile }: Repairable): string | undefined {
  const broken = results.filter(({ problems }) => problems.some(({ kind }) => !notBySync.has(kind)));
  if (broken.length === 0) return undefined;
  const problems = broken.flatMap((result) => result.problems);
  const changes = broken.map(({ changedSince }) => changedSince).filter((at) => at !== undefined);
  const flags = [
    ['--type', broken.map(({ group }) => group.family).join(',')] as const,
    ...(changes.length === 0 ? [] : [['--since', sinceOf(Math.min(...changes))] as const]),
    ...(problems.some(({ kind }) => byRepair.has(kind)) ? [['--repair', true] as const] : []),
    ...(problems.some(({ kind }) => kind === 'not-archived') ? [['--retry-quarantined', true] as const] : []),
    ['--archive', archive] as const,
  ];
  return fiscalLine({ command: 'inbound sync', flags, company, profile });
}

/** The second in which the oldest of them was changed. */
function sinceOf(at: number): string {
  return formatUtc(Math.floor(at / 1000) * 1000).replace('.000Z', 'Z');
}

import { parseForeignJson } from '../../domain/json-numbers.js';
import type { ArchivedType, ManifestEntry } from '../../archive/manifest.js';
import { type ArchiveFile, readWhole } from '../../archive/storage.js';
import type { XmlFileKind } from '../../domain/document-fact.js';
import type { Direction } from '../../domain/direction.js';
import { fieldOf, isRecord } from '../../domain/record.js';
import { parseUtc } from '../../domain/dates.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { closeKinds, withoutEntry } from './gaps.js';
import { isIssuedType, isReceivedType } from './direction.js';
import type { FamilyCoverage, IssuedCoverage } from './coverage.js';
import { readMonth } from './month.js';
import type { ProofFacts, Rules, VerdictWord } from './proof-facts.js';
import { judge, rulesOf } from './verdict.js';

/** What `close.json` says, as far as it can be read. */
export interface ReadProof {
  /** The hash of the manifest that it was given for. */
  readonly sha256: string | undefined;
  readonly verdict: VerdictWord | undefined;
  /** Why it proves no month, whatever it says: it follows no rules, or those of another version. English, as data is. */
  readonly olderBecause: string | undefined;
  readonly content: unknown;
}

/** Reads `close.json`; `undefined`: there is none, or it is no JSON. */
export async function readProof(file: ArchiveFile): Promise<ReadProof | undefined> {
  const content = await parsedFile(file);
  if (!isRecord(content)) return undefined;
  const sha256 = fieldOf(fieldOf(content, 'manifest'), 'sha256');
  const verdict = verdicts.find((word) => word === content['verdict']);
  const isBare = !('coverage' in content) && !('rules' in content) && verdict === undefined;
  const olderBecause = isBare ? withoutRules : otherRules(content);
  return { sha256: typeof sha256 === 'string' ? sha256 : undefined, verdict, olderBecause, content };
}

const withoutRules =
  'close.json has no coverage: it was written by an older version and proves no month. Close the month again';

function otherRules(content: unknown): string | undefined {
  const version = fieldOf(fieldOf(content, 'rules'), 'version');
  const known = rulesFor(content)?.version;
  if (version === known) return undefined;
  return `its rules have version ${shown(version)}, this program knows ${shown(known)}: close the month again`;
}

const verdicts: readonly VerdictWord[] = ['complete', 'incomplete', 'not-provable'];

/** A proof of every gap of a large month has a tenth of it. */
const MOST_BYTES = 64 * 1024 * 1024;

const unread: ReadonlySet<string> = new Set(['input.not_found', 'input.unreadable']);

async function parsedFile(file: ArchiveFile): Promise<unknown> {
  try {
    return parseForeignJson((await readWhole(file, { mostBytes: MOST_BYTES })).toString('utf8'));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    if (error instanceof FiscalError && unread.has(error.code)) return undefined;
    throw error;
  }
}

/** What a manifest holds, counted while it is written or read. */
export class ManifestSums {
  /** With the file of the document. */
  entries = 0;
  readonly counts = { archived: 0, summaries: 0, events: 0, bytes: 0 };
  readonly signatures = { valid: 0, invalid: 0, absent: 0, unverifiable: 0 };
  readonly xml = new Map<ArchivedType, Record<XmlFileKind, number>>();

  add({ type, xmlKind = 'full', events, file, signature = 'unverifiable' }: ManifestEntry): void {
    const xml = this.xml.get(type) ?? { full: 0, summary: 0, event: 0 };
    this.xml.set(type, xml);
    xml.event += events.length;
    this.counts.events += events.length;
    if (file === undefined) return;
    xml[xmlKind] += 1;
    this.entries += 1;
    this.counts[xmlKind === 'summary' ? 'summaries' : 'archived'] += 1;
    this.counts.bytes += file.bytes;
    this.signatures[signature] += 1;
  }
}

/**
 * Where `close.json` does not follow from itself and from its manifest: each a sentence, English as data is. Pure. The verdict is
 * drawn again from coverage, clock and gaps, by the rules that this program has.
 */
export function contradictions({ content }: ReadProof, sums: ManifestSums): readonly string[] {
  const facts = factsOf(content);
  if (facts === undefined) return ['its month, clock, gaps or coverage cannot be read'];
  const judged = judge(facts);
  const complete = judged.verdict === 'complete';
  return [
    ...differences('verdict', [fieldOf(content, 'verdict'), judged.verdict]),
    ...differences('complete', [fieldOf(content, 'complete'), complete]),
    ...differences('reasons', [codesOf(fieldOf(content, 'reasons')), codesOf(judged.reasons)]),
    ...againstManifest(content, facts, sums),
  ];
}

function againstManifest(content: unknown, facts: ProofFacts, sums: ManifestSums): readonly string[] {
  const counts = fieldOf(content, 'counts');
  const { gaps } = facts;
  const none = { full: 0, summary: 0, event: 0 };
  const gapsInAll = Object.values(gaps).reduce((sum, count) => sum + count, 0);
  const isAllowed = fieldOf(content, 'allowInvalidSignatures') === true;
  return [
    ...Object.entries(sums.counts).flatMap(([name, count]) =>
      differences(`counts.${name}`, [fieldOf(counts, name), count]),
    ),
    ...Object.entries(sums.signatures).flatMap(([name, count]) =>
      differences(`counts.signatures.${name}`, [fieldOf(fieldOf(counts, 'signatures'), name), count]),
    ),
    ...facts.coverage.flatMap(({ family, xml }) =>
      differences(`coverage of ${family}: xml`, [xml, sums.xml.get(family) ?? none]),
    ),
    ...differences('manifest.entries', [fieldOf(fieldOf(content, 'manifest'), 'entries'), sums.entries]),
    ...differences('counts.problems', [fieldOf(counts, 'problems'), gapsInAll]),
    ...differences('gaps.summary-only', [
      (gaps['summary-only'] ?? 0) + (gaps['summary-not-standing'] ?? 0),
      sums.counts.summaries,
    ]),
    ...differences('gaps.signature-invalid', [gaps['signature-invalid'] ?? 0, isAllowed ? 0 : sums.signatures.invalid]),
    ...listedOf(counts, facts, sums),
  ];
}

/** Every document that was listed stands in the manifest, or has its gap. */
function listedOf(counts: unknown, { gaps, coverage }: ProofFacts, sums: ManifestSums): readonly string[] {
  const [listed, unlisted] = [fieldOf(counts, 'listed'), fieldOf(counts, 'unlisted')];
  if (typeof listed !== 'number' || typeof unlisted !== 'number')
    return ['counts.listed or counts.unlisted is missing'];
  const inCoverage = coverage.reduce((sum, { list }) => sum + list.documents, 0);
  const unreadable = coverage.reduce((sum, { list, events }) => sum + list.unreadable + (events?.unreadable ?? 0), 0);
  const hasNoGap = Object.values(gaps).every((count) => count === 0);
  const missing = withoutEntry.reduce((sum, kind) => sum + (gaps[kind] ?? 0), 0);
  return [
    ...differences('counts.listed', [listed, inCoverage]),
    ...differences('gaps.row-unreadable', [gaps['row-unreadable'] ?? 0, unreadable]),
    ...(listed - (sums.entries - unlisted) > missing
      ? [`${listed} documents were listed, and neither the manifest nor the gaps account for all of them`]
      : []),
    ...coverage.flatMap(({ family, events, xml }) =>
      hasNoGap && (events?.events ?? 0) > xml.event
        ? [`${events?.events ?? 0} events of ${family} were listed, and the manifest has ${xml.event}`]
        : [],
    ),
  ];
}

function differences(name: string, [said, found]: readonly [unknown, unknown]): readonly string[] {
  const [one, other] = [shown(said), shown(found)];
  return one === other ? [] : [`${name} is ${one}, and follows to be ${other}`];
}

function shown(value: unknown): string {
  return (JSON.stringify(value) ?? 'missing').slice(0, 200);
}

function codesOf(reasons: unknown): readonly string[] {
  const list: readonly unknown[] = Array.isArray(reasons) ? reasons : [];
  return list.map((reason) => [fieldOf(reason, 'code'), fieldOf(reason, 'family')].join(' ').trim()).toSorted();
}

/** Proofs of received documents do not name their direction. */
export function directionIn(content: unknown): Direction | undefined {
  const direction = fieldOf(content, 'direction') ?? 'received';
  return direction === 'received' || direction === 'issued' ? direction : undefined;
}

/** The rules of this program for the direction of a proof. */
function rulesFor(content: unknown): Rules | undefined {
  const direction = directionIn(content);
  return direction === undefined ? undefined : rulesOf[direction];
}

/** The facts, each checked before it is believed: whoever could write the file could write anything into it. */
export function factsOf(content: unknown): ProofFacts | undefined {
  const direction = directionIn(content);
  const month = monthOf(fieldOf(content, 'month'));
  const clock = fieldOf(content, 'clock');
  const [source, now] = [fieldOf(clock, 'source'), fieldOf(clock, 'now')];
  const gaps = gapsOf(fieldOf(content, 'gaps'));
  if (month === undefined || gaps === undefined) return undefined;
  if (!isTime(now) || (source !== 'service' && source !== 'machine')) return undefined;
  const common = { month, clock: { source, now }, gaps } as const;
  const [named, covered] = [fieldOf(content, 'requested'), fieldOf(content, 'coverage')];
  switch (direction) {
    case 'received': {
      const [requested, coverage] = [listOf(named, isReceivedType), listOf(covered, isCoverage)];
      return requested && coverage && { direction, requested, coverage, ...common };
    }
    case 'issued': {
      const [requested, coverage] = [listOf(named, isIssuedType), listOf(covered, isIssuedCoverage)];
      return requested && coverage && { direction, requested, coverage, ...common };
    }
    case undefined:
      return undefined;
  }
}

function monthOf(value: unknown) {
  try {
    return typeof value === 'string' && /^\d{4}-\d\d$/.test(value) ? readMonth(value) : undefined;
  } catch (error) {
    if (error instanceof FiscalError) return undefined;
    throw error;
  }
}

function gapsOf(value: unknown): ProofFacts['gaps'] | undefined {
  if (!isRecord(value)) return undefined;
  const known: readonly string[] = closeKinds;
  const isSound = Object.entries(value).every(([kind, count]) => known.includes(kind) && isCount(count));
  return isSound ? value : undefined;
}

function listOf<Item>(value: unknown, is: (item: unknown) => item is Item): readonly Item[] | undefined {
  return Array.isArray(value) && value.every(is) ? value : undefined;
}

/** The fields that the verdict is drawn from. */
function isCoverage(value: unknown): value is FamilyCoverage {
  if (!isRecord(value)) return false;
  const {
    family,
    capture,
    unclearStatus,
    environment,
    enabledSince,
    cutOff,
    spacedUntil,
    hidden,
    history,
    list,
    events,
    unreadable,
    xml,
  } = value;
  return (
    isReceivedType(family) &&
    ['on', 'unclear', 'inactive', 'off'].some((word) => word === capture) &&
    [unclearStatus, environment].every((word) => word === null || typeof word === 'string') &&
    [enabledSince, cutOff, spacedUntil].every((time) => time === null || isTime(time)) &&
    (hidden === null || isHidden(hidden)) &&
    (unreadable === null || isUnreadable(unreadable)) &&
    Array.isArray(history) &&
    history.every(isSeen) &&
    isList(list, 'documents') &&
    (events === null || isList(events, 'events')) &&
    isXml(xml)
  );
}

/** The fields that the verdict is drawn from. */
function isIssuedCoverage(value: unknown): value is IssuedCoverage {
  if (!isRecord(value)) return false;
  const { family, list, events, unreadable, xml, eventsAsked, numbering } = value;
  return (
    isIssuedType(family) &&
    isList(list, 'documents') &&
    events === null &&
    (unreadable === null || isUnreadable(unreadable)) &&
    ['listedEver', 'refused', 'eventsWithoutFile', 'withoutNumber'].every((name) => isCount(value[name])) &&
    (eventsAsked === null || ['at', 'since'].every((name) => isTime(fieldOf(eventsAsked, name)))) &&
    Array.isArray(numbering) &&
    numbering.every(isSerie) &&
    isXml(xml)
  );
}

/** What is missing follows from the other numbers. */
function isSerie(value: unknown): boolean {
  const names = ['serie', 'first', 'last', 'used', 'disabled', 'declared', 'missing'] as const;
  const ranges = fieldOf(value, 'missingRanges');
  const [, first = 0, last = 0, used = 0, disabled = 0, declared = 0, missing] = names.map((name) => {
    const count = fieldOf(value, name);
    return isCount(count) ? count : Number.NaN;
  });
  return (
    isCount(fieldOf(value, 'serie')) &&
    last - first + 1 - used - disabled - declared === missing &&
    Array.isArray(ranges) &&
    ranges.every((range) => Array.isArray(range) && range.length === 2 && range.every(isCount))
  );
}

function isXml(xml: unknown): boolean {
  return isRecord(xml) && ['full', 'summary', 'event'].every((kind) => isCount(xml[kind]));
}

function isUnreadable(value: unknown): boolean {
  return ['documents', 'events'].every((list) => isCount(fieldOf(value, list))) && isTime(fieldOf(value, 'seenAt'));
}

function isHidden(value: unknown): boolean {
  const [released, count] = [fieldOf(value, 'released'), fieldOf(value, 'count')];
  return isRecord(value) && (released === null || typeof released === 'boolean') && (count === null || isCount(count));
}

function isSeen(value: unknown): boolean {
  const [from, to] = [fieldOf(value, 'firstSeenAt'), fieldOf(value, 'lastSeenAt')];
  const times = [fieldOf(value, 'startFromDate'), fieldOf(value, 'createdOn')];
  const environment = fieldOf(value, 'environment');
  return (
    isTime(from) &&
    isTime(to) &&
    times.every((time) => time === null || isTime(time)) &&
    (environment === undefined || environment === null || typeof environment === 'string') &&
    typeof fieldOf(value, 'state') === 'string'
  );
}

function isList(value: unknown, rows: 'documents' | 'events'): boolean {
  const readAt = fieldOf(value, 'readAt');
  return (readAt === null || isTime(readAt)) && [rows, 'unreadable'].every((name) => isCount(fieldOf(value, name)));
}

function isTime(value: unknown): value is string {
  return typeof value === 'string' && parseUtc(value) !== undefined;
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

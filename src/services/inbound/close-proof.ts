import { join } from 'node:path';
import { safeName } from '../../archive/layout.js';
import { manifestLine, type ManifestEntry } from '../../archive/manifest.js';
import { writeLines } from '../../archive/manifest-file.js';
import type { ArchiveWriter } from '../../archive/write.js';
import type { InboundFamily } from '../../contract/inbound.js';
import { formatUtc } from '../../domain/utc.js';
import type { Context } from '../context.js';
import type { GroupResult } from './close-compare.js';
import type { Month } from './close-month.js';

/** Where manifests and verdicts lie in the archive. */
export const PROOFS = 'proofs';
export const MANIFEST = 'manifest.jsonl';
export const VERDICT = 'close.json';

/** `close.json`: what was found, when, by which program, and for which manifest. */
export interface Verdict {
  readonly month: string;
  readonly company: string;
  readonly families: readonly InboundFamily[];
  readonly complete: boolean;
  readonly counts: VerdictCounts;
  /** UTC ISO text. */
  readonly closedAt: string;
  readonly version: string;
  readonly manifest: { readonly file: string; readonly sha256: string; readonly entries: number };
}

export interface VerdictCounts {
  readonly listed: number;
  readonly archived: number;
  readonly events: number;
  readonly bytes: number;
  readonly unlisted: number;
  readonly problems: number;
  readonly signatures: GroupResult['signatures'];
}

export interface Closing {
  readonly writer: ArchiveWriter;
  readonly archive: string;
  readonly month: Month;
  readonly company: string;
  /** Empty: all families; else the proof lies beside the one of all. */
  readonly narrowedTo: readonly InboundFamily[];
  readonly version: string;
}

export interface Proof {
  readonly verdict: Verdict;
  readonly results: readonly GroupResult[];
  readonly path: string;
}

/**
 * Writes the manifest as its entries come, and after it the verdict that names its hash. Returns the verdict, the
 * manifest's path and what each family came to.
 */
export async function writeProof(
  context: Context,
  closing: Closing,
  compared: AsyncGenerator<ManifestEntry, readonly GroupResult[]>,
): Promise<Proof> {
  const { archive, month, company, narrowedTo, version, writer } = closing;
  const folder = [PROOFS, month.name, safeName(company), ...narrowedPart(narrowedTo)].join('/');
  const ended: { results: readonly GroupResult[] } = { results: [] };
  const written = await writeLines(writer, `${folder}/${MANIFEST}`, linesOf(compared, ended));
  const { results } = ended;
  const counts = countsOf(results);
  const verdict: Verdict = {
    month: month.name,
    company,
    families: results.filter(({ captured }) => captured).map(({ group }) => group.family),
    complete: results.every(({ problems }) => problems.length === 0),
    counts,
    closedAt: formatUtc(context.clock.now()),
    version,
    manifest: { file: MANIFEST, sha256: written.sha256, entries: counts.archived },
  };
  await writeLines(writer, `${folder}/${VERDICT}`, [`${JSON.stringify(verdict, null, 2)}\n`]);
  return { verdict, results, path: join(archive, ...folder.split('/'), MANIFEST) };
}

async function* linesOf(
  compared: AsyncGenerator<ManifestEntry, readonly GroupResult[]>,
  ended: { results: readonly GroupResult[] },
): AsyncGenerator<string> {
  for (;;) {
    const { done, value } = await compared.next();
    if (done === true) {
      ended.results = value;
      return;
    }
    yield manifestLine(value);
  }
}

function narrowedPart(families: readonly InboundFamily[]): readonly string[] {
  return families.length === 0 ? [] : [[...families].sort().join('-')];
}

function countsOf(results: readonly GroupResult[]): VerdictCounts {
  const sum = (count: (result: GroupResult) => number): number =>
    results.reduce((total, result) => total + count(result), 0);
  return {
    listed: sum(({ listed }) => listed),
    archived: sum(({ archived }) => archived),
    events: sum(({ events }) => events),
    bytes: sum(({ bytes }) => bytes),
    unlisted: sum(({ unlisted }) => unlisted),
    problems: sum(({ problems }) => problems.length),
    signatures: {
      valid: sum(({ signatures }) => signatures.valid),
      invalid: sum(({ signatures }) => signatures.invalid),
      absent: sum(({ signatures }) => signatures.absent),
      unverifiable: sum(({ signatures }) => signatures.unverifiable),
    },
  };
}

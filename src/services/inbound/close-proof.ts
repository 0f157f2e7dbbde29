import { join } from 'node:path';
import { safeName } from '../../archive/layout.js';
import { compareEntries, manifestLine, type ManifestEntry } from '../../archive/manifest.js';
import { writeLines } from '../../archive/manifest-file.js';
import { createArchiveWriter } from '../../archive/write.js';
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
  readonly archive: string;
  readonly month: Month;
  readonly company: string;
  /** Empty: all families; else the proof lies beside the one of all. */
  readonly narrowedTo: readonly InboundFamily[];
  readonly version: string;
}

/** Writes the manifest, and after it the verdict that names its hash. Returns the verdict and the manifest's path. */
export async function writeProof(
  context: Context,
  closing: Closing,
  results: readonly GroupResult[],
): Promise<{ readonly verdict: Verdict; readonly path: string }> {
  const { archive, month, company, narrowedTo, version } = closing;
  const folder = [PROOFS, month.name, safeName(company), ...narrowedPart(narrowedTo)].join('/');
  const entries = results.flatMap((result) => result.entries).sort(compareEntries);
  const writer = createArchiveWriter({ archive, storeTag: 'proof', workerId: context.random.uuid() });
  try {
    const written = await writeLines(writer, `${folder}/${MANIFEST}`, linesOf(entries));
    const verdict: Verdict = {
      month: month.name,
      company,
      families: results.filter(({ captured }) => captured).map(({ group }) => group.family),
      complete: results.every(({ problems }) => problems.length === 0),
      counts: countsOf(results, entries),
      closedAt: formatUtc(context.clock.now()),
      version,
      manifest: { file: MANIFEST, sha256: written.sha256, entries: entries.length },
    };
    await writeLines(writer, `${folder}/${VERDICT}`, [`${JSON.stringify(verdict, null, 2)}\n`]);
    return { verdict, path: join(archive, ...folder.split('/'), MANIFEST) };
  } finally {
    await writer.close();
  }
}

function* linesOf(entries: readonly ManifestEntry[]): Iterable<string> {
  for (const entry of entries) yield manifestLine(entry);
}

function narrowedPart(families: readonly InboundFamily[]): readonly string[] {
  return families.length === 0 ? [] : [[...families].sort().join('-')];
}

function countsOf(results: readonly GroupResult[], entries: readonly ManifestEntry[]): VerdictCounts {
  const sum = (count: (result: GroupResult) => number): number =>
    results.reduce((total, result) => total + count(result), 0);
  return {
    listed: sum(({ listed }) => listed),
    archived: entries.length,
    events: entries.reduce((total, { events }) => total + events.length, 0),
    bytes: entries.reduce((total, { bytes }) => total + bytes, 0),
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

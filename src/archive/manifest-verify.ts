import { readdir } from 'node:fs/promises';
import { join, posix } from 'node:path';
import type { XmlFileKind } from '../domain/document-fact.js';
import { digestOf } from './digest.js';
import { filesOf, type ManifestEntry, type ManifestFile } from './manifest.js';
import { readManifest } from './manifest-file.js';

/**
 * `changed`: other bytes than in the manifest · `missing`: no file · `extra`: a file that nothing knows · `swapped`: two files
 * have each other's bytes · `xml-kind`: the file holds something else than the manifest says · `proof`: the manifest is not the
 * one that the verdict was given for · `verdict`: the verdict does not follow from what stands beside it · `proof-older`: it was
 * given by a program that knew no coverage, and proves no month.
 */
export interface VerifyFinding {
  readonly kind:
    | 'changed'
    | 'missing'
    | 'extra'
    | 'swapped'
    | 'xml-kind'
    | 'proof'
    | 'verdict'
    | 'proof-older';
  /** Relative to the archive, with `/`. */
  readonly path: string;
  readonly key?: string;
  /** The other file of a swapped pair. */
  readonly with?: string;
  readonly expected?: string;
  readonly found?: string;
  readonly reason?: string;
}

export interface VerifyRequest {
  /** The folder that the paths of the manifest are relative to. */
  readonly archive: string;
  readonly manifest: string;
  /** Files that belong to the archive though this manifest does not name them: later arrivals, other months. */
  isKnown(path: string): Promise<boolean>;
  /** Told of every entry, before its files are read. */
  onEntry?(entry: ManifestEntry): void;
  /** Told after every file, for the progress. */
  onFile?(done: number): void;
  readonly signal?: AbortSignal;
}

export interface VerifyResult {
  readonly documents: number;
  readonly files: number;
  readonly findings: readonly VerifyFinding[];
}

interface Wrong extends ManifestFile {
  readonly key: string;
  readonly found: string;
}

/** Reads every file again and compares it with the manifest; then looks for files that nothing names. Offline. */
export async function verifyManifest(request: VerifyRequest): Promise<VerifyResult> {
  const named = new Set<string>();
  const missing: VerifyFinding[] = [];
  const wrong: Wrong[] = [];
  const kinds: VerifyFinding[] = [];
  let documents = 0;
  for await (const entry of readManifest(request.manifest)) {
    documents += 1;
    request.onEntry?.(entry);
    for (const file of filesOf(entry)) {
      request.signal?.throwIfAborted();
      named.add(file.path);
      const found = await digestOf(join(request.archive, file.path));
      if (found === undefined) missing.push({ kind: 'missing', path: file.path, key: entry.key });
      else if (found.sha256 !== file.sha256) wrong.push({ ...file, key: entry.key, found: found.sha256 });
      else kinds.push(...kindFinding(entry, file, found.xmlKind));
      request.onFile?.(named.size);
    }
  }
  const findings = [...wrongFindings(wrong), ...missing, ...kinds, ...(await extras(request, named))];
  return { documents, files: named.size, findings };
}

/** Manifests of before the kind was kept say nothing to compare with. */
function kindFinding(
  entry: ManifestEntry,
  file: ManifestFile,
  found: XmlFileKind | undefined,
): readonly VerifyFinding[] {
  if (entry.xmlKind === undefined || file === entry.pdf) return [];
  const expected = file === entry ? entry.xmlKind : 'event';
  if (found === expected) return [];
  return [{ kind: 'xml-kind', path: file.path, key: entry.key, expected, ...(found && { found }) }];
}

/** Two files with each other's bytes are one finding; every other difference is its own. */
function wrongFindings(wrong: readonly Wrong[]): readonly VerifyFinding[] {
  const byExpected = new Map(wrong.map((file) => [file.sha256, file]));
  const reported = new Set<string>();
  const findings: VerifyFinding[] = [];
  for (const file of wrong) {
    if (reported.has(file.path)) continue;
    reported.add(file.path);
    const counterpart = byExpected.get(file.found);
    if (counterpart?.found === file.sha256 && !reported.has(counterpart.path)) {
      reported.add(counterpart.path);
      findings.push({ kind: 'swapped', path: file.path, key: file.key, with: counterpart.path });
    } else {
      const { path, key, sha256, found } = file;
      findings.push({ kind: 'changed', path, key, expected: sha256, found });
    }
  }
  return findings;
}

/** Only in the folders that hold files of the manifest: the archive may lie among other things. */
async function extras(request: VerifyRequest, named: ReadonlySet<string>): Promise<readonly VerifyFinding[]> {
  const folders = new Set([...named].map((path) => posix.dirname(path)));
  const findings: VerifyFinding[] = [];
  for (const folder of [...folders].sort()) {
    for (const name of await filesIn(join(request.archive, folder))) {
      const path = folder === '.' ? name : `${folder}/${name}`;
      if (named.has(path) || (await request.isKnown(path))) continue;
      findings.push({ kind: 'extra', path });
    }
  }
  return findings;
}

async function filesIn(folder: string): Promise<readonly string[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries
      .filter((entry) => !entry.isDirectory())
      .map(({ name }) => name)
      .sort();
  } catch (error) {
    // A folder that is gone has no extra file; its own are reported as missing.
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}

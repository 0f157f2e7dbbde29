import type { Given } from '../../cli/command.js';
import { createHash } from 'node:crypto';
import { archiveLocation, realLocation } from '../../archive/location.js';
import { filesOf, readManifest } from '../../archive/manifest.js';
import { asidePath } from '../../archive/set-aside.js';
import { type ArchiveStorage, type ArchiveWork } from '../../archive/storage.js';
import type { Text } from '../../contract/text.js';
import type { DataRecord, Outcome } from '../../domain/outcome.js';
import { ExitCode } from '../../errors/exit-code.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { Prose } from '../../domain/prose.js';
import { fileFault } from '../../io/input-file.js';
import { forEachConcurrent } from '../../jobs/concurrency.js';
import { openArchive } from '../../services/archive.js';
import type { Context } from '../../services/context.js';
import { MANIFEST, PROOFS } from '../../services/closing/proof-files.js';
import { readObjectLock } from '../../services/sync/object-lock.js';
import { withArchive } from '../../services/archive-work.js';
import type { copy } from './close-commands.js';

/** Files that are copied at the same time. */
const AT_ONCE = 8;

/**
 * Copies every file of an archive to another place and reads it there again. A file that a manifest lists must have the hash of the
 * manifest. What is there already is read and stays, so that the same command goes on after an interruption; other bytes at the target
 * are set aside. Proofs go last. Exit 3 with one record for each file that is not as it should be at the target.
 */
export async function copyArchive(context: Context, given: Given<typeof copy>): Promise<Outcome> {
  const from = archiveLocation(context.cwd, placeOf('--from', given.from));
  const to = archiveLocation(context.cwd, placeOf('--to', given.to));
  const [realFrom, realTo] = [await realLocation(from), await realLocation(to)];
  if (isWithin(realFrom, realTo) || isWithin(realTo, realFrom)) throw sameArchive();
  const objectLock = readObjectLock(given, to);
  const source = await openArchive(context, from);
  const listed = await listedIn(source);
  if ((await context.settings()).dryRun) return { data: { type: 'dry-run', archive: to, records: listed.size } };
  const tally = new CopyTally(listed);
  const wanted = { archive: to, name: 'inbound archive copy', followLinks: false, objectLock };
  await withArchive(context, wanted, async ({ storage: target, work, lease }) => {
    const copy = async (path: string): Promise<void> => {
      context.interruption.throwIfAborted();
      lease.lost.throwIfAborted();
      await copyOrReport({ source, target, work, tally }, path);
      context.progress.report({ label: copying, done: tally.done });
    };
    const proofs: string[] = [];
    await forEachConcurrent(documentsOf(source, tally, proofs), AT_ONCE, copy);
    // What refers to a document follows it: manifests before their verdicts, one after another.
    for (const path of manifestsFirst(proofs)) await copy(path);
  });
  return tally.outcome({ from, to });
}

interface Copying {
  readonly source: ArchiveStorage;
  readonly target: ArchiveStorage;
  readonly work: ArchiveWork;
  readonly tally: CopyTally;
}

/** One file that cannot be copied does not keep the others from it. */
async function copyOrReport(copying: Copying, path: string): Promise<void> {
  try {
    await copyFile(copying, path);
  } catch (error) {
    const problem = problemOf(error);
    if (problem === undefined) throw error;
    copying.tally.differs(problem.kind, path, { reason: problem.reason });
  }
}

async function copyFile({ source, target, work, tally }: Copying, path: string): Promise<void> {
  const listed = tally.take(path);
  if ((await target.linkOnTheWay(path)) !== undefined) return tally.differs('link', path, { reason: isALink });
  const there = await target.digest(path);
  // What no manifest lists is read twice, so that its copy is compared with more than itself.
  const expected = listed ?? (await source.digest(path))?.sha256;
  if (there !== undefined && there.sha256 === expected) return tally.found(there.bytes);
  const draft = work.draft();
  try {
    await draft.restart();
    const hash = createHash('sha256');
    for await (const piece of source.read(path)) {
      hash.update(piece);
      await draft.write(piece);
    }
    const sha256 = hash.digest('hex');
    if (sha256 !== expected) return tally.differs('changed', path, { ...(expected && { expected }), found: sha256 });
    if (there !== undefined) await work.setAside(path, asidePath(path, there.sha256));
    await draft.commit(path);
    const again = await target.digest(path);
    if (again?.sha256 === sha256) tally.copied(again.bytes);
    else tally.differs('changed', path, { expected: sha256, ...(again && { found: again.sha256 }) });
  } finally {
    await draft.discard();
  }
}

/** What an error says of this file alone. */
function problemOf(error: unknown): { readonly kind: Difference; readonly reason: string | Prose } | undefined {
  if (!(error instanceof FiscalError)) return undefined;
  const fault = fileFault(error.facts.cause) ?? '';
  const reason = typeof fault === 'string' ? fault : new Prose(fault);
  const isOfFile = error.code === 'input.unreadable' || error.code === 'store.unwritable';
  if (isOfFile && typeof fault === 'string' && unusableNames.has(fault)) return { kind: 'name', reason };
  return error.code === 'input.unreadable' ? { kind: 'unreadable', reason } : undefined;
}

/** What a system says when it can have no file of this name, or has a folder of this name. */
const unusableNames: ReadonlySet<string> = new Set(
  'ENAMETOOLONG EISDIR ENOTDIR EEXIST ENOTEMPTY EINVAL EILSEQ'.split(' '),
);

/** Every file but the proofs, which are collected, and what belongs to running commands. */
async function* documentsOf(source: ArchiveStorage, tally: CopyTally, proofs: string[]): AsyncGenerator<string> {
  for await (const { path, problem } of source.files()) {
    if (problem === 'link') tally.differs('link', path, { reason: isALink });
    else if (problem === 'name') tally.differs('name', path);
    else if (path.startsWith(`${PROOFS}/`)) proofs.push(path);
    else yield path;
  }
}

function manifestsFirst(proofs: readonly string[]): readonly string[] {
  const place = (path: string): string => (path.endsWith(`/${MANIFEST}`) ? path.replace(MANIFEST, '') : path);
  return proofs.toSorted((one, other) => (place(one) < place(other) ? -1 : 1));
}

/** The hash of every file that a manifest of the archive lists. */
async function listedIn(source: ArchiveStorage): Promise<Map<string, string>> {
  const listed = new Map<string, string>();
  for (const path of (await source.find(PROOFS, MANIFEST)).paths) {
    for await (const entry of readManifest({ storage: source, path }))
      for (const { path: file, sha256 } of filesOf(entry)) listed.set(file, sha256);
  }
  return listed;
}

/**
 * `changed`: not the bytes that the manifest or the source says · `name`: no name of a file at the target, so it was not copied ·
 * `unreadable`: it exists and cannot be read.
 */
type Difference = 'missing' | 'changed' | 'link' | 'name' | 'unreadable';

class CopyTally {
  readonly #open: Map<string, string>;
  readonly #differences: DataRecord[] = [];
  readonly #sums = { copied: 0, present: 0, bytes: 0 };
  readonly #listed: number;

  /** @param listed The hashes of the manifests, by path. */
  constructor(listed: Map<string, string>) {
    this.#open = listed;
    this.#listed = listed.size;
  }

  get done(): number {
    return this.#sums.copied + this.#sums.present;
  }

  /** The hash that a manifest gives for this file, which is looked at now. */
  take(path: string): string | undefined {
    const sha256 = this.#open.get(path);
    this.#open.delete(path);
    return sha256;
  }

  copied(bytes: number): void {
    this.#sums.copied += 1;
    this.#sums.bytes += bytes;
  }

  found(bytes: number): void {
    this.#sums.present += 1;
    this.#sums.bytes += bytes;
  }

  differs(kind: Difference, path: string, facts: Readonly<Record<string, string | Prose>> = {}): void {
    this.#differences.push({ type: 'difference', kind, path, ...facts });
  }

  outcome({ from, to }: { readonly from: string; readonly to: string }): Outcome {
    for (const [path, expected] of this.#open) this.differs('missing', path, { expected });
    const problems = this.#differences.length;
    if (this.done + problems === 0) throw new FiscalError('input.not_found', { path: from });
    const exitCode = problems === 0 ? ExitCode.ok : ExitCode.partial;
    const counts = { ...this.#sums, listed: this.#listed, problems };
    const summary = { type: 'summary', from, to, ...counts, exitCode };
    return { data: [...this.#differences, summary], exitCode, notices: this.#listed === 0 ? [noManifest] : [] };
  }
}

function placeOf(name: string, value: string | undefined): string {
  if (value === undefined) throw new FiscalError('usage.missing', { names: name }, { sent: 'no' });
  return value;
}

function isWithin(location: string, other: string): boolean {
  return location === other || location.startsWith(`${other}/`);
}

function sameArchive(): FiscalError {
  const message = {
    en: '--from and --to are the same archive, or one is within the other',
    pt: '--from e --to são a mesma pasta de documentos, ou uma está dentro da outra',
  };
  return new FiscalError('usage.invalid', { message }, { sent: 'no' });
}

const isALink = new Prose({
  en: 'a folder is a symbolic link and was not followed',
  pt: 'uma pasta é um link simbólico e não foi seguida',
});

const copying: Text = { en: 'copying files', pt: 'copiando arquivos' };

const noManifest: Text = {
  en: 'the source has no manifest: the copies were compared with their sources alone',
  pt: 'a origem não tem manifesto: as cópias foram comparadas só com os arquivos de origem',
};

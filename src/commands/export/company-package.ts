import { createHash } from 'node:crypto';
import { posix } from 'node:path';
import { Readable } from 'node:stream';
import { type ArchiveStorage, type ArchiveWork, notFollowed } from '../../archive/storage.js';
import type { CloseFacts } from '../../report/facts.js';
import type { Month } from '../../services/closing/month.js';
import { VERDICT } from '../../services/closing/proof-files.js';
import type { Context } from '../../services/context.js';
import { readReportFacts } from '../../services/report/company-facts.js';
import type { AccountCompany } from '../../services/scope/scope.js';
import { companyText } from '../../services/scope/text.js';
import { type PackedFile, monthContents } from './contents.js';
import { type HandedProof, type Handovers, readHandovers, rememberHandover } from './handovers.js';
import { type PackageMark, type ReceiptFacts, receiptJson, receiptText } from './receipt.js';
import { numberPart } from './target.js';
import { type WrittenZip, type ZipDraft, type ZipEntry, writeZip } from './zip.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { Prose } from '../../domain/prose.js';
import { fileFault, isALink } from '../../io/input-file.js';
import { mapConcurrent } from '../../jobs/concurrency.js';
import { temporaryBeside } from '../../io/output-file.js';

interface PackageRequest {
  readonly storage: ArchiveStorage;
  /** With `mark.number`: remembers the package in the archive. */
  readonly work: ArchiveWork | undefined;
  readonly month: Month;
  readonly company: AccountCompany;
  readonly mark: PackageMark;
  /** The folder within the zip. */
  readonly top: string;
  /** Where the zip is to stand. */
  readonly path: string;
  /** Nothing is written and nothing remembered. */
  readonly isDryRun: boolean;
  /** Called before each file that is packed, with how many were before it. */
  onFile(done: number, total: number): void;
}

export interface CompanyPackage {
  readonly close: CloseFacts;
  /** Of the archive, in the package. */
  readonly files: readonly PackedFile[];
  /** In a dry run. */
  readonly isPlanned?: true;
  /** Absent: nothing was new, files are not what they must be, or it is a dry run. */
  readonly zip?: WrittenZip;
  readonly differences: readonly FileDifference[];
}

/**
 * Writes the package of one company. Every file is compared with its hash while it is packed; where one differs, all of them are read,
 * those that differ are named, and no package is written. Errors: `store.*`, `archive.*`, `export.meanwhile`, `input.unreadable`.
 */
export async function packCompany(context: Context, request: PackageRequest): Promise<CompanyPackage> {
  const { storage, month, company, mark } = request;
  const place = { storage, month, companyId: company.id, direction: mark.direction };
  const { close, page } = await companyReport(context, request);
  const contents = await monthContents(context, { ...place, ...(close.manifest && { manifest: close.manifest.path }) });
  const handed = mark.number === null ? nothing : await readHandovers(place);
  const files = contents.files.filter(({ path, sha256 }) => handed.files.get(path) !== sha256);
  const proof = { verdict: close.verdict, manifest: close.manifest?.sha256 ?? null };
  if (mark.number !== null && files.length === 0 && isSameProof(handed, proof))
    return { close, files, differences: [] };
  if (request.isDryRun) return { close, files, differences: [], isPlanned: true };
  const proofs = await proofFiles(storage, close);
  const all = [...files, ...proofs].sort((one, other) => (one.path < other.path ? -1 : 1));
  const own = ownFiles(context, {
    ...{ ...mark, company, close, files, withoutFile: contents.withoutFile },
    ...{ earlierFiles: contents.files.length - files.length, follows: handed.last },
    ...{ page, all },
  });
  try {
    const zip = await writeZip({
      path: request.path,
      temporary: temporaryBeside(request.path, context.random),
      month: month.name,
      entries: entriesOf(request, own, all),
      signal: context.interruption,
    });
    try {
      await handOver(request, { zip, proof, files });
    } finally {
      await zip.discard();
    }
    return { close, files, zip, differences: [] };
  } catch (error) {
    if (!(error instanceof FileDifference)) throw error;
    const found = await differencesIn(storage, all, context.interruption);
    return { close, files, differences: found.length === 0 ? [error] : found };
  }
}

interface HandedOver {
  readonly zip: ZipDraft;
  readonly proof: HandedProof;
  readonly files: readonly PackedFile[];
}

/** Gives the zip its name, and remembers a package with what is new. */
async function handOver(request: PackageRequest, { zip, proof, files }: HandedOver): Promise<void> {
  const { storage, work, month, company, mark } = request;
  if (mark.number === null || work === undefined) return await zip.place();
  const { direction } = mark;
  const place = { storage, work, month, companyId: company.id, direction, company: companyText(company) };
  await rememberHandover(place, { number: mark.number, sha256: zip.sha256, proof, files }, zip);
}

const nothing: Handovers = { last: undefined, files: new Map() };

/** Before the first package, a month without documents and without a close is nothing new. */
function isSameProof({ last }: Handovers, { verdict, manifest }: HandedProof): boolean {
  if (last === undefined) return manifest === null;
  return last.proof.verdict === verdict && last.proof.manifest === manifest;
}

async function companyReport(context: Context, { mark, month, company, storage }: PackageRequest) {
  const { companyPage } = await import('../../report/company-page.js');
  const facts = await readReportFacts(context, {
    direction: mark.direction,
    month,
    company,
    storage,
    at: 'newest-data',
  });
  return { close: facts.close, page: Buffer.from(companyPage(facts, context.language)) };
}

/** The manifest that the report has judged, and the close beside it. */
async function proofFiles(storage: ArchiveStorage, { manifest }: CloseFacts): Promise<readonly ExpectedFile[]> {
  if (manifest === undefined) return [];
  const { path, sha256 } = manifest;
  const verdictPath = posix.join(posix.dirname(path), VERDICT);
  const [list, verdict] = [await storage.digest(path), await storage.digest(verdictPath)];
  return [
    { path, sha256, bytes: list?.bytes ?? 0 },
    ...(verdict === undefined ? [] : [{ path: verdictPath, sha256: verdict.sha256, bytes: verdict.bytes }]),
  ];
}

interface OwnFile {
  readonly name: string;
  readonly content: Buffer;
}

interface OwnFacts extends Omit<ReceiptFacts, 'sumsSha256' | 'names'> {
  readonly page: Buffer;
  readonly all: readonly ExpectedFile[];
}

/** The receipt, first as data, the hashes of the other files, and the report. */
function ownFiles({ language }: Context, { page, all, ...facts }: OwnFacts): readonly OwnFile[] {
  const part = numberPart(facts.number);
  const words = fileWords[language];
  const names = { report: `${words.report}${part}.html`, sums: `SHA256SUMS${part}` };
  const lines = [{ path: names.report, sha256: sha256Of(page) }, ...all];
  const sums = Buffer.from(lines.map(({ path, sha256 }) => `${sha256}  ${path}\n`).join(''));
  const receipt = { ...facts, names, sumsSha256: sha256Of(sums) };
  return [
    { name: `receipt${part}.json`, content: Buffer.from(receiptJson(receipt)) },
    { name: `${words.receipt}${part}.txt`, content: Buffer.from(receiptText(receipt, language)) },
    { name: names.sums, content: sums },
    { name: names.report, content: page },
  ];
}

const fileWords = {
  en: { receipt: 'receipt', report: 'report' },
  pt: { receipt: 'protocolo', report: 'relatorio' },
} as const;

function sha256Of(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function entriesOf(
  { storage, top, onFile }: PackageRequest,
  own: readonly OwnFile[],
  all: readonly ExpectedFile[],
): readonly ZipEntry[] {
  const checked = new CheckedFiles(storage, all);
  return [
    ...own.map(({ name, content }, index) => ({
      name: `${top}/${name}`,
      isStored: index === 0,
      open: async () => Readable.from([content], { objectMode: false }),
    })),
    ...all.map(({ path }, index) => ({
      name: `${top}/${path}`,
      open: async () => {
        onFile(index, all.length);
        return await checked.open(index);
      },
    })),
  ];
}

/** A file with what it must be. */
interface ExpectedFile {
  readonly path: string;
  readonly sha256: string;
  readonly bytes: number;
}

/** `changed`: it has other bytes · `missing`: it does not exist · `unreadable` · `link`: it is behind a symbolic link, or is one. */
type DifferenceKind = 'changed' | 'missing' | 'unreadable' | 'link';

/** A file of the archive that is not what it must be. */
class FileDifference extends Error {
  constructor(
    readonly kind: DifferenceKind,
    readonly path: string,
    readonly facts: Readonly<Record<string, string | Prose>> = {},
  ) {
    super(`${kind}: ${path}`);
  }
}

/** The bytes of a file. Throws `FileDifference` before its end is given, when it is not the expected one. */
async function* checkedBytes(
  storage: ArchiveStorage,
  { path, sha256, bytes }: ExpectedFile,
): AsyncGenerator<Uint8Array> {
  if ((await storage.linkOnTheWay(path)) !== undefined) throw new FileDifference('link', path, { reason: notFollowed });
  const hash = createHash('sha256');
  let read = 0;
  try {
    for await (const piece of storage.read(path)) {
      hash.update(piece);
      read += piece.length;
      if (read > bytes) break;
      yield piece;
    }
  } catch (error) {
    throw differenceOf(path, error) ?? error;
  }
  const found = hash.digest('hex');
  if (read > bytes) throw new FileDifference('changed', path, { expected: sha256 });
  if (found !== sha256) throw new FileDifference('changed', path, { expected: sha256, found });
}

function differenceOf(path: string, error: unknown): FileDifference | undefined {
  if (!(error instanceof FiscalError)) return undefined;
  if (error.code === 'input.not_found') return new FileDifference('missing', path);
  if (error.code !== 'input.unreadable') return undefined;
  const fault = fileFault(error.facts.cause) ?? '';
  const reason = typeof fault === 'string' ? fault : new Prose(fault);
  return new FileDifference(fault === isALink ? 'link' : 'unreadable', path, { reason });
}

/** Files that are read at the same time, so that a bucket answers several requests at once. */
const AT_ONCE = 8;
/** Larger files are read when it is their turn. */
const SMALL = 1024 * 1024;

/** Reads files in their order, the small ones ahead. */
class CheckedFiles {
  readonly #ahead = new Map<number, Promise<Uint8Array>>();
  #next = 0;

  constructor(
    private readonly storage: ArchiveStorage,
    private readonly files: readonly ExpectedFile[],
  ) {}

  /** The bytes of the file at this place; each place once, in order. */
  async open(index: number): Promise<Readable> {
    for (; this.#next < Math.min(index + AT_ONCE, this.files.length); this.#next += 1) this.#begin(this.#next);
    const begun = this.#ahead.get(index);
    const file = this.files[index];
    if (file === undefined) throw new RangeError(`no file ${index}`);
    if (begun === undefined) return Readable.from(checkedBytes(this.storage, file), { objectMode: false });
    this.#ahead.delete(index);
    return Readable.from([await begun], { objectMode: false });
  }

  #begin(index: number): void {
    const file = this.files[index];
    if (file === undefined || file.bytes > SMALL) return;
    const read = wholeOf(checkedBytes(this.storage, file));
    // A failure is told when it is the file's turn.
    read.catch(() => undefined);
    this.#ahead.set(index, read);
  }
}

async function wholeOf(pieces: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const all: Uint8Array[] = [];
  for await (const piece of pieces) all.push(piece);
  return Buffer.concat(all);
}

/** Reads every file again, and gives those that are not what they must be, by path. */
async function differencesIn(
  storage: ArchiveStorage,
  files: readonly ExpectedFile[],
  signal: AbortSignal,
): Promise<readonly FileDifference[]> {
  const found = await mapConcurrent(files, AT_ONCE, async (file) => {
    signal.throwIfAborted();
    try {
      for await (const _piece of checkedBytes(storage, file));
      return undefined;
    } catch (error) {
      if (error instanceof FileDifference) return error;
      throw error;
    }
  });
  return found.filter((difference) => difference !== undefined);
}

import type { Given } from '../../cli/command.js';
import { basename, dirname, posix, relative, sep } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { filesOf, linkFinding, readManifest, type VerifyFinding, verifyManifest } from '../../archive/manifest.js';
import { archiveLocation } from '../../archive/location.js';
import type { ArchiveFile, ArchiveStorage } from '../../archive/storage.js';
import type { Text } from '../../contract/text.js';
import { fiscalLine } from '../../domain/command-words.js';
import { counted } from '../../domain/counted.js';
import type { DataRecord, Outcome } from '../../domain/outcome.js';
import { ExitCode } from '../../errors/exit-code.js';
import { fieldOf } from '../../domain/record.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { Context } from '../../services/context.js';
import { keepHeapSmall } from '../../jobs/small-heap.js';
import type { DocumentGroup } from '../../store/documents.js';
import { typesOf } from '../../services/closing/direction.js';
import { MANIFEST, PROOFS, VERDICT } from '../../services/closing/proof-files.js';
import { documentPages } from '../../services/documents/pages.js';
import { issuedNamespaces } from '../../services/issued/book.js';
import { archiveFolder, openArchive } from '../../services/archive.js';
import {
  contradictions,
  directionIn,
  ManifestSums,
  readProof,
  type ReadProof,
} from '../../services/closing/read-proof.js';
import type { verify } from './close-commands.js';

/**
 * Reads the files of the archive again and holds them against the manifests, and each verdict against what it rests on, without
 * network. Exit 3 with one record per difference. Errors: `inbound.no_manifest`, `inbound.manifest_unreadable`, `input.not_found`, `input.unreadable`.
 */
export async function verifyArchive(context: Context, given: Given<typeof verify>): Promise<Outcome> {
  const named = given.manifest === undefined ? undefined : archiveLocation(context.cwd, given.manifest);
  const archive = await folderOf(context, given.archive, named);
  const storage = await openArchive(context, archive, given);
  const { paths, links } = await storage.find(PROOFS, MANIFEST);
  const all = paths.map((path) => ({ storage, path }));
  const manifests = named === undefined ? all : [await fileAt(context, storage, named)];
  const skipped = named === undefined ? links : [];
  if (manifests.length === 0 && skipped.length === 0) {
    const close = fiscalLine({ command: 'inbound close <month>', flags: [['--archive', storage.location]] });
    throw new FiscalError('inbound.no_manifest', {
      path: storage.location,
      close: close.replace("'<month>'", '<month>'),
    });
  }
  const known = new KnownFiles(context, all);
  keepHeapSmall();
  const records: DataRecord[] = skipped.map((path) => recordOf(undefined, linkFinding(path)));
  const total = { proven: 0, documents: 0, files: 0, problems: skipped.length };
  for (const manifest of manifests) {
    const { documents, files, findings, proof } = await verifyOne(context, { storage, manifest, known });
    const name = nameIn(storage, manifest);
    records.push(...findings.map((finding) => recordOf(name, finding)));
    const state = stateOf(proof, findings);
    records.push({ type: 'verify', ...aboutOf(proof), state, documents, files, manifest: name });
    if (state === 'proven') total.proven += 1;
    total.documents += documents;
    total.files += files;
    total.problems += findings.length;
  }
  context.progress.stop();
  const exitCode = total.problems === 0 ? ExitCode.ok : ExitCode.partial;
  const summary = { type: 'summary', manifests: manifests.length, ...total, exitCode };
  return { data: [...records, summary], exitCode, notices: noticesOf(manifests.length, total) };
}

function noticesOf(
  manifests: number,
  { proven, problems }: { readonly proven: number; readonly problems: number },
): readonly Text[] {
  const files: Text =
    problems === 0
      ? { en: 'every file is as it was closed', pt: 'cada arquivo está como foi fechado' }
      : counted(problems, { en: ['difference', 'differences'], pt: ['diferença', 'diferenças'] });
  return [
    {
      en: `${files.en}; ${proven} of ${manifests} proofs say that their month is complete`,
      pt: `${files.pt}; ${proven} de ${manifests} provas dizem que o mês está completo`,
    },
  ];
}

/** A process that closes places both files within this time, and one that syncs tells the store of a file. */
const REREAD_PAUSE_MS = 400;

interface One {
  readonly storage: ArchiveStorage;
  readonly manifest: ArchiveFile;
  readonly known: KnownFiles;
}

/** What another process closes or writes meanwhile is read again: the proof that stands is judged, and not half of each. */
async function verifyOne(context: Context, one: One) {
  for (let triesLeft = 4; ; triesLeft -= 1) {
    const before = await stampOf(one.manifest);
    const result = await verifyOnce(context, one);
    const isSame = before === (await stampOf(one.manifest));
    const isDoubtful = result.findings.some(({ kind }) => kind === 'proof' || kind === 'extra');
    if (triesLeft === 0 || (isSame && (!isDoubtful || triesLeft < 4))) return result;
    await pause(REREAD_PAUSE_MS, undefined, { signal: context.interruption });
  }
}

async function stampOf(manifest: ArchiveFile): Promise<string> {
  const { storage, path } = manifest;
  const [first, second] = [await storage.digest(path), await storage.digest(verdictOf(manifest).path)];
  return `${first?.sha256 ?? ''} ${second?.sha256 ?? ''}`;
}

async function verifyOnce(context: Context, { storage, manifest, known }: One) {
  const sums = new ManifestSums();
  const result = await verifyManifest({
    storage,
    manifest,
    isKnown: (path) => known.has(path),
    onEntry: (entry) => sums.add(entry),
    onFile: (done) => context.progress.report({ label: reading, done }),
    signal: context.interruption,
  });
  const proof = await readProof(verdictOf(manifest));
  const found = (await manifest.storage.digest(manifest.path))?.sha256;
  const findings = [...proofFindings(proof, { path: nameIn(storage, manifest), found, sums }), ...result.findings];
  return { ...result, findings, proof };
}

/**
 * `proven`: nothing has changed since the close, and it says that the month is complete · `not-verified`: files are behind a link and
 * were not read · `incomplete`, `not-provable`, `older`: nothing has changed, and the close proves no month.
 */
type ProofState = 'proven' | 'changed-since-close' | 'not-verified' | 'incomplete' | 'not-provable' | 'older';

const unchanged: ReadonlySet<VerifyFinding['kind']> = new Set(['link', 'proof-older']);

function stateOf(proof: ReadProof | undefined, findings: readonly VerifyFinding[]): ProofState {
  if (findings.some(({ kind }) => !unchanged.has(kind))) return 'changed-since-close';
  if (findings.some(({ kind }) => kind === 'link')) return 'not-verified';
  if (proof?.verdict === undefined || proof.olderBecause !== undefined) return 'older';
  return proof.verdict === 'complete' ? 'proven' : proof.verdict;
}

/** What the proof says that it is about. */
function aboutOf(proof: ReadProof | undefined): Readonly<Record<string, string>> {
  const { content } = proof ?? {};
  const fields = { month: 'month', companyId: 'company', companyName: 'name', companyTaxNumber: 'taxNumber' };
  const named = Object.entries(fields).flatMap(([field, name]) => {
    const value = fieldOf(content, name);
    return typeof value === 'string' && value !== '' ? [[field, value] as const] : [];
  });
  const direction = content === undefined ? undefined : directionIn(content);
  return { ...Object.fromEntries(named), ...(direction && { direction }) };
}

interface Beside {
  readonly path: string;
  /** The hash of the manifest. */
  readonly found: string | undefined;
  readonly sums: ManifestSums;
}

/** Whether the manifest is the one that the verdict beside it was given for, and the verdict follows from what it rests on. */
function proofFindings(proof: ReadProof | undefined, { path, found, sums }: Beside): readonly VerifyFinding[] {
  const expected = proof?.sha256;
  if (proof === undefined || expected === undefined || expected !== found)
    return [{ kind: 'proof', path, ...(expected && { expected }), ...(found && { found }) }];
  const { olderBecause } = proof;
  if (olderBecause !== undefined) return [{ kind: 'proof-older', path, reason: olderBecause }];
  return contradictions(proof, sums).map((reason) => ({ kind: 'verdict', path, reason }));
}

function recordOf(manifest: string | undefined, { kind, ...finding }: VerifyFinding): DataRecord {
  return { type: 'difference', kind, ...finding, ...(manifest !== undefined && { manifest }) };
}

/** A manifest lies within the archive that it is about, so that a copy of the folder can be verified anywhere. */
async function folderOf(context: Context, named: string | undefined, manifest: string | undefined): Promise<string> {
  if (named === undefined && manifest !== undefined) {
    const at = manifest.lastIndexOf(`${sep}${PROOFS}${sep}`);
    if (at > 0) return manifest.slice(0, at);
  }
  return await archiveFolder(context, named);
}

/** A manifest that a person names may be elsewhere than the archive that it is about. */
async function fileAt(context: Context, storage: ArchiveStorage, file: string): Promise<ArchiveFile> {
  const path = pathIn(storage.location, file);
  if (!path.startsWith('../')) return { storage, path };
  return { storage: await openArchive(context, dirname(file), { followLinks: true }), path: basename(file) };
}

function verdictOf({ storage, path }: ArchiveFile): ArchiveFile {
  return { storage, path: posix.join(posix.dirname(path), VERDICT) };
}

function nameIn({ location }: ArchiveStorage, { storage, path }: ArchiveFile): string {
  return storage.location === location ? path : pathIn(location, storage.nameOf(path));
}

/** Begins with `../` for a file that is elsewhere. */
function pathIn(location: string, file: string): string {
  return relative(location, file).split(sep).join('/');
}

const reading: Text = { en: 'reading files again', pt: 'relendo arquivos' };

/**
 * Whether a file that one manifest does not name belongs to the archive all the same: it stands in another manifest, or the
 * store remembers having written it (a later arrival). Other manifests are read when the first such file turns up.
 */
class KnownFiles {
  private others: Promise<ReadonlySet<string>> | undefined;
  private companies: Promise<readonly string[]> | undefined;
  private issued: Promise<ReadonlySet<string>> | undefined;

  constructor(
    private readonly context: Context,
    private readonly manifests: readonly ArchiveFile[],
  ) {}

  async has(path: string): Promise<boolean> {
    this.others ??= namedIn(this.manifests);
    if ((await this.others).has(path)) return true;
    if (!/(?:^|\/)issued-/.test(path)) return await this.isInStore(path);
    this.issued ??= issuedPaths(this.context);
    return (await this.issued).has(path);
  }

  private async isInStore(path: string): Promise<boolean> {
    const { storeNamespace } = await this.context.settings();
    const store = await this.context.store();
    this.companies ??= store.documents.companies(storeNamespace);
    const [id = ''] = posix.basename(path).split('.');
    for (const companyId of await this.companies) {
      for (const family of typesOf.received) {
        if (await this.isOf({ profile: storeNamespace, companyId, family }, id, path)) return true;
      }
    }
    return false;
  }

  private async isOf(group: DocumentGroup, id: string, path: string): Promise<boolean> {
    const store = await this.context.store();
    const row = await store.documents.get(group, id);
    if (row === undefined) return false;
    if (row.path === path || row.pdfPath === path) return true;
    return (await store.events.of(group, id)).some((event) => event.path === path);
  }
}

/** Every file of issued documents that this machine archived. The store finds them by their id, which is not in their names. */
async function issuedPaths(context: Context): Promise<ReadonlySet<string>> {
  const { storeNamespace } = await context.settings();
  const { documents, events } = await context.store();
  const paths = new Set<string>();
  for (const profile of issuedNamespaces(storeNamespace)) {
    for await (const rows of documentPages(documents, { profile, limit: PAGE })) {
      const ids = rows.map(({ companyId, id }) => [companyId, id] as const);
      const families = [...new Set(rows.map(({ family }) => family))];
      const found = await Promise.all(
        families.map((family) => events.ofDocuments({ profile, family, documents: ids })),
      );
      const named = [...rows.flatMap(({ path, pdfPath }) => [path, pdfPath]), ...found.flat().map(({ path }) => path)];
      for (const path of named) if (path !== undefined) paths.add(path);
    }
  }
  return paths;
}

const PAGE = 500;

async function namedIn(manifests: readonly ArchiveFile[]): Promise<ReadonlySet<string>> {
  const named = new Set<string>();
  for (const manifest of manifests) {
    for await (const entry of readManifest(manifest)) {
      for (const { path } of filesOf(entry)) named.add(path);
    }
  }
  return named;
}

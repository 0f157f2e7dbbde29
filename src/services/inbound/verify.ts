import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fieldOf } from '../../domain/record.js';
import { digestOf } from '../../archive/digest.js';
import { verifyManifest, type VerifyFinding } from '../../archive/manifest-verify.js';
import type { Text } from '../../contract/text.js';
import type { DataRecord, Outcome } from '../../domain/outcome.js';
import { ExitCode } from '../../errors/exit-code.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { Context } from '../context.js';
import { keepHeapSmall } from '../small-heap.js';
import { archiveFolder } from './close-archive.js';
import { MANIFEST, PROOFS, VERDICT } from './close-proof.js';
import { KnownFiles } from './verify-known.js';

export interface VerifyRequest {
  /** One manifest; absent: all of the archive. */
  readonly manifest: string | undefined;
  readonly archive: string | undefined;
}

/**
 * Reads the files of the archive again and holds them against the manifests, without network. Exit 3 with one record per
 * difference. Errors: `inbound.no_manifest`, `inbound.manifest_unreadable`, `input.not_found`, `input.unreadable`.
 */
export async function verifyArchive(context: Context, request: VerifyRequest): Promise<Outcome> {
  const told = request.manifest === undefined ? undefined : resolve(context.cwd, request.manifest);
  const archive = await folderOf(context, request.archive, told);
  const all = await manifestsIn(join(archive, PROOFS));
  const manifests = told === undefined ? all : [told];
  if (manifests.length === 0) throw new FiscalError('inbound.no_manifest', { path: archive });
  const known = new KnownFiles(context, all);
  keepHeapSmall();
  const records: DataRecord[] = [];
  const total = { documents: 0, files: 0, problems: 0 };
  for (const manifest of manifests) {
    const { documents, files, findings } = await verifyOne(context, { archive, manifest, known });
    const name = nameOf(archive, manifest);
    records.push(...findings.map((finding) => recordOf(name, finding)));
    records.push({ type: 'verify', manifest: name, intact: findings.length === 0, documents, files });
    total.documents += documents;
    total.files += files;
    total.problems += findings.length;
  }
  context.progress.stop();
  const exitCode = total.problems === 0 ? ExitCode.ok : ExitCode.partial;
  const summary = { type: 'summary', manifests: manifests.length, ...total, exitCode };
  return { data: [...records, summary], exitCode };
}

interface One {
  readonly archive: string;
  readonly manifest: string;
  readonly known: KnownFiles;
}

async function verifyOne(context: Context, { archive, manifest, known }: One) {
  const result = await verifyManifest({
    archive,
    manifest,
    isKnown: (path) => known.has(path),
    onFile: (done) => context.progress.report({ label: reading, done }),
    signal: context.interruption,
  });
  const proof = await proofFinding(archive, manifest);
  return { ...result, findings: [...(proof === undefined ? [] : [proof]), ...result.findings] };
}

/** Whether the manifest is the one that the verdict beside it was given for. */
async function proofFinding(archive: string, manifest: string): Promise<VerifyFinding | undefined> {
  const expected = await saidHash(join(dirname(manifest), VERDICT));
  const found = (await digestOf(manifest))?.sha256;
  if (expected !== undefined && expected === found) return undefined;
  const path = nameOf(archive, manifest);
  return { kind: 'proof', path, ...(expected && { expected }), ...(found && { found }) };
}

/** The hash of the manifest in `close.json`; `undefined` when the file is not there or says none. */
async function saidHash(path: string): Promise<string | undefined> {
  try {
    const verdict: unknown = JSON.parse(await readFile(path, 'utf8'));
    const manifest = fieldOf(verdict, 'manifest');
    const sha256 = fieldOf(manifest, 'sha256');
    return typeof sha256 === 'string' ? sha256 : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    if (error instanceof Error && 'code' in error) return undefined;
    throw error;
  }
}

function recordOf(manifest: string, { kind, ...finding }: VerifyFinding): DataRecord {
  return { type: 'difference', kind, ...finding, manifest };
}

/** A manifest lies within the archive that it is about, so that a copy of the folder can be verified anywhere. */
async function folderOf(
  context: Context,
  told: string | undefined,
  manifest: string | undefined,
): Promise<string> {
  if (told === undefined && manifest !== undefined) {
    const at = manifest.lastIndexOf(`${sep}${PROOFS}${sep}`);
    if (at > 0) return manifest.slice(0, at);
  }
  return await archiveFolder(context, told);
}

async function manifestsIn(folder: string): Promise<readonly string[]> {
  try {
    const names = await readdir(folder, { recursive: true });
    const manifests = names.filter((name) => name.split(sep).at(-1) === MANIFEST);
    return manifests.map((name) => join(folder, name)).sort();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}

function nameOf(archive: string, path: string): string {
  return relative(archive, path).split(sep).join('/');
}

const reading: Text = { en: 'reading files again', pt: 'relendo arquivos' };

import { createHash } from 'node:crypto';
import { close, existsSync, read, type Dirent } from 'node:fs';
import { lstat, readdir, realpath, rename, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { XmlFileKind } from '../../domain/document-fact.js';
import { systemCode } from '../../domain/system-code.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { fileBytes, fileFault, isALink, openRegularFile, unreadableFile } from '../../io/input-file.js';
import { makeFolder } from '../../io/make-folder.js';
import { createIntake } from '../intake.js';
import { kindByRoot } from '../root-element.js';
import type { ArchiveStorage, ArchiveWork, ArchiveWorker, Digest, FoundFiles } from '../storage.js';
import { allFiles } from './all-files.js';
import { createIntakeThread, createLongIntake } from './intake-thread.js';
import { FolderLinks } from './links.js';
import { archiveFailure, openWorkFolder } from './work-folder.js';
import { createFolderWriter } from './write.js';

interface Wanted {
  readonly folder: string;
  readonly name: string;
  readonly followsLinks: boolean;
}

interface Search extends Pick<Wanted, 'name' | 'followsLinks'> {
  readonly archive: string;
  readonly paths: string[];
  readonly links: string[];
  /** Folders that were read, so that a link to a folder above ends. */
  readonly read: Set<string>;
}

/**
 * The files of one name in a folder of the archive, and below. None when there is no such folder. Errors: `input.not_found` for a
 * link to nothing, `input.unreadable`.
 */
async function findFiles(archive: string, { folder, name, followsLinks }: Wanted): Promise<FoundFiles> {
  const search: Search = { archive, name, followsLinks, paths: [], links: [], read: new Set() };
  const link = await new FolderLinks(archive, followsLinks).onTheWayTo(`${folder}/${name}`);
  if (link !== undefined) return { paths: [], links: [link] };
  try {
    await findIn(folder, search);
  } catch (error) {
    const stands = await lstat(join(archive, folder)).then(
      () => true,
      () => false,
    );
    if (stands || !(error instanceof FiscalError) || error.code !== 'input.not_found') throw error;
  }
  return { paths: search.paths.sort(), links: search.links.sort() };
}

async function findIn(folder: string, search: Search): Promise<void> {
  const path = join(search.archive, folder);
  for (const entry of await unreadEntries(path, search.read)) {
    const inside = `${folder}/${entry.name}`;
    const isLinkedFolder = entry.isSymbolicLink() && !(await isFile(join(path, entry.name)));
    if (isLinkedFolder && !search.followsLinks) search.links.push(inside);
    else if (isLinkedFolder || entry.isDirectory()) await findIn(inside, search);
    else if (entry.name === search.name) search.paths.push(inside);
  }
}

/** What a folder holds, the first time that it is read. */
async function unreadEntries(path: string, read: Set<string>): Promise<readonly Dirent[]> {
  try {
    const real = await realpath(path);
    if (read.has(real)) return [];
    read.add(real);
    return await readdir(path, { withFileTypes: true });
  } catch (error) {
    throw unreadableFile(path, error);
  }
}

/** A link to nothing may be a folder of a disk that is not there. */
async function isFile(path: string): Promise<boolean> {
  return await stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
}

const PIECE = 64 * 1024;

const readPiece = promisify(read);
const closeFile = promisify(close);

/**
 * Buffers that are not in use. A stream per file would allocate one each, and a hundred thousand small files would fill
 * the memory before the garbage collector runs.
 */
const free: Buffer[] = [];

/**
 * SHA-256, size in bytes and kind of a file, read once in pieces. `undefined`: it does not exist, or is a link to another one.
 * Errors: `input.unreadable`.
 */
export async function digestOf(path: string): Promise<Digest | undefined> {
  const buffer = free.pop() ?? Buffer.allocUnsafeSlow(PIECE);
  try {
    const file = await openRegularFile(path, { isNoLink: true });
    try {
      return await digestInto(file, buffer);
    } finally {
      await closeFile(file);
    }
  } catch (error) {
    const reason = fileFault(error);
    if (reason === 'ENOENT' || reason === 'ENOTDIR' || reason === isALink) return undefined;
    throw reason === undefined ? error : new FiscalError('input.unreadable', { path, reason }, { cause: error });
  } finally {
    free.push(buffer);
  }
}

async function digestInto(file: number, buffer: Buffer): Promise<Digest> {
  const hash = createHash('sha256');
  let xmlKind: XmlFileKind | undefined;
  for (let bytes = 0; ; ) {
    const { bytesRead } = await readPiece(file, buffer, 0, buffer.length, bytes);
    if (bytesRead === 0) return { sha256: hash.digest('hex'), bytes, ...(xmlKind && { xmlKind }) };
    const piece = buffer.subarray(0, bytesRead);
    if (bytes === 0) xmlKind = kindByRoot(piece);
    hash.update(piece);
    bytes += bytesRead;
  }
}

/** An archive in a folder. `location` is absolute. */
export function folderStorage(location: string, followsLinks: boolean): ArchiveStorage {
  const links = new FolderLinks(location, followsLinks);
  const nameOf = (path: string): string => join(location, path);
  return {
    location,
    identity: () => Promise.resolve(location),
    followsLinks,
    nameOf,
    digest: (path) => digestOf(nameOf(path)),
    exists: (path) => Promise.resolve(existsSync(nameOf(path))),
    read: (path) => readFile(nameOf(path)),
    filesIn: (folder) => filesIn(nameOf(folder)),
    files: () => allFiles(location),
    find: (folder, name) => findFiles(location, { folder, name, followsLinks }),
    linkOnTheWay: (path) => links.onTheWayTo(path),
    refuseLink: (path) => links.refuse(path),
    openWork: (worker) => openWork(location, worker, links),
  };
}

async function openWork(archive: string, worker: ArchiveWorker, links: FolderLinks): Promise<ArchiveWork> {
  const folder = await openWorkFolder({ ...worker, archive });
  const options = { archive, workerId: worker.workerId, followLinks: links.areFollowed };
  const writer = createFolderWriter(options);
  const program = new URL('./intake-worker.js', import.meta.url);
  const intake = createLongIntake(createIntake(writer), () => createIntakeThread(options, program));
  return {
    ...writer,
    intake,
    // The last writer of a file wins.
    displaced: [],
    setAside: (path, to) => setAside(archive, { path, to, links }),
    exclusively: (name, use) => folder.exclusively(name, use),
    end: async () => {
      await intake.close();
      await folder.end();
    },
  };
}

interface Move {
  readonly path: string;
  readonly to: string;
  readonly links: FolderLinks;
}

async function setAside(archive: string, { path, to, links }: Move): Promise<void> {
  const aside = join(archive, to);
  try {
    await links.refuse(to);
    makeFolder(dirname(aside));
    await rename(join(archive, path), aside);
  } catch (error) {
    // Another process has set it aside already.
    if (systemCode(error) === 'ENOENT') return;
    throw archiveFailure(aside, error);
  }
}

async function* readFile(path: string): AsyncGenerator<Uint8Array> {
  try {
    yield* fileBytes(path, { isNoLink: true });
  } catch (error) {
    throw unreadableFile(path, error);
  }
}

async function filesIn(folder: string): Promise<readonly string[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries
      .filter((entry) => !entry.isDirectory())
      .map(({ name }) => name)
      .sort();
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return [];
    throw error;
  }
}

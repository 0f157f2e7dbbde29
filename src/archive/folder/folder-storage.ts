import { existsSync } from 'node:fs';
import { readdir, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeFolder } from '../../io/make-folder.js';
import { systemCode } from '../../domain/system-code.js';
import { fileBytes, unreadableFile } from '../../io/input-file.js';
import { createIntake } from '../intake.js';
import type { ArchiveStorage, ArchiveWork, ArchiveWorker } from '../storage.js';
import { allFiles } from './all-files.js';
import { digestOf } from './digest.js';
import { findFiles } from './find-files.js';
import { createIntakeThread, createLongIntake } from './intake-thread.js';
import { FolderLinks } from './links.js';
import { archiveFailure, openWorkFolder } from './work-folder.js';
import { createFolderWriter } from './write.js';

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
    await makeFolder(dirname(aside));
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

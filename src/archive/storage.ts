import type { Text } from '../contract/text.js';
import type { XmlFileKind } from '../domain/document-fact.js';
import { FiscalError } from '../errors/fiscal-error.js';
import { Prose } from '../domain/prose.js';
import type { Clock } from '../domain/world.js';
import { isALink } from '../io/input-file.js';
import type { Intake } from './intake.js';
import type { ArchiveWriter } from './writer.js';

/** What identifies the content of a file. */
export interface Digest {
  readonly sha256: string;
  readonly bytes: number;
  /** From the root element. Absent for a file that is not XML of a known layout. */
  readonly xmlKind?: XmlFileKind;
}

export interface FoundFiles {
  /** Sorted. */
  readonly paths: readonly string[];
  /** Folders that are symbolic links and were not followed. */
  readonly links: readonly string[];
}

/** `link`: a symbolic link · `name`: no path within an archive. Neither is read. */
export interface ListedFile {
  readonly path: string;
  readonly problem?: 'link' | 'name';
}

/** The files of an archive, wherever they are. Every path is relative to it, with `/`. Errors: `store.*`. */
export interface ArchiveStorage {
  /** The folder, absolute, or the address of a bucket. */
  readonly location: string;
  /** As rows of the store name it: two servers can have a bucket of the same address. */
  identity(): Promise<string>;
  /** Also reads and writes behind folders that are symbolic links. */
  readonly followsLinks: boolean;
  /** How a person names the file: with the location. */
  nameOf(path: string): string;
  /** The whole file is read. `undefined`: it does not exist, or is a link to another file, which proves nothing. Errors: `input.unreadable`. */
  digest(path: string): Promise<Digest | undefined>;
  exists(path: string): Promise<boolean>;
  /** The bytes of a file, piece by piece. Errors: `input.not_found`, `input.unreadable`. */
  read(path: string): AsyncIterable<Uint8Array>;
  /** The files directly in a folder, by name, sorted; none for a folder that does not exist. */
  filesIn(folder: string): Promise<readonly string[]>;
  /** Every file but those of running commands, in no order. Errors: `input.not_found`, `input.unreadable`. */
  files(): AsyncIterable<ListedFile>;
  /** Every file of this name in a folder and in all folders below it. Errors: `input.unreadable`. */
  find(folder: string, name: string): Promise<FoundFiles>;
  /** The first folder on the way to a file that is a symbolic link and is not followed. */
  linkOnTheWay(path: string): Promise<string | undefined>;
  /** Error: `store.unwritable` for a file behind such a link. */
  refuseLink(path: string): Promise<void>;
  /** Begins to write. */
  openWork(worker: ArchiveWorker): Promise<ArchiveWork>;
}

/** Of a file that was not read. */
export const notFollowed = new Prose({
  en: 'the folder is a symbolic link and was not followed: --follow-links reads it',
  pt: 'a pasta é um link simbólico e não foi seguida: --follow-links a lê',
});

/** Why a file that has no digest is missing, if that is not plain: a link stands in its place. */
export async function missingReason(storage: ArchiveStorage, path: string): Promise<{ readonly reason?: Prose }> {
  return (await storage.exists(path)) ? { reason: new Prose(isALink) } : {};
}

/** What one process writes with, until it ends. Errors: `archive.unusable` for a server without conditional writes. Partial files of dead processes are removed when it begins. */
export interface ArchiveWork extends ArchiveWriter {
  readonly intake: Intake;
  /** Where bytes are kept that stood in the place of a file of this process, and were not expected there. */
  readonly displaced: readonly string[];
  /** Moves a file away. Does nothing when another process has moved it already. */
  setAside(path: string, to: string): Promise<void>;
  /** Holds the lock of this name, which excludes processes of every store and machine. Error: `archive.locked` after `lockWaitMs`. */
  exclusively<Result>(name: string, use: () => Promise<Result>): Promise<Result>;
  end(): Promise<void>;
}

/** Identifies a running process, so that another process can check it. */
export interface WorkOwner {
  readonly machine: string;
  readonly pid: number;
  readonly processStart: string;
}

export type Liveness = 'alive' | 'dead' | 'unknown';

export interface ArchiveWorker {
  readonly workerId: string;
  readonly owner: WorkOwner;
  /** `unknown`: cannot be checked from here, so the age of what it left decides. */
  readonly livenessOf: (owner: WorkOwner) => Liveness;
  /** How long a lock of another process is waited for. */
  readonly lockWaitMs: number;
  readonly clock: Clock;
}

/** What is waited for while another process holds a lock. */
export function heldLock(path: string): Text {
  return { en: `another process, which holds the lock ${path}`, pt: `outro processo, que detém a trava ${path}` };
}

/** A file and the archive that it is in. */
export interface ArchiveFile {
  readonly storage: ArchiveStorage;
  readonly path: string;
}

/** The bytes of a whole file. Errors: `input.not_found`, `input.unreadable`, also for one with more bytes. */
export async function readWhole(
  { storage, path }: ArchiveFile,
  { mostBytes }: { readonly mostBytes: number },
): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of storage.read(path)) {
    length += chunk.length;
    if (length > mostBytes) throw new FiscalError('input.unreadable', { path: storage.nameOf(path), reason: tooLarge });
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const tooLarge = { en: 'it is too large', pt: 'é grande demais' };

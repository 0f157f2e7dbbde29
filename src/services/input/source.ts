import { open, rm, type FileHandle } from 'node:fs/promises';
import { extname, join, resolve } from 'node:path';
import { makeFolder } from '../../io/make-folder.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { fileBytes, isRegularFile, unreadableFile } from '../../io/input-file.js';
import type { Context } from '../context.js';

/** The part of the context that reading needs. */
export type InputContext = Pick<Context, 'cwd' | 'stdin' | 'directories' | 'random' | 'goOn' | 'interruption'>;

/** Bytes to read, from a file or from standard input. */
export interface Source {
  /** As a person knows it: the path as typed, or `stdin`. */
  readonly name: string;
  /** `.csv`; empty when there is none. */
  readonly extension: string;
  /** The path of a file as it was typed; absent for stdin and pipes. */
  readonly file?: string | undefined;
  /** Ends the work on bytes that were read already. */
  readonly interruption?: AbortSignal;
  /** From the beginning. A second call is possible when the source was opened to be read again. */
  bytes(): AsyncIterable<Uint8Array>;
  close(): Promise<void>;
}

/**
 * Opens `path`, or standard input for `-`. With `again`, what can be read only once (stdin, a pipe) is kept in a
 * temporary file during the first reading, so that memory stays flat.
 * Errors: `input.not_found`, `input.unreadable`, `store.unwritable`.
 */
export async function openSource(
  context: InputContext,
  path: string,
  options: { readonly again: boolean },
): Promise<Source> {
  const { interruption } = context;
  if (path === '-') {
    const source = { name: 'stdin', extension: '', interruption, bytes: () => context.stdin.read() };
    return options.again ? spooled(context, source) : { ...source, close: async () => {} };
  }
  const file = resolve(context.cwd, path);
  const isFile = await isRegularFile(file).catch((error: unknown) => {
    throw unreadableFile(path, error);
  });
  if (!isFile) context.goOn.byJobOnly();
  const source = {
    name: path,
    file: isFile ? path : undefined,
    extension: extname(path).toLowerCase(),
    interruption,
    bytes: () => namedBytes(file, path, interruption),
  };
  return options.again && !isFile ? spooled(context, source) : { ...source, close: async () => {} };
}

async function* namedBytes(file: string, name: string, pipeUntil: AbortSignal): AsyncIterable<Uint8Array> {
  try {
    yield* fileBytes(file, { pipeUntil });
  } catch (error) {
    throw unreadableFile(name, error);
  }
}

type OneShot = Omit<Source, 'close'>;

/** Writes what passes through to a file of its own, which the later readings use. */
async function spooled(context: InputContext, source: OneShot): Promise<Source> {
  const folder = join(context.directories.state, 'spool');
  const path = join(folder, context.random.uuid());
  const file = await openSpool(folder, path);
  let isComplete = false;
  async function* firstReading(): AsyncIterable<Uint8Array> {
    for await (const chunk of source.bytes()) {
      await file.write(chunk).catch((error: unknown) => {
        throw unwritable(path, error);
      });
      yield chunk;
    }
    isComplete = true;
  }
  return {
    name: source.name,
    extension: source.extension,
    interruption: context.interruption,
    bytes: () => (isComplete ? readHandle(file) : firstReading()),
    async close() {
      await file.close();
      await rm(path, { force: true });
    },
  };
}

async function openSpool(folder: string, path: string): Promise<FileHandle> {
  try {
    makeFolder(folder);
    return await open(path, 'wx+', 0o600);
  } catch (error) {
    throw unwritable(path, error);
  }
}

const CHUNK = 65_536;

/** A stream would close the file where its reader ends early. */
async function* readHandle(file: FileHandle): AsyncIterable<Uint8Array> {
  for (let position = 0; ; ) {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(CHUNK), 0, CHUNK, position);
    if (bytesRead === 0) return;
    position += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

function unwritable(path: string, error: unknown): Error {
  const reason = systemCode(error);
  if (reason === undefined) return error instanceof Error ? error : new TypeError(String(error));
  if (reason === 'ENOSPC') return new FiscalError('store.full', { path });
  return new FiscalError('store.unwritable', { path, reason });
}

function systemCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

import { type FileHandle, open } from 'node:fs/promises';
import { unwritable } from './output-file.js';

/** A file that grows by whole texts. */
export interface LogFile {
  /** Resolves when the text is in the file. Errors: `store.unwritable`, `store.full`. */
  write(text: string): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens a log, which is opened again by its name at each SIGHUP, as a program that rotates logs asks for after it has renamed the
 * file. No text is lost or torn between the two files. Where the new one cannot be opened, the next write says so. Error:
 * `store.unwritable`.
 */
export async function openLogFile(path: string, onHangup?: (listener: () => void) => () => void): Promise<LogFile> {
  const opened = async (): Promise<FileHandle> =>
    await open(path, 'a', 0o600).catch((error: unknown) => {
      throw unwritable(path, error);
    });
  let file = await opened();
  let turn: Promise<unknown> = Promise.resolve();
  let isOld = false;
  const next = async (work: () => Promise<void>): Promise<void> => {
    const mine = turn.then(work);
    turn = mine.catch(() => undefined);
    await mine;
  };
  const renew = async (): Promise<void> => {
    if (!isOld) return;
    const before = file;
    file = await opened();
    isOld = false;
    await before.close();
  };
  const stop = onHangup?.(() => {
    isOld = true;
    // The write that follows meets the same failure, and reports it.
    next(renew).catch(() => undefined);
  });
  return {
    write: async (text) =>
      await next(async () => {
        await renew();
        await file.appendFile(text).catch((error: unknown) => {
          throw unwritable(path, error);
        });
      }),
    async close() {
      stop?.();
      await next(async () => await file.close());
    },
  };
}

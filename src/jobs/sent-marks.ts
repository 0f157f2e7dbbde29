import { closeSync, openSync, readFileSync, renameSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../io/make-folder.js';
import { systemCode } from '../domain/system-code.js';
import type { SeenSend, SeenSends } from '../store/seen-sends.js';

/** More than one process has in flight: the sends of a store end in about this order, and one of the last is missing where any is. */
const KEPT = 1_024;
/** Begun by a line feed and ended by a semicolon: what a power failure leaves of a line spoils no other one. */
const LINE = /^(\d+) (\d+) (\S+) ;$/;
/** A file that is larger becomes the older of two, of which each has enough sends for itself. */
const MOST_BYTES = 128 * 1024;
const LOOK_EVERY = 500;
const LONGEST_NAME = 200;

/**
 * The last sends of each store in `cacheFolder`: a line for each, which outlives a killed process. A line costs a write without a
 * sync, so that a power failure may take the last seconds with it. `failed` is called once, when they cannot be read or written.
 */
export function openSentMarks(cacheFolder: string, failed: (path: string, error: unknown) => void): SeenSends {
  const folder = join(cacheFolder, 'sends');
  try {
    makeFolder(folder);
  } catch {
    // The first line cannot be written either, and that is said.
  }
  let added = 0;
  let hasFailed = false;
  const say = (path: string, error: unknown): void => {
    if (!hasFailed) failed(path, error);
    hasFailed = true;
  };
  return {
    of(storeId) {
      const path = pathOf(folder, storeId);
      try {
        return [...readLines(older(path)), ...readLines(path)].slice(-KEPT);
      } catch (error) {
        say(path, error);
        return [];
      }
    },
    add(storeId, { itemId, attempts, at }) {
      const path = pathOf(folder, storeId);
      try {
        if (added % LOOK_EVERY === 0) turnOver(path);
        added += 1;
        append(path, `\n${Math.ceil(at)} ${attempts} ${itemId} ;`);
      } catch (error) {
        say(path, error);
      }
    },
  };
}

/** A server chooses the identity of its store; in hex, and cut, it is always the name of a file. */
function pathOf(folder: string, storeId: string): string {
  return join(folder, Buffer.from(storeId).toString('hex').slice(0, LONGEST_NAME));
}

const older = (path: string): string => `${path}.old`;

/** Opened anew for each line: another process may have turned the file over. */
function append(path: string, line: string): void {
  const file = openSync(path, 'a', 0o600);
  try {
    writeSync(file, line);
  } finally {
    closeSync(file);
  }
}

function turnOver(path: string): void {
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > MOST_BYTES) renameSync(path, older(path));
}

/** A line that is not whole, as after a power failure, is passed over. */
function readLines(path: string): readonly SeenSend[] {
  return textOf(path)
    .split('\n')
    .flatMap((line) => {
      const [, at, attempts, itemId] = LINE.exec(line) ?? [];
      return itemId === undefined ? [] : [{ itemId, attempts: Number(attempts), at: Number(at) }];
    });
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return '';
    throw error;
  }
}

import { createHash, randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { open, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../io/make-folder.js';
import { isRecord } from '../domain/record.js';
import { systemCode } from '../domain/system-code.js';
import type { ItemStep } from '../domain/item-step.js';
import type { ItemPatch } from '../store/store.js';

/** What an answer of the service changes about an item, until the store has it. */
export interface KeptAnswer {
  readonly itemId: string;
  readonly jobId: string;
  readonly label: string;
  /** The claim under which the item was sent. */
  readonly workerId: string;
  readonly epoch: number;
  /** Which send it answers. */
  readonly attempts: number;
  readonly patch: ItemPatch;
  readonly at: number;
  readonly step: ItemStep;
}

interface KeptAnswers {
  readonly answers: readonly { readonly path: string; readonly answer: KeptAnswer }[];
  /** Files whose content is not what this program wrote. */
  readonly damaged: readonly string[];
}

/**
 * The answers that a store on a server could not take: a file of this machine for each, so that processes need no lock between
 * them. An answer counts as kept when it is on the disk.
 */
export interface AnswerJournal {
  readonly folder: string;
  /** Returns what removes it, for when the store has it. */
  keep(answer: KeptAnswer): Promise<() => Promise<void>>;
  list(): Promise<KeptAnswers>;
  remove(path: string): Promise<void>;
}

const MOST_KEPT = 10_000;
const MOST_BYTES = 1024 * 1024;
const ENDING = '.answer';

const folderOf = (stateFolder: string): string => join(stateFolder, 'answers');

/** The answers of every store that wait on this machine. */
export async function countKeptAnswers(
  stateFolder: string,
): Promise<{ readonly folder: string; readonly count: number }> {
  const folder = folderOf(stateFolder);
  const stores = await entriesIn(folder);
  const names = await Promise.all(stores.map((store) => namesIn(join(folder, store))));
  return { folder, count: names.flat().length };
}

export function createAnswerJournal(stateFolder: string, storeId: string): AnswerJournal {
  // A server chooses the identity of its store; a hash of it is always the name of a file.
  const folder = join(folderOf(stateFolder), digestOf(storeId).slice(0, 32));
  const remove = async (path: string): Promise<void> => await rm(path, { force: true });
  return {
    folder,
    remove,
    async keep(answer) {
      makeFolder(folder);
      if ((await namesIn(folder)).length >= MOST_KEPT) throw new Error(`more than ${MOST_KEPT} answers wait`);
      const path = join(folder, `${randomUUID()}${ENDING}`);
      const line = lineOf(answer);
      // Nobody would read it back.
      if (Buffer.byteLength(line) > MOST_BYTES) throw new Error('the answer is too large to be kept');
      await writeDurably(path, line);
      await syncFolder(folder);
      return async () => await remove(path);
    },
    async list() {
      const answers: { readonly path: string; readonly answer: KeptAnswer }[] = [];
      const damaged: string[] = [];
      for (const name of await namesIn(folder)) {
        const path = join(folder, name);
        const answer = await readAnswer(path);
        if (answer === 'damaged') damaged.push(path);
        else if (answer !== 'gone') answers.push({ path, answer });
      }
      return { answers, damaged };
    },
  };
}

/** Waits for no pipe, follows no link. Windows has neither. */
const CAREFULLY = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);

/** `gone`: another process has written it to the store meanwhile. Only regular files of a bounded size are read. */
async function readAnswer(path: string): Promise<KeptAnswer | 'damaged' | 'gone'> {
  try {
    const file = await open(path, CAREFULLY);
    try {
      const found = await file.stat();
      if (!found.isFile() || found.size > MOST_BYTES) return 'damaged';
      return answerOf(await file.readFile('utf8')) ?? 'damaged';
    } finally {
      await file.close();
    }
  } catch (error) {
    return systemCode(error) === 'ENOENT' ? 'gone' : 'damaged';
  }
}

async function namesIn(folder: string): Promise<readonly string[]> {
  return (await entriesIn(folder)).filter((name) => name.endsWith(ENDING)).toSorted();
}

async function entriesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(systemCode(error) ?? '')) return [];
    throw error;
  }
}

/** A process that dies meanwhile leaves no half of an answer under its name. */
async function writeDurably(path: string, text: string): Promise<void> {
  const part = `${path}.part`;
  const file = await open(part, 'wx', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(part, path);
}

/** So that the name survives a loss of power; where a folder cannot be opened (Windows), the system does that. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r').catch(() => undefined);
  if (folder === undefined) return;
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

function lineOf(answer: KeptAnswer): string {
  const json = JSON.stringify(answer);
  return `${digestOf(json)} ${json}\n`;
}

/** `undefined`: the line is not whole, or not of this program. Nothing of it is guessed. */
function answerOf(line: string): KeptAnswer | undefined {
  const json = line.slice(line.indexOf(' ') + 1).replace(/\n$/, '');
  if (line !== `${digestOf(json)} ${json}\n`) return undefined;
  const value: unknown = JSON.parse(json);
  // Only `lineOf` writes what has this digest.
  return isRecord(value) && isRecord(value['patch']) ? (value as unknown as KeptAnswer) : undefined;
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

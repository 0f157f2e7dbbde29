import { ExitCode } from '../../src/errors/exit-code.js';
import { code } from './markdown.js';

interface Meaning {
  readonly meaning: string;
  /** What to do; empty where a later try does not help. */
  readonly later: string;
}

const meanings: Readonly<Record<keyof typeof ExitCode, Meaning>> = {
  ok: { meaning: 'done (an empty list is done)', later: '' },
  internal: { meaning: 'defect of the program', later: '' },
  usage: { meaning: 'usage, configuration or local validation: nothing was sent', later: '' },
  partial: { meaning: 'a batch ended with some items failed or uncertain', later: '`fiscal job retry`' },
  credentials: { meaning: 'no credentials, or 401: the text says which key and from where', later: '' },
  temporary: { meaning: 'temporary: network, timeout, 5xx, after retries', later: 'yes' },
  refused: { meaning: 'refused: 400 or 422', later: '' },
  forbidden: { meaning: 'forbidden: 403 (role, fiscal secrecy)', later: '' },
  pending: { meaning: 'still pending at `--timeout`', later: 'yes' },
  notFound: { meaning: 'not found: 404', later: '' },
  conflict: { meaning: 'conflict: 409', later: '' },
  held: { meaning: 'another process holds the job', later: 'yes' },
  rateLimited: { meaning: 'rate limited beyond `--max-retry-wait`', later: 'yes, the time is told' },
  endedBadly: { meaning: 'ended badly at the far side: Rejected, Failed, product Error', later: '' },
  limitReached: { meaning: 'stopped at a limit that you set; resumable', later: 'yes' },
  interrupted: { meaning: 'interrupted by SIGINT, after a checkpoint; resumable', later: 'yes' },
  terminated: { meaning: 'interrupted by SIGTERM, after a checkpoint; resumable', later: 'yes' },
};

const meaningByName: ReadonlyMap<string, Meaning> = new Map(Object.entries(meanings));

/** code, meaning, whether a later try helps. */
export function exitCodeRow(value: number): readonly [string, string, string] {
  const name = Object.entries(ExitCode).find(([, known]) => known === value)?.[0];
  const found = name === undefined ? undefined : meaningByName.get(name);
  if (found === undefined) throw new Error(`no meaning for the exit code ${value}`);
  return [code(String(value)), found.meaning, found.later];
}

export function exitCodes(): readonly number[] {
  return Object.values(ExitCode);
}

import type { Clock } from '../domain/world.js';
import type { AnswerJournal, KeptAnswer } from './answer-journal.js';

/** A store that takes longer than this to write an answer may not write it at all. */
const SOON_MS = 500;

/**
 * Resolves as `writing` does. An answer that the store refuses, or does not take soon, is kept on this machine; it is removed
 * once the store has it. `false` of `writing` means that another machine has taken the item over: the answer is kept for it.
 */
export async function writeOrKeep(
  writing: Promise<boolean>,
  { answer, journal, clock }: { answer: KeptAnswer; journal: Pick<AnswerJournal, 'keep'>; clock: Clock },
): Promise<boolean> {
  const waiting = new AbortController();
  const outcome = writing.catch(() => false);
  const late = clock.sleep(SOON_MS, waiting.signal).then(
    () => false,
    () => false,
  );
  const isSoon = await Promise.race([outcome, late]);
  waiting.abort();
  if (isSoon) return true;
  // Where not even a file can be written, the error of the store is the one to report.
  const forget = await journal.keep(answer).catch(() => undefined);
  if (await outcome) await forget?.();
  return await writing;
}

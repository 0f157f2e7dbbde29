import type { Intake } from './intake.js';

/** A thread takes some 20 MB and a start of its own: it is worth them from so many documents on. */
const WORTH_A_THREAD = 200;

/** Hardly any document is larger, and one that is would fill the little memory of the thread. */
const MOST_BYTES = 512 * 1024;

/** Works here until the run turns out to be a long one, and then lets a thread help. */
export function createLongIntake(here: Intake, startThread: () => Intake): Intake {
  let count = 0;
  let thread: Intake | undefined;
  return {
    async admit(candidate) {
      count += 1;
      if (count <= WORTH_A_THREAD || candidate.bytes.length > MOST_BYTES) return await here.admit(candidate);
      thread ??= startThread();
      return await thread.admit(candidate);
    },
    async close() {
      await thread?.close();
      await here.close();
    },
  };
}

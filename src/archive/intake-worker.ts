import { setFlagsFromString } from 'node:v8';
import { parentPort, workerData } from 'node:worker_threads';
import { FiscalError } from '../errors/fiscal-error.js';
import { fileErrorCode } from './digest.js';
import { createIntake, type Candidate } from './intake.js';
import { unpackOrder, type IntakeAnswer, type IntakeOrder, type IntakeStart } from './intake-order.js';
import { createArchiveWriter } from './write.js';

/** The program of the thread: an order in, its answer out. */

// The start of a thread puts this back, for all of them: see `keepHeapSmall`.
setFlagsFromString('--semi-space-growth-factor=1');

const { parts, ready }: IntakeStart = workerData;
Atomics.store(ready, 0, 1);
Atomics.notify(ready, 0);

const intake = createIntake(createArchiveWriter(parts));

async function admit(candidate: Candidate): Promise<IntakeAnswer['admissions'][number]> {
  try {
    return await intake.admit(candidate);
  } catch (error) {
    const code = systemCode(error);
    if (code === undefined) throw error;
    return { failed: code };
  }
}

function systemCode(error: unknown): string | undefined {
  if (!(error instanceof FiscalError)) return undefined;
  return error.code === 'store.full' ? 'ENOSPC' : fileErrorCode(error.facts.cause);
}

async function work(order: IntakeOrder): Promise<void> {
  const admissions = await Promise.all(unpackOrder(order).map(admit));
  const { number, bytes } = order;
  const answer: IntakeAnswer = { number, bytes, admissions };
  parentPort?.postMessage(answer, [bytes.buffer]);
}

parentPort?.on('message', (order: IntakeOrder) => void work(order));

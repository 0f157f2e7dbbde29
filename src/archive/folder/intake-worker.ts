import { setFlagsFromString } from 'node:v8';
import { parentPort, workerData } from 'node:worker_threads';
import { FiscalError } from '../../errors/fiscal-error.js';
import { systemCode } from '../../domain/system-code.js';
import { unpackBatch, type Batch, type BatchAnswer, type WorkerStart } from './intake-thread.js';
import { createIntake, type Candidate } from '../intake.js';
import { createFolderWriter } from './write.js';

/** The entry point of the second thread: a batch in, its answer out. */

// Starting a thread resets this flag for the whole process: see `keepHeapSmall`.
setFlagsFromString('--semi-space-growth-factor=1');

const { writer, ready }: WorkerStart = workerData;
Atomics.store(ready, 0, 1);
Atomics.notify(ready, 0);

const intake = createIntake(createFolderWriter(writer));

async function admit(candidate: Candidate): Promise<BatchAnswer['admissions'][number]> {
  try {
    return await intake.admit(candidate);
  } catch (error) {
    const code = codeBehind(error);
    if (code === undefined) throw error;
    return { failed: code };
  }
}

/** Of the file system, behind the error that names the file. */
function codeBehind(error: unknown): string | undefined {
  if (!(error instanceof FiscalError)) return undefined;
  return error.code === 'store.full' ? 'ENOSPC' : systemCode(error.facts.cause);
}

async function work(batch: Batch): Promise<void> {
  const admissions = await Promise.all(unpackBatch(batch).map(admit));
  const { number, bytes } = batch;
  const answer: BatchAnswer = { number, bytes, admissions };
  parentPort?.postMessage(answer, [bytes.buffer]);
}

parentPort?.on('message', (batch: Batch) => void work(batch));

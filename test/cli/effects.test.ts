import { expect, test } from 'vitest';
import { errorAfter } from '../../src/cli/effects.js';
import { FiscalError } from '../../src/errors/fiscal-error.js';

const unreachable = new FiscalError('store.unreachable', { path: 'postgres://db', reason: 'ECONNRESET' });

function factsAfter(error: FiscalError, jobIds: readonly string[]) {
  const after = errorAfter(error, { sends: 3, billed: 0, jobIds });
  if (!(after instanceof FiscalError)) throw new Error('not an error of the program');
  return { code: after.code, ...after.facts };
}

test('a store that fails after the job has ended: the error names the job and the command that shows it', () => {
  expect(factsAfter(unreachable, ['01JOB'])).toMatchObject({
    code: 'job.store_failed',
    sent: 'yes',
    retryable: true,
    jobId: '01JOB',
    hint: { en: 'the job is kept: fiscal job show 01JOB', pt: expect.stringContaining('01JOB') },
  });
});

test('with several jobs, the hint lists them', () => {
  expect(factsAfter(unreachable, ['01JOB', '02JOB'])).toMatchObject({
    hint: { en: 'the jobs are kept: fiscal job list' },
  });
  expect(factsAfter(unreachable, ['01JOB', '02JOB'])).not.toHaveProperty('jobId');
});

test('without a job, nothing is said of a record that the store may not have taken', () => {
  expect(factsAfter(unreachable, [])).not.toHaveProperty('hint');
});

test('what the error says itself stays', () => {
  const error = unreachable.with({ jobId: '03JOB', resume: 'fiscal job resume 03JOB' });
  const facts = factsAfter(error, ['01JOB']);
  expect(facts).toMatchObject({ jobId: '03JOB', resume: 'fiscal job resume 03JOB' });
  expect(facts).not.toHaveProperty('hint');
});

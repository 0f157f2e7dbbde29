import type { ArgumentSpec } from '../../cli/command.js';
import { ExitCode } from '../../errors/exit-code.js';

/** The job that a verb is about. */
export const jobArgument: ArgumentSpec = {
  name: 'id',
  required: true,
  summary: { en: 'Id of the job, or its beginning', pt: 'Id do trabalho, ou o começo dele' },
};

/** How a verb that works on a job can end. */
export const workExitCodes: readonly ExitCode[] = [
  ExitCode.partial,
  ExitCode.credentials,
  ExitCode.temporary,
  ExitCode.pending,
  ExitCode.notFound,
  ExitCode.held,
  ExitCode.rateLimited,
  ExitCode.limitReached,
];

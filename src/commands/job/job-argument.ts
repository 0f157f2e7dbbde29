import type { ArgumentSpec } from '../../cli/command.js';

/** The job that a verb is about. */
export const jobArgument: ArgumentSpec = {
  name: 'id',
  required: true,
  summary: { en: 'Id of the job, or its beginning', pt: 'Id do trabalho, ou o começo dele' },
};

import type { StartedJob, StartRequest } from '../../jobs/engine.js';
import type { Context } from '../context.js';

/** A job as a service describes it; the command that goes on with it is made of the words of this run. */
export interface JobRequest<Input> extends Omit<StartRequest<Input>, 'commandLine'> {
  /** The companies of a job for several, none where its input names them; the company of a job for one stands in `scope`. */
  readonly companies?: readonly string[];
  /** The items hold only a part of the input: to go on takes the input once more. */
  readonly needsInput?: boolean;
}

/** Finds the job of this input, or writes it whole before anything is sent. */
export async function startJob<Input>(
  context: Context,
  { companies, needsInput, ...request }: JobRequest<Input>,
): Promise<StartedJob> {
  const { companyId, tenantId } = request.scope;
  const company = companies?.join(',') ?? companyId;
  const commandLine = await context.goOn.commandFor({ company, tenant: tenantId, needsInput });
  return await (await context.jobs()).start({ ...request, commandLine });
}

import type { Submission } from '../../jobs/kinds/manifestation.js';
import { nfeCall } from '../../jobs/kinds/manifestation-nfe.js';
import { nfseCall } from '../../jobs/kinds/manifestation-nfse.js';
import type { Context } from '../../services/context.js';
import { previewOne, type DryRun } from '../../services/calls/one-call.js';

/** The request that would submit it. */
export async function previewSubmission(context: Context, submission: Submission): Promise<DryRun> {
  return submission.family === 'nfe'
    ? await previewOne(context, 'nfe.manifestation.submit', nfeCall(submission))
    : await previewOne(context, 'nfse.manifestation.submit', nfseCall(submission));
}

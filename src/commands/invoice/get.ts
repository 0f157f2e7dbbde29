import type { Outcome } from '../../domain/outcome.js';
import type { CheckedModel } from '../../domain/invoice-check.js';
import { ExitCode } from '../../errors/exit-code.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { Context } from '../../services/context.js';
import { previewOne } from '../../services/preview.js';
import { companyOf } from '../../services/read-company.js';
import { issueEndedBadly } from './endings.js';
import { followInvoice, type FollowTimes } from './follow.js';
import { idByExternalId, fetchInvoice, previewRead } from './read-invoice.js';
import { standingOf } from './shown.js';

export interface GetRequest extends FollowTimes {
  readonly model: CheckedModel;
  readonly id: string | undefined;
  /** Of an NFS-e, which the service finds by it. */
  readonly externalId: string | undefined;
  readonly wait: boolean;
  /** The exit code tells the state: 8 while it is issued, 13 for a refusal. */
  readonly exitStatus: boolean;
}

/** One invoice as the service shows it; with `wait`, once its issue has ended. Errors: `usage.missing`, `outcome.*`. */
export async function getInvoice(context: Context, request: GetRequest): Promise<Outcome> {
  const { model, id, externalId, wait } = request;
  const companyId = model === 'general' ? '' : await companyOf(context);
  if (id === undefined && externalId === undefined) throw nothingNamed(model);
  const { dryRun } = await context.settings();
  if (id === undefined && dryRun) {
    const path = { companyId, externalId: externalId ?? '' };
    return { data: await previewOne(context, 'nfse.getByExternalId', { path }) };
  }
  if (dryRun) return { data: await previewRead(context, { model, companyId, id: id ?? '' }) };
  const target =
    id === undefined
      ? { model, companyId, id: await idByExternalId(context, { companyId, externalId: externalId ?? '' }) }
      : { model, companyId, id };
  const { body } = wait ? await followInvoice(context, target, request) : await fetchInvoice(context, target);
  if (!request.exitStatus) return { data: body };
  const standing = standingOf(body);
  if (standing.is === 'refused') throw issueEndedBadly(target, standing);
  return standing.is === 'issued' ? { data: body } : { data: body, exitCode: ExitCode.pending };
}

function nothingNamed(model: CheckedModel): FiscalError {
  const names = model === 'nfse' ? '<id>, --external-id' : '<id>';
  return new FiscalError('usage.missing', { names }, { sent: 'no' });
}

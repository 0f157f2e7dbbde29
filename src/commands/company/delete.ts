import type { Text } from '../../contract/text.js';
import type { Outcome } from '../../domain/outcome.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { Context } from '../../services/context.js';
import { previewOne } from '../../services/calls/one-call.js';
import { companyIn, fetchCompany } from '../../services/scope/account.js';
import { idAmong } from '../../services/scope/resolver.js';
import type { AccountCompany } from '../../services/scope/scope.js';
import { companyText } from '../../services/scope/text.js';

export interface DeleteRequest {
  /** Its id, CNPJ, name or alias. */
  readonly company: string;
  /** The id once more, so that no other company goes by a slip. */
  readonly confirm: string | undefined;
}

/**
 * Deletes a company, with its id typed twice. The service keeps its row but captures and issues nothing for it any more (public).
 * A repeat of a lost answer that finds it gone is a success.
 */
export async function deleteCompany(context: Context, request: DeleteRequest): Promise<Outcome> {
  const companyId = await idAmong(context, request.company);
  const input = { path: { companyId } };
  const { dryRun, space } = await context.settings();
  if (dryRun) return { data: await previewOne(context, 'company.delete', input) };
  const company = await fetchCompany(context, companyId);
  const { name, taxNumber } = companyIn({ ...company, id: companyId }) ?? {};
  const what = question({ id: companyId, name, taxNumber }, space);
  await context.consent({ what, confirmWith: { value: companyId, given: request.confirm } });
  const client = await context.client();
  try {
    await client.call('company.delete', input, { signal: context.interruption });
  } catch (error) {
    if (!isGoneByOurselves(error)) throw error;
  }
  return { data: { id: companyId, deleted: true } };
}

/** It was there a moment ago; a 404 after more than one send is the echo of the first. */
function isGoneByOurselves(error: unknown): boolean {
  if (!(error instanceof FiscalError)) return false;
  return error.code === 'service.not_found' && (error.facts.attempts ?? 1) > 1;
}

function question(company: AccountCompany, space: string): Text {
  const whose = companyText(company);
  return {
    en: `deleting company ${whose} (profile ${space}): nothing is captured or issued for it any more`,
    pt: `excluir a empresa ${whose} (perfil ${space}): nada mais é capturado nem emitido para ela`,
  };
}

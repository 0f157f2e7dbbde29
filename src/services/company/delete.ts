import type { Text } from '../../contract/text.js';
import type { Outcome } from '../../domain/outcome.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { Context } from '../context.js';
import { previewOne } from '../preview.js';
import { fetchCompany } from '../fetch-company.js';

export interface DeleteRequest {
  readonly companyId: string;
  /** The id once more, so that no other company goes by a slip. */
  readonly confirm: string | undefined;
}

/**
 * Deletes a company, with its id typed twice. The service keeps its row but captures and issues nothing for it any more (public).
 * A repeat of a lost answer that finds it gone is a success.
 */
export async function deleteCompany(context: Context, request: DeleteRequest): Promise<Outcome> {
  const { companyId, confirm } = request;
  const input = { path: { companyId } };
  const { dryRun, space } = await context.settings();
  if (dryRun) return { data: await previewOne(context, 'company.delete', input) };
  const company = await fetchCompany(context, companyId);
  const what = question({ companyId, name: String(company['name'] ?? ''), space });
  await context.consent({ what, confirmWith: { value: companyId, given: confirm } });
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

interface Named {
  readonly companyId: string;
  readonly name: string;
  readonly space: string;
}

function question({ companyId, name, space }: Named): Text {
  return {
    en: `deleting company ${companyId} (${name}, profile ${space}): nothing is captured or issued for it any more`,
    pt: `excluir a empresa ${companyId} (${name}, perfil ${space}): nada mais é capturado nem emitido para ela`,
  };
}

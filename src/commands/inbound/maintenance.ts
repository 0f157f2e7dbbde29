import type { Text } from '../../contract/text.js';
import { fiscalLine } from '../../domain/command-words.js';
import type { Context } from '../../services/context.js';
import { hintWhenAbsent } from '../../services/hint-when-absent.js';

/**
 * Does a maintenance call of NFS-e. A 404 says that the company does not capture NFS-e, and how it would; a 403 names the
 * role Management by itself, since the operation has it.
 */
export async function maintain<Result>(
  context: Context,
  companyId: string,
  call: () => Promise<Result>,
): Promise<Result> {
  return await hintWhenAbsent(async () => await notCaptured(context, companyId), call);
}

async function notCaptured(context: Context, companyId: string): Promise<Text> {
  const { profile } = await context.settings();
  const flags = [['--type', 'nfse']] as const;
  const line = fiscalLine({ command: 'inbound settings enable', flags, company: companyId, profile });
  return {
    en: `company ${companyId} does not capture NFS-e, or is not of this account; to capture them: ${line}`,
    pt: `a empresa ${companyId} não captura NFS-e, ou não é desta conta; para capturar: ${line}`,
  };
}

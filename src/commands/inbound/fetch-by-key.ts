import type { Text } from '../../contract/text.js';
import { checkServiceKey } from '../../domain/access-key.js';
import type { Outcome } from '../../domain/outcome.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { invalidValue } from '../../errors/invalid-value.js';
import type { BatchOptions } from '../../services/batch.js';
import { billedNotices, costOf } from '../../services/billed-notices.js';
import type { Context } from '../../services/context.js';
import { previewOne } from '../../services/preview.js';
import { fetchMany } from './fetch-by-key-many.js';
import { companyOf } from '../../services/read-company.js';
import { companyNamed } from '../../services/scope/text.js';
import { obeySpacing } from './read-spacing.js';

export interface FetchRequest {
  /** An access key of 50 characters, or `-` for keys on stdin, one a line. */
  readonly key: string;
  readonly options: BatchOptions;
}

/** Has the service capture NFS-e by their keys: each call is billed (`GetDocByKey`), one key at once, several as a job. */
export async function fetchDocuments(context: Context, request: FetchRequest): Promise<Outcome> {
  const companyId = await companyOf(context);
  if (request.key === '-') return await fetchMany(context, { companyId, options: request.options });
  return await fetchOne(context, { companyId, ...request });
}

async function fetchOne(
  context: Context,
  { companyId, key, options }: FetchRequest & { readonly companyId: string },
): Promise<Outcome> {
  const { dryRun, space } = await context.settings();
  const accessKey = serviceKey(key);
  const input = { path: { companyId }, body: { accessKey } };
  if (dryRun) return { data: { ...(await previewOne(context, 'nfse.fetchByKey', input)), billedCalls: 1 } };
  if (options.maxBillable === 0)
    throw new FiscalError('inbound.billable_limit', { limit: 0 }, { sent: 'no' });
  await context.consent({ what: oneCall(await companyNamed(context, companyId), space) });
  await obeySpacing(context, { family: 'nfse', companyId });
  const client = await context.client();
  const { retryBillable } = options;
  const how = { billed: true, retryBillable, signal: context.interruption };
  try {
    const answer = await client.call('nfse.fetchByKey', input, how);
    return { data: answer.body, notices: billedNotices(costOf(answer), 'doc-by-key') };
  } catch (error) {
    throw error instanceof FiscalError ? explained(error, { companyId, accessKey }) : error;
  }
}

/** Errors: `usage.invalid_value` with what is wrong. A digit that does not fit is a warning: its rule is not published. */
function serviceKey(text: string): string {
  const { value, valid, issues } = checkServiceKey(text);
  if (valid) return value;
  const expected = issues.find(({ severity }) => severity === 'error')?.message ?? aKey;
  throw invalidValue('KEY', text, expected);
}

/** §4: 403 when the company is neither provider nor taker nor intermediary; the same status may mean a missing role. */
function explained(
  error: FiscalError,
  { companyId, accessKey }: { readonly companyId: string; readonly accessKey: string },
): FiscalError {
  if (error.code !== 'service.forbidden') return error;
  if (!/fiscal.?secrecy|sigilo/i.test(error.message)) return error.with({ hint: eitherCause });
  const { hint: _hint, ...facts } = error.facts;
  const values = { company: companyId, key: accessKey };
  return new FiscalError('inbound.fiscal_secrecy', values, { ...facts, hint: secrecyHint });
}

function oneCall(company: string, space: string): Text {
  return {
    en: `1 billed call (GetDocByKey) for company ${company} (profile ${space})`,
    pt: `1 chamada cobrada (GetDocByKey) para a empresa ${company} (perfil ${space})`,
  };
}

const aKey: Text = {
  en: 'an NFS-e key of 50 characters is expected',
  pt: 'espera-se uma chave de NFS-e de 50 caracteres',
};

const secrecyHint: Text = {
  en: 'only a party of the note may capture it: choose the company that takes part in it (--company)',
  pt: 'só uma das partes da nota pode capturá-la: escolha a empresa que participa dela (--company)',
};

const eitherCause: Text = {
  en: 'either fiscal secrecy (the company is neither provider nor taker nor intermediary of the note) or the key lacks the role NFSeDist',
  pt: 'ou sigilo fiscal (a empresa não é prestadora, tomadora nem intermediária da nota) ou falta à chave o papel NFSeDist',
};

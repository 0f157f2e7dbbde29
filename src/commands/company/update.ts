import type { Text } from '../../contract/text.js';
import { fiscalLine } from '../../domain/command-words.js';
import { counted, nouns } from '../../domain/counted.js';
import { isRecord } from '../../domain/record.js';
import type { Outcome } from '../../domain/outcome.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { Context } from '../../services/context.js';
import { previewOne } from '../../services/preview.js';
import { companyIn } from '../../services/scope/account.js';
import { idAmong } from '../../services/scope/resolver.js';
import type { AccountCompany } from '../../services/scope/scope.js';
import { companyText } from '../../services/scope/text.js';
import { fetchCompany } from '../../services/fetch-company.js';
import {
  changesBetween,
  changeText,
  differenceText,
  merge,
  notShown,
  takenFrom,
  type Fields,
} from '../../services/merge-fields.js';
import { checkedCompany, readWritten, type WrittenCompany } from './read-written.js';

export interface UpdateRequest extends WrittenCompany {
  /** Its id, CNPJ, name or alias. */
  readonly company: string;
}

/**
 * The service replaces the whole, so the company is read, what was written is merged into it (null takes a field away), the
 * difference is shown and asked about, and the whole is sent. Without a difference nothing is sent.
 */
export async function updateCompany(context: Context, request: UpdateRequest): Promise<Outcome> {
  const { file } = request;
  const written = await readWritten(context, request);
  const companyId = await idAmong(context, request.company);
  const standing = ownFields(await wholeCompany(context, companyId));
  const merged = merge(standing, written);
  const company = checkedCompany(merged, written, file);
  const changes = changesBetween(standing, merged);
  if (changes.length === 0) return { data: { id: companyId, ...standing }, notices: [nothingDiffers] };
  const input = { path: { companyId }, body: { company } };
  const { dryRun, space } = await context.settings();
  if (dryRun) return { data: { ...(await previewOne(context, 'company.update', input)), changes } };
  for (const change of changes) await context.notice(changeText(change));
  await context.consent({ what: question({ id: companyId, ...namesIn(standing) }, changes.length, space) });
  const client = await context.client();
  const { body } = await client.call('company.update', input, { signal: context.interruption });
  const answered: unknown = body;
  const shown = isRecord(answered) && isRecord(answered['company']) ? answered['company'] : undefined;
  const data = shown ?? (await fetchCompany(context, companyId));
  const { otherwise, unseen } = takenFrom(changes, data);
  if (otherwise.length > 0) {
    const command = fiscalLine({ command: 'company get', positionals: [companyId] });
    const hint = { en: `see how it stands: ${command}`, pt: `veja como está: ${command}` };
    const facts = { sent: 'yes', retryable: false, hint } as const;
    throw new FiscalError('outcome.unknown', { reason: differenceText(otherwise) }, facts);
  }
  return { data, ...(unseen.length === 0 ? {} : { notices: [notShown(unseen)] }) };
}

/** The service replaces the whole: what is merged into half a company would take the other half away. */
async function wholeCompany(context: Context, companyId: string): Promise<Fields> {
  const company = await fetchCompany(context, companyId);
  const { id = companyId, name, federalTaxNumber } = company;
  const isWhole = id === companyId && typeof name === 'string' && federalTaxNumber !== undefined;
  if (isWhole) return company;
  const reason = {
    en: `it is not company ${companyId} with name and CNPJ; nothing was changed`,
    pt: `não é a empresa ${companyId} com nome e CNPJ; nada foi alterado`,
  };
  const operation = 'company.get';
  throw new FiscalError('service.unreadable', { operation, status: 200, reason }, { operation, sent: 'no' });
}

const given = new Set(['id', 'status', 'createdOn', 'modifiedOn']);

/** Without what the service alone decides. */
function ownFields(company: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(company).filter(([name]) => !given.has(name)));
}

/** What the service says of name and CNPJ. */
function namesIn(fields: Fields) {
  const { name, taxNumber } = companyIn({ ...fields, id: '-' }) ?? {};
  return { name, taxNumber };
}

function question(company: AccountCompany, count: number, space: string): Text {
  const whose = companyText(company);
  const fields = counted(count, nouns.field);
  return {
    en: `changing ${fields.en} of company ${whose} (profile ${space})`,
    pt: `alterar ${fields.pt} da empresa ${whose} (perfil ${space})`,
  };
}

const nothingDiffers: Text = {
  en: 'the company is like that already; nothing was sent',
  pt: 'a empresa já está assim; nada foi enviado',
};

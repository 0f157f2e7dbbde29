import type { Given } from '../../cli/command.js';
import type { Text } from '../../contract/text.js';
import { counted, nouns } from '../../domain/counted.js';
import type { Outcome } from '../../domain/outcome.js';
import { isRecord } from '../../domain/record.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { PlannedItem } from '../../jobs/engine.js';
import { issueFacts } from '../../jobs/kinds/invoice-issue.js';
import type { InvoiceModel, IssueItem } from '../../jobs/kinds/invoice-items.js';
import { countSends, runImport } from '../../services/batch/import.js';
import { requiredFile, writeTemplate } from '../../services/batch/template.js';
import { consentToBatch } from '../../services/batch/start-job.js';
import type { Context } from '../../services/context.js';
import { missing, namedCompany, companyOfRow, type RowCompany } from '../../services/scope/companies.js';
import { companyOfLabel, companyText } from '../../services/scope/text.js';
import { invoiceFamily } from './family.js';
import { externalIdOf, issueItem, issueKey, labelOf, type Issuer } from './identity.js';
import { openInvoices, type ValidatedInvoices, validateInvoices, type ValidInvoice } from './apply-file.js';
import { previewIssue } from './issue.js';
import { modelNames } from './invoice.js';
import type { apply } from './issue-commands.js';
import { modelMissing } from './model.js';
import { documents } from './options.js';
import { samples } from './samples.js';

/**
 * Issues many invoices as one job, with an externalId in every row: one that was used before is skipped. Errors: `input.*`,
 * `usage.missing` where nothing tells the model, `usage.confirmation_required`, and those of `runImport`.
 */
export async function applyInvoices(context: Context, given: Given<typeof apply>): Promise<Outcome> {
  if (given.template !== undefined) return await writeInvoiceTemplate(context, given.template, given.model);
  const path = requiredFile(given.path, '<path>');
  const named = await namedCompany(context);
  const companyOf = async (cell: unknown): Promise<RowCompany> =>
    (await companyOfRow(context, cell)) ?? { companyId: named ?? (await missing(context)) };
  const { dryRun, storeNamespace, sends } = await context.settings();
  const isInBody = given.externalIdInBody || sends.externalId;
  const records = { ...given, companyOf, isInBody, forms: sends };
  const { input, model } = await openInvoices(context, path, { ...records, again: !dryRun });
  context.goOn.found({ model });
  const stateTax = model === 'nfse' ? undefined : given.stateTax;
  const itemOf = (record: ValidInvoice) => plannedItem(model, record, isInBody);
  return await runImport<ValidInvoice, ValidatedInvoices, IssueItem>(context, {
    ...{ input, skipInvalid: given.skipInvalid, options: given },
    async validate() {
      const found = await validateInvoices(input);
      if (stateTax !== undefined && found.companies.size > 1) throw oneCompanyOnly();
      return found;
    },
    preview: async (first) =>
      first === undefined
        ? { type: 'dry-run', operation: `${model}.issue` }
        : await previewIssue(context, itemOf(first).input),
    counts: ({ billed }) => ({ billedCalls: billed }),
    notices: ({ unnamed }) => (unnamed > 0 ? [madeIds(unnamed)] : []),
    job: async ({ digest, companies }) => {
      const [companyId = '', ...others] = companies;
      const scope = { companyId: others.length === 0 ? companyId : '' };
      return {
        family: invoiceFamily,
        job: {
          kind: issueFacts(model),
          profile: storeNamespace,
          inputDigest: `import ${digest}${stateTax === undefined ? '' : ` ${stateTax}`}`,
          scope,
        },
      };
    },
    item: async (record) => itemOf(record),
    consent: async (sends, { companies }) => {
      const counts = await countSends(sends);
      if (counts.sends > 0)
        await consentToBatch(context, {
          what: await issuing(context, { model, companies, ...counts, storeNamespace }),
        });
    },
  });
}

function plannedItem(
  model: InvoiceModel,
  { line, invoice, companyId, stateTaxId }: ValidInvoice,
  isInBody: boolean,
): PlannedItem<IssueItem> {
  const issuer: Issuer = { model, companyId };
  const externalId = externalIdOf(issuer, invoice);
  return {
    ordinal: line,
    label: labelOf(invoice, externalId),
    dedupeKey: issueKey(companyId, externalId),
    input: issueItem(issuer, invoice, { externalId, isInBody, stateTaxId }),
  };
}

/** A state registration belongs to one company. */
function oneCompanyOnly(): FiscalError {
  const message = {
    en: '--state-tax names a registration of one company, and the records name several companies: import each company by itself',
    pt: '--state-tax indica a inscrição de uma empresa, e os registros indicam várias: importe cada empresa separadamente',
  };
  return new FiscalError('usage.invalid', { message }, { sent: 'no' });
}

function madeIds(count: number): Text {
  return counted(count, {
    en: [
      '# record has no externalId: one was derived from its content, so two records with the same content are one invoice',
      '# records have no externalId: one was derived from the content of each, so two records with the same content are one invoice',
    ],
    pt: [
      '# registro não tem externalId: um foi formado do conteúdo dele, de modo que dois registros iguais são uma só nota',
      '# registros não têm externalId: um foi formado do conteúdo de cada um, de modo que dois registros iguais são uma só nota',
    ],
  });
}

interface Issuing {
  readonly model: InvoiceModel;
  readonly companies: ReadonlySet<string>;
  readonly sends: number;
  readonly billed: number;
  readonly storeNamespace: string;
}

async function issuing(context: Context, issue: Issuing): Promise<Text> {
  const { model, companies, sends, billed, storeNamespace } = issue;
  const name = modelNames[model];
  const label = await (await context.scope()).labels();
  const list = [...companies].map((id) => companyText(companyOfLabel(id, label(id)))).join('; ');
  const calls = counted(billed, nouns.billedCall);
  const [company, empresa] = companies.size === 1 ? ['company', 'empresa'] : ['companies', 'empresas'];
  return {
    en: `issuing ${sends} ${name.en} with ${calls.en} (profile ${storeNamespace}, ${company} ${list})`,
    pt: `emitir ${sends} ${name.pt} com ${calls.pt} (perfil ${storeNamespace}, ${empresa} ${list})`,
  };
}

/** A sheet of invoices to fill in, with the fields of the sample as columns. Errors: `usage.missing`, those of `writeTemplate`. */
async function writeInvoiceTemplate(context: Context, file: string, model: InvoiceModel | undefined): Promise<Outcome> {
  if (model === undefined) throw await modelMissing(context, documents);
  const cells = [...leavesOf(samples[model], '')];
  return writeTemplate(context, file, {
    titles: ['externalId', ...cells.map(([path]) => path)].map((path) => ({ en: path, pt: path })),
    example: cells.map(([, value]) => String(value)),
  });
}

/** `items[0].quantity`: each value with its path. */
function* leavesOf(value: unknown, path: string): Iterable<readonly [path: string, value: unknown]> {
  if (Array.isArray(value)) {
    for (const [index, entry] of value.entries()) yield* leavesOf(entry, `${path}[${index}]`);
  } else if (isRecord(value)) {
    for (const [name, entry] of Object.entries(value)) yield* leavesOf(entry, path === '' ? name : `${path}.${name}`);
  } else {
    yield [path, value];
  }
}

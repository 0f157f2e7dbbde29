import { fiscalLine } from '../../domain/command-words.js';
import type { CompanyInput } from '../../contract/company.js';
import type { Outcome } from '../../domain/outcome.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { companyCreate } from '../../jobs/kinds/company.js';
import type { Context } from '../../services/context.js';
import { previewOne } from '../../services/preview.js';
import { requireArrived, runSingle } from '../../services/single-job.js';
import { fetchCompany } from '../../services/fetch-company.js';
import { checkedCompany, readWritten, type WrittenCompany } from './read-written.js';

/** Never asked for: a company is there with the answer. */
const follow = { wait: false, timeoutMs: 0, intervalMs: 1_000, retryBillable: false };

/**
 * Creates a company as a job of one item: after an unknown outcome the account is looked through for its CNPJ before
 * anything is sent again. Errors: `input.*`, `company.exists`, `outcome.unknown`.
 */
export async function createCompany(context: Context, request: WrittenCompany): Promise<Outcome> {
  const written = await readWritten(context, request);
  const company = checkedCompany(written, written, request.file);
  const settings = await context.settings();
  if (settings.dryRun) {
    return { data: await previewOne(context, 'company.create', { path: {}, body: { company } }) };
  }
  const single = await runSingle(
    context,
    {
      kind: companyCreate,
      profile: settings.space,
      inputDigest: digestOf(company),
      scope: {},
      items: [
        {
          ordinal: 1,
          label: company.federalTaxNumber,
          dedupeKey: company.federalTaxNumber,
          input: { company },
        },
      ],
    },
    follow,
  );
  if (single.item.state === 'skipped') throw alreadyThere(company.federalTaxNumber);
  const { resourceId = '', jobId } = requireArrived(single);
  return { data: { ...(await fetchCompany(context, resourceId)), jobId }, notices: [next(resourceId)] };
}

function alreadyThere(cnpj: string): FiscalError {
  const hint = { en: 'see it: fiscal company list --all', pt: 'veja: fiscal company list --all' };
  return new FiscalError('company.exists', { cnpj }, { sent: 'yes', operation: 'company.create', hint });
}

function digestOf(company: CompanyInput): string {
  return `company ${JSON.stringify(company)}`;
}

function next(companyId: string) {
  const command = `${fiscalLine({ command: 'certificate upload', company: companyId })} --file`;
  return {
    en: `it has no certificate yet: ${command} <cert.pfx>`,
    pt: `ela ainda não tem certificado: ${command} <cert.pfx>`,
  };
}

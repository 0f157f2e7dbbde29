import { FiscalError } from '../../errors/fiscal-error.js';
import { companyProblem, inPath, onlyCompanyOf } from '../../jobs/kinds/manifestation-company.js';
import { nfeCompanyProblem, type Submission } from '../../jobs/kinds/manifestation.js';
import { capturersOf, type CompanyCheck } from '../../jobs/kinds/received-note.js';
import type { Context } from '../../services/context.js';
import { namedCompany } from '../../services/scope/companies.js';

/** The scope of stored events: the namespace of the store, and the company (empty when unknown). */
export interface EventScope {
  readonly storeNamespace: string;
  readonly company: string;
}

/** The scope of the company in use, or of the company of a submission. */
export async function eventScopeOf(context: Context, companyId?: string): Promise<EventScope> {
  const { storeNamespace } = await context.settings();
  return { storeNamespace, company: companyId ?? (await namedCompany(context)) ?? '' };
}

/**
 * The company of an NF-e event: the one in use, else the one for which a sync listed the NF-e, else the only
 * company of the account. `undefined`: unknown.
 */
export async function companyOfNote(context: Context, accessKey: string): Promise<string | undefined> {
  const { storeNamespace: profile, dryRun } = await context.settings();
  const company = await namedCompany(context);
  if (company !== undefined) return company;
  const store = await context.store();
  const captured = await capturersOf({ store, profile }, { family: 'nfe', accessKey });
  if (captured.length > 0) return captured.length === 1 ? captured[0]?.companyId : undefined;
  return dryRun ? undefined : await onlyCompanyOf(await checkOf(context));
}

/**
 * Requires evidence that the company captured the document. Errors: `manifestation.captured_by_other`,
 * `manifestation.taken_for_other`, `manifestation.several_captured`, `manifestation.not_recipient`, `manifestation.not_captured`,
 * `usage.missing`, those of a call.
 */
export async function requireProvenCompany(context: Context, submission: Submission): Promise<void> {
  const check = await checkOf(context);
  const proving =
    submission.family === 'nfe' ? nfeCompanyProblem(check, submission) : companyProblem(check, submission, inPath);
  const problem = await proving.catch((error: unknown) => {
    // Only a read was sent, not the event.
    throw error instanceof FiscalError ? error.with({ sent: 'no' }) : error;
  });
  if (problem?.code === 'usage.missing') throw noCompany();
  if (problem !== undefined) throw problem;
}

async function checkOf(context: Context): Promise<CompanyCheck> {
  const [store, client, { storeNamespace: profile }] = await Promise.all([
    context.store(),
    context.client(),
    context.settings(),
  ]);
  return { store, client, profile, now: context.clock.now(), signal: context.interruption };
}

/** The path names no company (§4), and the service would pick one. */
export function noCompany(): FiscalError {
  return new FiscalError(
    'usage.missing',
    { names: '--company' },
    {
      sent: 'no',
      pick: 'company',
      hint: {
        en: 'the account has several companies, and no sync shows which one captured the note: fiscal company list',
        pt: 'a conta tem várias empresas, e nenhuma sincronização mostra qual capturou a nota: fiscal company list',
      },
    },
  );
}

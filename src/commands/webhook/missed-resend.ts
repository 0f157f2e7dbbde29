import type { InboundFamily } from '../../contract/inbound.js';
import type { Text } from '../../contract/text.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { counted, nouns } from '../../domain/counted.js';
import type { Context } from '../../services/context.js';
import { companiesText, companyOfLabel } from '../../services/scope/text.js';
import { forEachConcurrent } from '../../jobs/concurrency.js';
import type { MissedDocument } from './missed-document.js';

/** What became of asking for one delivery. */
export interface ResentDocument extends MissedDocument {
  /** `not-offered`: the service has no such operation for CT-e. `not-sent`: with `--dry-run`. */
  readonly resend: 'accepted' | 'failed' | 'not-offered' | 'not-sent';
  readonly error?: { readonly code: string; readonly message: string };
}

interface Resending {
  readonly rows: readonly ResentDocument[];
  readonly failed: number;
}

/**
 * Asks the service for every delivery once, after consent. No job keeps them: a delivery that comes twice is dropped by the
 * receiver, and the next look shows what is still missing. A refused key ends the run.
 */
export async function resendMissed(context: Context, missed: readonly MissedDocument[]): Promise<Resending> {
  const { dryRun, concurrency } = await context.settings();
  const offered = missed.filter(({ family }) => isOffered(family));
  const count = offered.length;
  if (!dryRun && count > 0) await context.consent({ what: question(offered) });
  const rows: ResentDocument[] = missed.map((row) => ({
    ...row,
    resend: isOffered(row.family) ? 'not-sent' : 'not-offered',
  }));
  if (dryRun || count === 0) return { rows, failed: 0 };
  let done = 0;
  const progress = (): void => context.progress.report({ label, done, total: count });
  progress();
  await forEachConcurrent(rows.entries(), concurrency, async ([index, row]) => {
    if (row.resend === 'not-offered') return;
    rows[index] = await resendOne(context, row);
    done += 1;
    progress();
  }).finally(() => context.progress.stop());
  return { rows, failed: rows.filter(({ resend }) => resend === 'failed').length };
}

async function resendOne(context: Context, row: ResentDocument): Promise<ResentDocument> {
  const { companyId, id, accessKey, family } = row;
  const client = await context.client();
  const how = { signal: context.interruption };
  try {
    if (family === 'nfse') {
      await client.call('nfse.inbound.resendWebhook', { path: { companyId, id } }, how);
    } else {
      const path = { companyId, accessKeyOrNsu: accessKey };
      await client.call('nfe.inbound.reprocessWebhook', { path }, how);
    }
    return { ...row, resend: 'accepted' };
  } catch (error) {
    const isOfThisOne = error instanceof FiscalError && [6, 7, 9, 10].includes(error.exitCode);
    if (!isOfThisOne) throw error;
    return { ...row, resend: 'failed', error: { code: error.code, message: error.text.en } };
  }
}

function isOffered(family: InboundFamily): boolean {
  return family !== 'cte';
}

function question(documents: readonly MissedDocument[]): Text {
  const companies = new Map(
    documents.map((document) => [document.companyId, companyOfLabel(document.companyId, document)]),
  );
  const of = companiesText([...companies.values()]);
  const what = counted(documents.length, nouns.document);
  return {
    en: `have the service deliver the webhooks of ${what.en} of ${of.en} again`,
    pt: `fazer o serviço entregar de novo os webhooks de ${what.pt} ${of.pt}`,
  };
}

const label: Text = { en: 'asking for deliveries', pt: 'pedindo entregas' };

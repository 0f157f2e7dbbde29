import type { InboundFamily } from '../../contract/inbound.js';
import type { Text } from '../../contract/text.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { companiesOf } from '../../services/scope/companies.js';
import type { Context } from '../../services/context.js';
import type { AccountCompany } from '../../services/scope/scope.js';
import { groupText } from '../../services/scope/text.js';
import { archiveFolder } from '../../services/archive.js';
import type { SyncTally } from '../../services/sync/state.js';
import { readChoices } from '../../services/sync/choices.js';
import { syncCompanies } from './sync.js';
import { DAY_MS } from '../../domain/dates.js';

interface AnnouncedSyncOptions {
  readonly archive: string | undefined;
  readonly pdf: boolean;
  /** Also writes into folders of the archive that are symbolic links. */
  readonly followLinks: boolean;
}

interface AnnouncedDocuments {
  readonly companyId: string;
  readonly family: InboundFamily;
}

interface AnnouncedEnd {
  /** False: something failed, or another process is syncing; try again. */
  readonly isComplete: boolean;
  readonly message?: Text;
}

/**
 * Syncs one company and family at a time, when a webhook announces a change. Returns a failure of the service as a
 * message, because the next try may succeed. Throws `usage.invalid_value`, `store.*`.
 */
export async function createAnnouncedSync(
  context: Context,
  { archive: named, pdf, followLinks }: AnnouncedSyncOptions,
): Promise<(documents: AnnouncedDocuments) => Promise<AnnouncedEnd>> {
  const archive = await archiveFolder(context, named);
  const choices = readChoices(
    {
      ...{ pdf, followLinks, layout: undefined, since: undefined },
      ...{ requireSignature: false, retryQuarantined: false, repair: false },
      // Full reads of the list are left to a scheduled sync; the window is that of `inbound sync`.
      ...{ full: false, fullEvery: Infinity, window: 2 * DAY_MS, lockWait: 0 },
    },
    context.clock.now(),
  );
  const companies = new Map<string, AccountCompany>();
  const quiet: Context = { ...context, progress: { report: () => undefined, stop: () => undefined } };
  return async ({ companyId, family }) => {
    const nameless = { id: companyId, name: undefined, taxNumber: undefined };
    try {
      const [read] = companies.has(companyId)
        ? [companies.get(companyId)]
        : await companiesOf(quiet, { all: false, words: [companyId] });
      const company = read ?? nameless;
      companies.set(companyId, company);
      const end = await syncCompanies(quiet, { companies: [company], families: [family], archive, choices });
      if (end.error !== undefined) throw end.error;
      return endOf(end.tallies, company);
    } catch (error) {
      if (!(error instanceof FiscalError)) throw error;
      return { isComplete: false, message: failed(companies.get(companyId) ?? nameless, family, error.text) };
    }
  };
}

function endOf(tallies: readonly SyncTally[], company: AccountCompany): AnnouncedEnd {
  const [tally] = tallies;
  if (tally === undefined) return { isComplete: true };
  const { group, state, error, failed: failures, gone, archived, quarantined } = tally;
  if (error !== undefined) return { isComplete: false, message: failed(company, group.family, error.text) };
  // Another process may have read the list before this document arrived.
  const isComplete = state !== 'held' && failures + gone === 0;
  if (archived + quarantined + failures + gone === 0) return { isComplete };
  const [name, counts] = [groupText(company, group.family), [archived, quarantined, failures + gone].map(String)];
  const [brought = '', set = '', left = ''] = counts;
  return {
    isComplete,
    message: {
      en: `${name}: archived ${brought}, quarantined ${set}, failed ${left}`,
      pt: `${name}: arquivados ${brought}, em quarentena ${set}, com falha ${left}`,
    },
  };
}

function failed(company: AccountCompany, family: string, text: Text): Text {
  const name = groupText(company, family);
  return {
    en: `${name}: not synced; trying again soon: ${text.en}`,
    pt: `${name}: não sincronizado, haverá nova tentativa: ${text.pt}`,
  };
}

import { withoutIdentity } from '../../archive/location.js';
import type { ObjectLock } from '../../archive/s3/s3-storage.js';
import type { InboundFamily } from '../../contract/inbound.js';
import type { Text } from '../../contract/text.js';
import type { Outcome } from '../../domain/outcome.js';
import { invalidValue } from '../../errors/invalid-value.js';
import { archiveFolder } from '../../services/archive.js';
import type { Context } from '../../services/context.js';
import { companiesOf } from '../../services/scope/companies.js';
import type { AccountCompany } from '../../services/scope/scope.js';
import { type Choices, readChoices, type TypedChoices } from '../../services/sync/choices.js';
import { type ObjectLockWords, readObjectLock } from '../../services/sync/object-lock.js';
import { type NoticeWords, type SyncEnd, syncOutcome } from '../../services/sync/report.js';
import { syncGroups } from '../../services/sync/run.js';
import { SyncTally } from '../../services/sync/state.js';
import type { SyncGroup } from '../../services/sync/source.js';
import { receivedSource } from './received-source.js';

interface SyncRequest extends TypedChoices {
  /** All companies of the account, instead of those of `--company` or the settings. */
  readonly allCompanies: boolean;
  /** Names of families; empty: all three. */
  readonly families: readonly string[];
  readonly archive: string | undefined;
  readonly objectLock: ObjectLockWords['objectLock'];
  readonly retain: string | undefined;
}

const allFamilies: readonly InboundFamily[] = ['nfe', 'cte', 'nfse'];

/**
 * Brings new and changed documents of the companies to the archive; killed at any moment, the same command goes on.
 * Gives one record per company and family, one per problem, and a summary; exit 3 when something failed. Errors:
 * `usage.*`, those of a call that concern everybody (401, 429 beyond the patience), `store.unwritable`, `store.full`.
 */
export async function syncInbound(context: Context, request: SyncRequest): Promise<Outcome> {
  const settings = await context.settings();
  const choices = readChoices(request, context.clock.now());
  const families = readFamilies(request.families);
  const archive = await archiveFolder(context, request.archive);
  const objectLock = readObjectLock(request, archive);
  if (settings.dryRun) {
    const named = request.allCompanies ? undefined : await (await context.scope()).named();
    const company = named?.map(({ id }) => id).join(',');
    return {
      data: { type: 'dry-run', archive: withoutIdentity(archive), layout: choices.template, company },
    };
  }
  const companies = await companiesOf(context, { all: request.allCompanies });
  const end = await syncCompanies(context, { companies, families, archive, choices, objectLock });
  return await syncOutcome(context, end, words);
}

const words: NoticeWords = {
  listed: {
    en: 'List them with: fiscal inbound outstanding',
    pt: 'Veja quais: fiscal inbound outstanding',
  },
  nothing: {
    en: 'no family is captured for these companies; enable one with: fiscal inbound settings enable --type nfe|cte|nfse',
    pt: 'nenhuma família é capturada para estas empresas; habilite com: fiscal inbound settings enable --type nfe|cte|nfse',
  },
};

/** What is synced, and where to. */
interface InboundWork {
  readonly companies: readonly Pick<AccountCompany, 'id' | 'taxNumber'>[];
  readonly families: readonly InboundFamily[];
  readonly archive: string;
  readonly choices: Choices;
  readonly objectLock?: ObjectLock | undefined;
}

/** Syncs and returns the tallies, for callers that print their own summary. Throws what concerns all companies. */
export async function syncCompanies(
  context: Context,
  { companies, families, ...work }: InboundWork,
): Promise<SyncEnd> {
  const { storeNamespace: profile } = await context.settings();
  const groups = companies.flatMap(({ id: companyId, taxNumber }) =>
    families.map((family): SyncGroup => {
      const group = { profile, companyId, family };
      return { ...group, taxNumber, tally: new SyncTally(group), source: receivedSource(family) };
    }),
  );
  return await syncGroups(context, { ...work, groups, name: 'inbound sync' });
}

function readFamilies(names: readonly string[]): readonly InboundFamily[] {
  const unknown = names.find((name) => !allFamilies.some((family) => family === name));
  if (unknown !== undefined) throw invalidValue('--type', unknown, oneFamily);
  return names.length === 0 ? allFamilies : allFamilies.filter((family) => names.includes(family));
}

const oneFamily: Text = { en: 'one of nfe, cte, nfse is expected', pt: 'espera-se um de nfe, cte, nfse' };

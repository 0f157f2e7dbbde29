import { withoutIdentity } from '../../archive/location.js';
import type { Given } from '../../cli/command.js';
import type { ObjectLock } from '../../archive/s3/s3-storage.js';
import type { InboundFamily } from '../../contract/inbound.js';
import type { Outcome } from '../../domain/outcome.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { archiveFolder } from '../../services/archive.js';
import { families, noteSyncFailure } from '../../services/company/activity.js';
import type { Context } from '../../services/context.js';
import { companiesOf } from '../../services/scope/companies.js';
import type { AccountCompany } from '../../services/scope/scope.js';
import { type Choices, readChoices } from '../../services/sync/choices.js';
import { readObjectLock } from '../../services/sync/object-lock.js';
import { type NoticeWords, type SyncEnd, syncOutcome } from '../../services/sync/report.js';
import { syncGroups } from '../../services/sync/run.js';
import { SyncTally } from '../../services/sync/state.js';
import type { SyncGroup } from '../../services/sync/source.js';
import { receivedSource } from './received-source.js';
import type { sync } from './sync-commands.js';

/**
 * Brings new and changed documents of the companies to the archive; killed at any moment, the same command goes on.
 * Gives one record per company and family, one per problem, and a summary; exit 3 when something failed. Errors:
 * `usage.*`, those of a call that concern everybody (401, 429 beyond the patience), `store.unwritable`, `store.full`.
 */
export async function syncInbound(context: Context, given: Given<typeof sync>): Promise<Outcome> {
  const settings = await context.settings();
  const choices = readChoices(given, context.clock.now());
  const wanted = given.type.length === 0 ? families : families.filter((family) => given.type.includes(family));
  const archive = await archiveFolder(context, given.archive);
  const objectLock = readObjectLock(given, archive);
  if (settings.dryRun) {
    const named = given.allCompanies ? undefined : await (await context.scope()).named();
    const company = named?.map(({ id }) => id).join(',');
    return { data: { type: 'dry-run', archive: withoutIdentity(archive), layout: choices.template, company } };
  }
  const companies = await companiesOf(context, { all: given.allCompanies }).catch(async (error: unknown) => {
    await noteFailure(context, { profile: settings.storeNamespace }, error);
    throw error;
  });
  const end = await syncCompanies(context, { companies, families: wanted, archive, choices, objectLock });
  return await syncOutcome(context, end, words);
}

const words: NoticeWords = {
  listed: { en: 'List them with: fiscal inbound outstanding', pt: 'Veja quais: fiscal inbound outstanding' },
  nothing: {
    en: 'no family is captured for these companies; enable one with: fiscal inbound capture enable --type nfe|cte|nfse',
    pt: 'nenhuma família é capturada para estas empresas; habilite com: fiscal inbound capture enable --type nfe|cte|nfse',
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

/** Syncs and returns the tallies, for callers that print their own summary, with the error that ended the work. */
export async function syncCompanies(
  context: Context,
  { companies, families: wanted, ...work }: InboundWork,
): Promise<SyncEnd> {
  const { storeNamespace: profile } = await context.settings();
  const groups = companies.flatMap(({ id: companyId, taxNumber }) =>
    wanted.map((family): SyncGroup => {
      const group = { profile, companyId, family };
      return { ...group, taxNumber, tally: new SyncTally(group), source: receivedSource(family) };
    }),
  );
  const end = await syncGroups(context, { ...work, groups, name: 'inbound sync' }).catch(async (error: unknown) => {
    await noteFailure(context, groups, error);
    throw error;
  });
  if (end.error !== undefined) {
    const left = groups.filter(({ tally }) => !tally.isOver);
    await noteFailure(context, left, end.error);
    return end;
  }
  const store = await context.store();
  const at = store.clock.now();
  for (const group of groups)
    if (group.tally.error !== undefined) await noteSyncFailure(store, [group], { error: group.tally.error, at });
  return end;
}

/** What fails is kept, so that nothing that was read before counts as news: `fiscal status` says it. */
async function noteFailure(
  context: Context,
  of: { readonly profile: string } | readonly SyncGroup[],
  error: unknown,
): Promise<void> {
  const isOfService = error instanceof FiscalError && !/^(?:usage|input|company|store|job)\./.test(error.code);
  if (!isOfService || context.interruption.aborted) return;
  const store = await context.store();
  await noteSyncFailure(store, of, { error, at: store.clock.now() });
}

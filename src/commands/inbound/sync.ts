import { setMaxListeners } from 'node:events';
import { layoutPresets } from '../../archive/layout.js';
import { readLayout } from '../../archive/template.js';
import type { InboundFamily } from '../../contract/inbound.js';
import type { Text } from '../../contract/text.js';
import type { Outcome } from '../../domain/outcome.js';
import { parseUtc } from '../../domain/utc.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { invalidValue } from '../../errors/invalid-value.js';
import { Health } from '../../jobs/progress.js';
import type { Context } from '../../services/context.js';
import { withArchive, type ArchiveTools } from './archive-work.js';
import { archiveFolder } from './close-archive.js';
import { companiesOf } from '../../services/companies.js';
import type { AccountCompany } from '../../services/scope/scope.js';
import { keepHeapSmall } from '../../services/small-heap.js';
import { forEachConcurrent, Semaphore } from '../../jobs/concurrency.js';
import { Settlements } from './sync-settle.js';
import { syncGroup } from './sync-group.js';
import type { SyncGroup, SyncParts } from './sync-parts.js';
import { syncExitCode, syncNotices, syncRecords, type SyncEnd } from './sync-report.js';
import { SyncTally } from './sync-tally.js';

export interface SyncRequest {
  /** Instead of those of the settings, which name one or, with commas, several. */
  readonly allCompanies: boolean;
  /** Names of families; empty: all three. */
  readonly families: readonly string[];
  readonly pdf: boolean;
  /** A preset or a template. */
  readonly layout: string | undefined;
  readonly archive: string | undefined;
  readonly since: string | undefined;
  readonly requireSignature: boolean;
  readonly retryQuarantined: boolean;
  readonly repair: boolean;
  readonly windowMs: number;
  readonly full: boolean;
  readonly fullEveryMs: number;
}

/** Companies and families at work at the same time: enough to fill the line, few enough to stay small. */
const ACTIVE_GROUPS = 8;

const allFamilies: readonly InboundFamily[] = ['nfe', 'cte', 'nfse'];

/**
 * Brings new and changed documents of the companies to the archive; killed at any moment, the same command goes on.
 * Gives one record per company and family, one per problem, and a summary; exit 3 when something failed. Errors:
 * `usage.*`, those of a call that concern everybody (401, 429 beyond the patience), `store.unwritable`, `store.full`.
 */
export async function syncInbound(context: Context, request: SyncRequest): Promise<Outcome> {
  const settings = await context.settings();
  const choices = readChoices(request);
  const families = readFamilies(request.families);
  const archive = await archiveFolder(context, request.archive);
  if (settings.dryRun) {
    const named = request.allCompanies ? undefined : await (await context.scope()).named();
    const company = named?.map(({ id }) => id).join(',');
    return { data: { type: 'dry-run', archive, layout: choices.template, company } };
  }
  const companies = await companiesOf(context, { all: request.allCompanies });
  const end = await syncCompanies(context, { companies, families, archive, choices });
  const { tallies } = end;
  const label = await (await context.scope()).labels();
  return {
    data: stream(syncRecords(end, label)),
    exitCode: syncExitCode(tallies),
    notices: syncNotices(tallies, label),
  };
}

/** What is synced, from where to where. */
export interface SyncWork {
  readonly companies: readonly Pick<AccountCompany, 'id' | 'taxNumber'>[];
  readonly families: readonly InboundFamily[];
  readonly archive: string;
  readonly choices: Choices;
}

/** The whole of a sync, for callers that have their own words for its end. Throws what concerns everybody. */
export async function syncCompanies(
  context: Context,
  { companies, families, archive, choices }: SyncWork,
): Promise<SyncEnd> {
  const startedAt = context.clock.uptime();
  const { space: profile } = await context.settings();
  const groups = companies.flatMap(({ id: companyId, taxNumber }) =>
    families.map((family): SyncGroup => {
      const group = { profile, companyId, family };
      return { ...group, taxNumber, tally: new SyncTally(group) };
    }),
  );
  keepHeapSmall();
  await withArchive(context, { archive, name: 'inbound sync' }, (tools) =>
    workOn(context, groups, { ...tools, archive, choices }),
  );
  const tallies = groups.map((group) => group.tally);
  return { tallies, archive, elapsedMs: context.clock.uptime() - startedAt };
}

/** A layout that was checked, and what was chosen. */
type Choices = Pick<SyncParts, 'template' | 'options'>;

/** Errors: `usage.invalid_value`. */
export function readChoices(request: Omit<SyncRequest, 'allCompanies' | 'families' | 'archive'>): Choices {
  const { layout, since, pdf, requireSignature, retryQuarantined, repair, windowMs, full, fullEveryMs } =
    request;
  const read = readLayout(layout ?? layoutPresets.month);
  if ('problem' in read) throw invalidValue('--layout', layout ?? '', read.problem);
  const sinceMs = since === undefined ? undefined : parseUtc(since);
  if (since !== undefined && sinceMs === undefined) throw invalidValue('--since', since, aDate);
  if (full && since !== undefined)
    throw new FiscalError('usage.invalid', { message: fullOrSince }, { sent: 'no' });
  const when = { windowMs, since: sinceMs, full, fullEveryMs };
  return {
    template: read.template,
    options: { pdf, requireSignature, retryQuarantined, repair, ...when },
  };
}

function readFamilies(names: readonly string[]): readonly InboundFamily[] {
  const unknown = names.find((name) => !allFamilies.some((family) => family === name));
  if (unknown !== undefined) throw invalidValue('--type', unknown, oneFamily);
  return names.length === 0 ? allFamilies : allFamilies.filter((family) => names.includes(family));
}

interface Tools extends ArchiveTools {
  readonly archive: string;
  readonly choices: Choices;
}

async function workOn(context: Context, groups: readonly SyncGroup[], tools: Tools): Promise<void> {
  const { concurrency, maxRetryWaitMs } = await context.settings();
  const { lease, writer, intake, archive, choices } = tools;
  const ended = new AbortController();
  const signal = AbortSignal.any([context.interruption, lease.lost, ended.signal]);
  // Every request of the run listens to it.
  setMaxListeners(0, signal);
  const store = await context.store();
  const { clock } = store;
  const parts: SyncParts = {
    ...{ client: await context.client(), store, clock },
    ...{ signal, writer, intake, archive, ...choices, workerId: lease.workerId },
    requests: new Semaphore(concurrency),
    settlements: new Settlements((ends) => store.documents.settle(ends)),
    eventSettlements: new Settlements((ends) => store.events.settle(ends)),
    // While some wait for the disk, others keep the line busy.
    documentConcurrency: 2 * concurrency,
    health: new Health(clock.now(), maxRetryWaitMs),
    onProgress: progressOf(context),
  };
  await forEachConcurrent(groups, ACTIVE_GROUPS, async (group) => {
    try {
      signal.throwIfAborted();
      await syncGroup(parts, group);
    } catch (error) {
      // The others end as well, and what they throw then is no news.
      ended.abort(error);
      throw error;
    }
  });
}

function progressOf({ progress }: Context): SyncParts['onProgress'] {
  const label: Text = { en: 'archiving documents', pt: 'arquivando documentos' };
  const sum = { found: 0, done: 0 };
  return ({ found = 0, done = 0 }) => {
    sum.found += found;
    sum.done += done;
    progress.report({ label, done: sum.done, total: sum.found });
  };
}

async function* stream<Item>(items: Iterable<Item>): AsyncGenerator<Item> {
  yield* items;
  await Promise.resolve();
}

const fullOrSince: Text = {
  en: '--full reads the whole list: leave --since out',
  pt: '--full lê a lista inteira: retire --since',
};

const oneFamily: Text = { en: 'one of nfe, cte, nfse is expected', pt: 'espera-se um de nfe, cte, nfse' };

const aDate: Text = {
  en: 'a day such as 2026-10-01 or a time such as 2026-10-01T10:00:00Z is expected',
  pt: 'espera-se um dia como 2026-10-01 ou um instante como 2026-10-01T10:00:00Z',
};

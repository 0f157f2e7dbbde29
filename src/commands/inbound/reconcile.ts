import type { InboundFamily } from '../../contract/inbound.js';
import type { Text } from '../../contract/text.js';
import type { DataRecord, Outcome } from '../../domain/outcome.js';
import { parseUtc } from '../../domain/dates.js';
import { formatCnpj, maskCpf } from '../../domain/tax-number.js';
import { ExitCode } from '../../errors/exit-code.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { DocumentGroup } from '../../store/documents.js';
import type { Store } from '../../store/store.js';
import type { BatchOptions } from '../../services/batch/run-batch.js';
import { captureHistory, seenElsewhere, type SeenCapture } from '../../services/company/capture.js';
import { localCompanies, missing, companyOfRow } from '../../services/scope/companies.js';
import type { Context } from '../../services/context.js';
import type { AccountCompany } from '../../services/scope/scope.js';
import { companyOfLabel, companyText } from '../../services/scope/text.js';
import { listsReadAt, syncLine } from '../../services/documents/facts.js';
import { familyNames } from './close-verdict.js';
import { readMonth } from './arguments.js';
import { fetchKeys } from './fetch-by-key.js';
import { type NamedByRow, Reconciliation, type Period } from './reconcile-compare.js';
import { type ErpPart, readErp } from './reconcile-erp.js';

export interface ReconcileRequest {
  /** A path, or `-` for standard input. */
  readonly erp: string | undefined;
  /** Instead of those of the settings, which name one or, with commas, several. */
  readonly allCompanies: boolean;
  /** The period of what was captured; a SPED file tells its own. */
  readonly month: string | undefined;
  /** Empty: all that the file can speak of. */
  readonly families: readonly InboundFamily[];
  /** Captures by key the NFS-e that only the ERP has; each call is billed. */
  readonly fetch: boolean;
  readonly options: BatchOptions;
}

/**
 * Compares the ERP's list with what this machine has captured for the companies: only in the ERP, only captured, cancelled
 * since. Offline but for `fetch`. Exit 3 while a difference is left, or while a list was not read to its end since the period ended.
 * Errors: `usage.missing`, `usage.invalid` for several companies with `fetch` or a SPED file, `input.*`, and those of
 * `fetchKeys`.
 */
export async function reconcile(context: Context, request: ReconcileRequest): Promise<Outcome> {
  if (request.erp === undefined) throw new FiscalError('usage.missing', { names: '--erp' }, { sent: 'no' });
  const month = request.month === undefined ? undefined : readMonth(request.month);
  const fetching = request.fetch ? [await onlyCompany(context, request, ofFetch)] : undefined;
  const erp = await readErp(context, request.erp);
  const inFile = erp.isSped ? [await onlyCompany(context, request, ofSped)] : undefined;
  if (!erp.isSped && month === undefined)
    throw new FiscalError('usage.missing', { names: '--month' }, { sent: 'no' });
  const { storeNamespace: profile } = await context.settings();
  const companies = fetching ?? inFile ?? (await companiesToCompare(context, request));
  const reconciliation = new Reconciliation(await context.store(), {
    ...{ profile, companies, isForAll: request.allCompanies },
    companyOf: async (words) => await companyOfWords(context, words),
  });
  const families = request.families.length > 0 ? request.families : spokenOf(erp);
  const header = await takeAll(erp.parts, (document) => reconciliation.take(document, families));
  const ledgerNotices = header === undefined ? [] : checkLedger(header, companies);
  const period = month ?? header;
  if (period === undefined) throw new FiscalError('usage.missing', { names: '--month' }, { sent: 'no' });
  const { since, until } = period;
  await reconciliation.onlyCaptured({ families, since, until, taxNumber: header?.taxNumber });
  const unread = await unreadOf(context, reconciliation.companies, { families, until });
  const elsewhere = await elsewhereOf(context, reconciliation.companies, { families, since, until });
  const sync = await syncLine(
    context,
    unread.map(({ company }) => company.id),
  );
  return await outcome(context, {
    ...{ request, unread, elsewhere, sync, reconciliation, ledgerNotices },
  });
}

/** Several words of a row name one company, or contradict each other. What the store knows is enough; the rest is asked for. */
async function companyOfWords(context: Context, words: readonly string[]): Promise<NamedByRow | undefined> {
  let first: { readonly word: string; readonly companyId: string } | undefined;
  for (const word of words) {
    const named = await companyOfRow(context, word, { local: true });
    if (named === undefined) continue;
    if ('problem' in named) return named;
    if (first !== undefined && first.companyId !== named.companyId)
      return { problem: twoCompanies(first.word, word) };
    first ??= { word, ...named };
  }
  if (first === undefined) return undefined;
  const label = await (await context.scope()).labels();
  return { company: companyOfLabel(first.companyId, label(first.companyId)) };
}

function twoCompanies(one: string, other: string): Text {
  const [first, second] = [one.slice(0, 60), other.slice(0, 60)];
  return {
    en: `"${first}" and "${second}" are two companies`,
    pt: `"${first}" e "${second}" são duas empresas`,
  };
}

/** A SPED file names the company whose ledger it is. Errors: `usage.invalid` when that is another one. */
function checkLedger({ taxNumber }: Header, [company]: readonly AccountCompany[]): readonly Text[] {
  if (taxNumber === undefined || company === undefined) return [];
  const whose = taxNumber.length === 11 ? maskCpf(taxNumber) : formatCnpj(taxNumber);
  const named = companyText(company);
  if (company.taxNumber === taxNumber) return [];
  if (company.taxNumber === undefined) {
    return [
      {
        en: `the SPED file is the ledger of ${whose}; the CNPJ of company ${named} is not known here, so it was not compared: fiscal company list --all`,
        pt: `o arquivo SPED é a escrituração de ${whose}; o CNPJ da empresa ${named} não é conhecido aqui, então não foi comparado: fiscal company list --all`,
      },
    ];
  }
  const message: Text = {
    en: `the SPED file is the ledger of ${whose}, not of ${named}`,
    pt: `o arquivo SPED é a escrituração de ${whose}, e não de ${named}`,
  };
  throw new FiscalError('usage.invalid', { message }, { sent: 'no' });
}

async function companiesToCompare(
  context: Context,
  { allCompanies }: ReconcileRequest,
): Promise<readonly AccountCompany[]> {
  const named = await localCompanies(context, allCompanies);
  if (named !== undefined) return named;
  if (!allCompanies) return await missing(context, '--company, --all-companies');
  const { storeNamespace } = await context.settings();
  const ids = await (await context.store()).documents.companies(storeNamespace);
  const label = await (await context.scope()).labels();
  return ids.map((id) => companyOfLabel(id, label(id)));
}

/**
 * The company of what is for one company only. Several are refused before anything is sent. The service is asked which one
 * is meant where calls are billed for it. Errors: `usage.invalid`, `usage.missing`, those of `Scope.one`.
 */
async function onlyCompany(
  context: Context,
  { allCompanies, fetch }: ReconcileRequest,
  what: Text,
): Promise<AccountCompany> {
  if (allCompanies) {
    const message: Text = {
      en: `${what.en} one company: name it with --company instead of --all-companies`,
      pt: `${what.pt} uma empresa: indique qual com --company em vez de --all-companies`,
    };
    throw new FiscalError('usage.invalid', { message }, { sent: 'no' });
  }
  return (await (await context.scope()).one({ local: !fetch, what })) ?? (await missing(context));
}

const ofFetch: Text = { en: '--fetch captures for', pt: '--fetch captura para' };
const ofSped: Text = { en: 'a SPED file is the ledger of', pt: 'um arquivo SPED é a escrituração de' };

/** Lists of a company that no sync has read to their end since the period ended: what they miss is not known. */
interface UnreadLists {
  readonly company: AccountCompany;
  readonly families: readonly InboundFamily[];
}

async function unreadOf(
  context: Context,
  companies: readonly AccountCompany[],
  compared: Pick<Period, 'families' | 'until'>,
): Promise<readonly UnreadLists[]> {
  const { storeNamespace: profile } = await context.settings();
  const store = await context.store();
  const unread: UnreadLists[] = [];
  for (const company of companies) {
    const families: InboundFamily[] = [];
    for (const family of compared.families) {
      const group = { profile, companyId: company.id, family };
      const readAt = await listsReadAt(store, group);
      const isRead =
        readAt === undefined ? await wasOff(store, group, compared.until) : readAt >= compared.until;
      if (!isRead) families.push(family);
    }
    if (families.length > 0) unread.push({ company, families });
  }
  return unread;
}

/** A capture that may have been of another environment than production within the period. */
interface ElsewhereCapture {
  readonly company: AccountCompany;
  readonly family: InboundFamily;
  readonly seen: SeenCapture;
}

async function elsewhereOf(
  context: Context,
  companies: readonly AccountCompany[],
  period: Period,
): Promise<readonly ElsewhereCapture[]> {
  const { storeNamespace: profile } = await context.settings();
  const store = await context.store();
  const found: ElsewhereCapture[] = [];
  for (const company of companies) {
    for (const family of period.families) {
      const history = await captureHistory(store, { profile, companyId: company.id, family });
      const seen = seenElsewhere(history, period);
      if (seen !== undefined) found.push({ company, family, seen });
    }
  }
  return found;
}

/** The family has no settings of capture, and never had any that this machine saw, after the period too: there is no list. */
async function wasOff(store: Store, group: DocumentGroup, until: number): Promise<boolean> {
  const seen = await captureHistory(store, group);
  const isOff = seen.every(({ state }) => state === 'absent');
  return isOff && seen.some(({ lastSeenAt }) => (parseUtc(lastSeenAt) ?? 0) >= until);
}

/** NFS-e have no place in the EFD ICMS/IPI. */
function spokenOf({ isSped }: { readonly isSped: boolean }): readonly InboundFamily[] {
  return isSped ? inSped : all;
}

type Header = Extract<ErpPart, { kind: 'header' }>;
type ErpDocument = Extract<ErpPart, { kind: 'document' }>;

async function takeAll(
  parts: AsyncIterable<ErpPart>,
  take: (document: ErpDocument) => Promise<void>,
): Promise<Header | undefined> {
  let header: Header | undefined;
  for await (const part of parts) {
    if (part.kind === 'header') header = part;
    else await take(part);
  }
  return header;
}

interface Ending {
  readonly request: ReconcileRequest;
  readonly unread: readonly UnreadLists[];
  readonly elsewhere: readonly ElsewhereCapture[];
  /** The sync that reads them. */
  readonly sync: string;
  readonly reconciliation: Reconciliation;
  readonly ledgerNotices: readonly Text[];
}

async function outcome(context: Context, ending: Ending): Promise<Outcome> {
  const { request, unread, elsewhere, reconciliation } = ending;
  const { differences, fetchable, counts, companies } = reconciliation;
  const [company] = companies;
  const { fetch, options } = request;
  const fetched =
    fetch && fetchable.length > 0 && company !== undefined
      ? await fetchKeys(context, { companyId: company.id, options, keys: fetchable })
      : undefined;
  const { dryRun } = await context.settings();
  const exitCode = exitCodeOf(ending, dryRun ? undefined : fetched);
  const countOf = (kind: string): number => differences.filter((one) => one['kind'] === kind).length;
  const always = ['only-erp', 'only-captured', 'cancelled-since', 'invalid-key'] as const;
  const ofCompanies = (['unknown-company', 'other-company'] as const).filter((kind) => countOf(kind) > 0);
  const found = [...always, ...ofCompanies].map((kind) => [kind, countOf(kind)] as const);
  const { size: eventsUnread } = reconciliation.eventsUnread;
  const said = {
    ...{ companies: companies.length, unsynced: unread.length, ...counts },
    ...(eventsUnread === 0 ? {} : { eventsUnread }),
    ...(elsewhere.length === 0 ? {} : { otherEnvironment: elsewhere.length }),
  };
  const summary = { type: 'reconciliation', ...said, ...Object.fromEntries(found), exitCode };
  return {
    data: recordsOf([...differences, summary], fetched),
    exitCode,
    notices: [...(fetched?.notices ?? []), ...hints(ending)],
  };
}

/** What was captured now is no difference any more; what the capture itself ended with comes first. */
function exitCodeOf(ending: Ending, fetched: Outcome | undefined): ExitCode {
  const { reconciliation, unread, elsewhere } = ending;
  const { differences, fetchable, eventsUnread, companies } = reconciliation;
  const ended = fetched?.exitCode ?? ExitCode.ok;
  if (ended !== ExitCode.ok) return ended;
  const left = fetched === undefined ? differences.length : differences.length - fetchable.length;
  const isRead = companies.length > 0 && unread.length === 0 && eventsUnread.size === 0;
  return left === 0 && isRead && elsewhere.length === 0 ? ExitCode.ok : ExitCode.partial;
}

async function* recordsOf(own: readonly DataRecord[], fetched: Outcome | undefined): AsyncIterable<unknown> {
  yield* own;
  if (fetched === undefined) return;
  if (isStream(fetched.data)) yield* fetched.data;
  else yield fetched.data;
}

function isStream(data: unknown): data is AsyncIterable<unknown> {
  return typeof data === 'object' && data !== null && Symbol.asyncIterator in data;
}

function hints(ending: Ending): readonly Text[] {
  return [
    ...ending.ledgerNotices,
    ...companyNotices(ending.reconciliation),
    ...unknownNotices(ending),
    ...environmentNotices(ending.elsewhere),
    ...eventNotices(ending.reconciliation.eventsUnread),
    ...fetchHints(ending),
  ];
}

/** The first lines; the records have all. */
function companyNotices({ companyProblems, otherCompanies }: Reconciliation): readonly Text[] {
  const unknown = [...companyProblems.values()].slice(0, MOST_NAMED).map(({ line, problem }) => ({
    en: `line ${line}: ${problem.en}`,
    pt: `linha ${line}: ${problem.pt}`,
  }));
  const other = [...otherCompanies.values()].slice(0, MOST_NAMED).map(({ line, company }) => {
    const whose = companyText(company);
    return {
      en: `line ${line} is of ${whose}, which is not compared: name it with --company, or give --all-companies`,
      pt: `a linha ${line} é de ${whose}, que não é comparada: indique-a com --company, ou use --all-companies`,
    };
  });
  return [...unknown, ...other];
}

function eventNotices(keys: ReadonlySet<string>): readonly Text[] {
  if (keys.size === 0) return [];
  const list = [...keys].slice(0, MOST_NAMED).join(', ') + (keys.size > MOST_NAMED ? ', …' : '');
  return [
    {
      en: `these documents have an event whose kind is not known, which may be a cancellation: ${list}`,
      pt: `estes documentos têm um evento cujo tipo não é conhecido, que pode ser um cancelamento: ${list}`,
    },
  ];
}

/** At most this many companies are named. */
const MOST_NAMED = 10;

function unknownNotices({ reconciliation, unread, sync }: Ending): readonly Text[] {
  if (reconciliation.companies.length === 0) return [nothingKnown];
  if (unread.length === 0) return [];
  const more = unread.length > MOST_NAMED ? '; …' : '';
  const named = unread
    .slice(0, MOST_NAMED)
    .map(
      ({ company, families }) =>
        `${companyText(company)}: ${families.map((one) => familyNames[one]).join(', ')}`,
    );
  const list = `${named.join('; ')}${more}`;
  return [
    {
      en: `no sync has read these lists and their events to the end since the period ended, so documents and cancellations may be missing: ${list}; when the period is over: ${sync}`,
      pt: `nenhuma sincronização leu estas listas e seus eventos até o fim desde o término do período, então podem faltar documentos e cancelamentos: ${list}; quando o período tiver terminado: ${sync}`,
    },
  ];
}

function environmentNotices(elsewhere: readonly ElsewhereCapture[]): readonly Text[] {
  return elsewhere.slice(0, MOST_NAMED).map(({ company, family, seen }) => {
    const [name, whose] = [familyNames[family], companyText(company)];
    const { environment, firstSeenAt, lastSeenAt } = seen;
    const [en, pt] =
      environment === undefined
        ? ['an environment that was not kept', 'um ambiente que não foi guardado']
        : [`the environment "${environment ?? ''}"`, `ambiente "${environment ?? ''}"`];
    return {
      en: `the ${name} of ${whose} were captured from ${en} (seen ${firstSeenAt} to ${lastSeenAt}), so those of the period may not be of production`,
      pt: `as ${name} de ${whose} eram capturadas de ${pt} (visto de ${firstSeenAt} a ${lastSeenAt}), então as do período podem não ser de produção`,
    };
  });
}

const nothingKnown: Text = {
  en: 'this machine knows documents of no company, so there is nothing to compare with',
  pt: 'esta máquina não conhece documentos de nenhuma empresa, então não há com o que comparar',
};

function fetchHints({ request, reconciliation }: Ending): readonly Text[] {
  const { fetchable } = reconciliation;
  if (fetchable.length === 0) return [];
  if (request.fetch) {
    return [
      {
        en: 'download what was captured with "fiscal inbound sync"',
        pt: 'baixe o que foi capturado com "fiscal inbound sync"',
      },
    ];
  }
  return [
    {
      en: `${fetchable.length} NFS-e can be captured by key with --fetch (one billed call each)`,
      pt: `${fetchable.length} NFS-e podem ser capturadas pela chave com --fetch (uma chamada cobrada cada)`,
    },
  ];
}

const all: readonly InboundFamily[] = ['nfe', 'cte', 'nfse'];
const inSped: readonly InboundFamily[] = ['nfe', 'cte'];

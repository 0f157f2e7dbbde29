import type { InboundFamily } from '../../contract/inbound.js';
import type { Text } from '../../contract/text.js';
import type { Outcome } from '../../domain/outcome.js';
import { parseUtc } from '../../domain/dates.js';
import { formatCnpj, maskCpf } from '../../domain/tax-number.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { DocumentGroup } from '../../store/documents.js';
import type { Store } from '../../store/store.js';
import type { BatchOptions } from '../../services/batch/run-batch.js';
import { captureHistory, seenElsewhere } from '../../services/company/capture.js';
import { localCompanies, missing, companyOfRow } from '../../services/scope/companies.js';
import { archiveOpener } from '../../services/archive.js';
import type { Context } from '../../services/context.js';
import type { AccountCompany } from '../../services/scope/scope.js';
import { companyOfLabel, companyText } from '../../services/scope/text.js';
import { CellReader } from '../../services/input/cell-reader.js';
import type { Encoding } from '../../services/input/table-text.js';
import { listsReadAt, syncLine } from '../../services/documents/facts.js';
import { unreadableRows } from '../../services/documents/unreadable-rows.js';
import { readMonth } from '../../services/closing/month.js';
import { type NamedByRow, Reconciliation, type Period } from './reconcile-compare.js';
import { type ErpPart, readErp } from './reconcile-erp.js';
import {
  type ElsewhereCapture,
  reconcileOutcome,
  type UnreadableLists,
  type UnreadLists,
} from './reconcile-outcome.js';

export interface ReconcileRequest {
  /** A path, or `-` for standard input. */
  readonly erp: string | undefined;
  /** Of a CSV; absent: detected. */
  readonly encoding: Encoding | undefined;
  readonly sheet: string | undefined;
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
 * since. Offline but for `fetch`. Exit 3 while a difference is left, while a list was not read to its end since the period ended, or while it has rows that a
 * sync could not read.
 * Errors: `usage.missing`, `usage.invalid` for several companies with `fetch` or a SPED file, `input.*`, and those of
 * `fetchKeys`.
 */
export async function reconcile(context: Context, request: ReconcileRequest): Promise<Outcome> {
  if (request.erp === undefined) throw new FiscalError('usage.missing', { names: '--erp' }, { sent: 'no' });
  const month = request.month === undefined ? undefined : readMonth(request.month);
  const fetching = request.fetch ? [await onlyCompany(context, request, ofFetch)] : undefined;
  const cells = new CellReader({ encoding: request.encoding, sheet: request.sheet });
  const erp = await readErp(context, request.erp, cells);
  const inFile = erp.isSped ? [await onlyCompany(context, request, ofSped)] : undefined;
  if (!erp.isSped && month === undefined)
    throw new FiscalError('usage.missing', { names: '--month' }, { sent: 'no' });
  const { storeNamespace: profile } = await context.settings();
  const companies = fetching ?? inFile ?? (await companiesToCompare(context, request));
  const reconciliation = new Reconciliation(await context.store(), {
    ...{ profile, companies, isForAll: request.allCompanies },
    companyOf: async (words) => await companyOfWords(context, words),
    openArchive: archiveOpener(context),
  });
  const families = request.families.length > 0 ? request.families : spokenOf(erp);
  const header = await takeAll(erp.parts, (document) => reconciliation.take(document, families));
  for (const text of cells.conversions.texts(request.erp)) await context.notice(text);
  const ledgerNotices = header === undefined ? [] : checkLedger(header, companies);
  const period = month ?? header;
  if (period === undefined) throw new FiscalError('usage.missing', { names: '--month' }, { sent: 'no' });
  const { since, until } = period;
  await reconciliation.onlyCaptured({ families, since, until, taxNumber: header?.taxNumber });
  const unread = await unreadOf(context, reconciliation.companies, { families, until });
  const elsewhere = await elsewhereOf(context, reconciliation.companies, { families, since, until });
  const unreadable = await unreadableOf(context, reconciliation.companies, families);
  const sync = await syncLine(
    context,
    unread.map(({ company }) => company.id),
  );
  return await reconcileOutcome(context, {
    ...{ request, unread, unreadable, elsewhere, sync, reconciliation, ledgerNotices },
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

async function unreadableOf(
  context: Context,
  companies: readonly AccountCompany[],
  families: readonly InboundFamily[],
): Promise<readonly UnreadableLists[]> {
  const { storeNamespace: profile } = await context.settings();
  const store = await context.store();
  const found: UnreadableLists[] = [];
  for (const company of companies) {
    for (const family of families) {
      const rows = await unreadableRows(store, { profile, companyId: company.id, family });
      if (rows !== null) found.push({ company, family, count: rows.documents + rows.events });
    }
  }
  return found;
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

const all: readonly InboundFamily[] = ['nfe', 'cte', 'nfse'];
const inSped: readonly InboundFamily[] = ['nfe', 'cte'];

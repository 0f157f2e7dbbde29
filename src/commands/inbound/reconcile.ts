import type { Given } from '../../cli/command.js';
import type { ArchivedType } from '../../archive/manifest.js';
import type { Text } from '../../contract/text.js';
import { type Direction, directionsOf } from '../../domain/direction.js';
import type { Outcome } from '../../domain/outcome.js';
import { parseUtc, startOfDay } from '../../domain/dates.js';
import { formatCnpj, maskCpf } from '../../domain/tax-number.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { DocumentGroup } from '../../store/documents.js';
import type { Store } from '../../store/store.js';
import { captureHistory, seenElsewhere } from '../../services/company/capture.js';
import { companyOfRow, localCompanies, missing } from '../../services/scope/companies.js';
import type { Context } from '../../services/context.js';
import type { AccountCompany } from '../../services/scope/scope.js';
import { companyOfLabel, companyText } from '../../services/scope/text.js';
import { CellReader } from '../../services/input/cell-reader.js';
import { issuedReadAt, listsReadAt, syncLine } from '../../services/documents/facts.js';
import { issuedNamespaces } from '../../services/issued/book.js';
import { unreadableRows } from '../../services/documents/unreadable-rows.js';
import { groupOf, sidesOf, typesOf } from '../../services/closing/direction.js';
import { clockRange, readMonth } from '../../services/closing/month.js';
import type { reconcile as reconcileCommand } from './close-commands.js';
import {
  IssuedSide,
  type NamedByRow,
  ReceivedSide,
  type ReconciledCompanies,
  Reconciliation,
  issuerInKey,
} from './reconcile-compare.js';
import { type ErpDocument, type ErpPart, readErp } from './reconcile-erp.js';
import {
  type Compared,
  type ElsewhereCapture,
  type UnreadLists,
  type UnreadableLists,
  reconcileOutcome,
} from './reconcile-outcome.js';

type ReconcileGiven = Given<typeof reconcileCommand>;

/** What reads the lists of a direction. */
const syncs = { received: 'inbound sync', issued: 'invoice sync' } as const;

/**
 * Compares the ERP's list with what this machine knows that the companies received or issued: only in the ERP, only here, cancelled
 * since. Offline but for `fetch`. Exit 3 while a difference is left, while a list was not read to its end since the period ended, or while it has rows that a
 * sync could not read.
 * Errors: `usage.missing`, `usage.invalid` for several companies with `fetch` or a SPED file, and for `fetch` of issued invoices,
 * `input.*`, and those of `fetchKeys`.
 */
export async function reconcile(context: Context, given: ReconcileGiven): Promise<Outcome> {
  if (given.erp === undefined) throw new FiscalError('usage.missing', { names: '--erp' }, { sent: 'no' });
  const month = given.month === undefined ? undefined : readMonth(given.month);
  const sides = sidesOf(given.direction, given.type);
  if (given.fetch && sides.every(({ direction }) => direction === 'issued'))
    throw new FiscalError('usage.invalid', { message: fetchIsReceived }, { sent: 'no' });
  const fetching = given.fetch ? [await onlyCompany(context, given, ofFetch)] : undefined;
  const cells = new CellReader({ encoding: given.encoding, sheet: given.sheet });
  const erp = await readErp(context, given.erp, cells);
  const inFile = erp.isSped ? [await onlyCompany(context, given, ofSped)] : undefined;
  if (!erp.isSped && month === undefined) throw new FiscalError('usage.missing', { names: '--month' }, { sent: 'no' });
  const { storeNamespace: profile } = await context.settings();
  const companies = fetching ?? inFile ?? (await companiesToCompare(context, given));
  const store = await context.store();
  const scope = {
    ...{ companies, isForAll: given.allCompanies },
    companyOf: async (words: readonly string[]) => await companyOfWords(context, words),
  };
  const compared = sides.map((side): ComparedSide => {
    const isReceived = side.direction === 'received';
    const stored = isReceived ? new ReceivedSide(store, profile) : new IssuedSide(store, profile);
    const types = side.narrowedTo.length > 0 ? side.narrowedTo : spokenOf(erp, side.direction);
    return { reconciliation: new Reconciliation(stored, scope), types };
  });
  const header = await takeAll(erp.parts, (document) => takeOne(document, compared, scope));
  for (const text of cells.conversions.texts(given.erp)) await context.notice(text);
  const ledgerNotices = header === undefined ? [] : checkLedger(header, companies);
  const period = month ?? header;
  if (period === undefined) throw new FiscalError('usage.missing', { names: '--month' }, { sent: 'no' });
  const clock = month === undefined ? period : clockRange(month);
  const brasilia = month ?? { since: brasiliaOf(period.since), until: brasiliaOf(period.until) };
  const found: Compared[] = [];
  for (const { reconciliation, types } of compared) {
    const { side } = reconciliation;
    await reconciliation.onlyStored({ types, ...clock, taxNumber: header?.taxNumber });
    const all = reconciliation.companies;
    const lists = { direction: side.direction, profile, types };
    const unread = await unreadOf(store, all, { ...lists, until: brasilia.until });
    const elsewhere = side.direction === 'received' ? await elsewhereOf(store, all, { ...lists, ...brasilia }) : [];
    const unreadable = await unreadableOf(store, all, lists);
    const sync = await syncLine(
      context,
      unread.map(({ company }) => company.id),
      syncs[side.direction],
    );
    found.push({ given, unread, unreadable, elsewhere, sync, reconciliation, ledgerNotices });
  }
  return await reconcileOutcome(context, found);
}

/** The midnight in Brasília that begins a day of a SPED file, which are local days. */
function brasiliaOf(clockMs: number): number {
  return startOfDay(new Date(clockMs).toISOString().slice(0, 10));
}

interface ComparedSide {
  readonly reconciliation: Reconciliation;
  readonly types: readonly ArchivedType[];
}

/**
 * Gives a document of the ERP to the side whose books it is in. Of both, a SPED file says who issued it; of a list, the company
 * that the row names, or else any of those compared, has issued it or not. A row without company may be in both books.
 */
async function takeOne(
  document: ErpDocument,
  sides: readonly ComparedSide[],
  { companies, companyOf }: Pick<ReconciledCompanies, 'companies' | 'companyOf'>,
): Promise<void> {
  const [first, second] = sides;
  if (first === undefined) return;
  if (second === undefined) return await first.reconciliation.take(document, first.types);
  const [received, issued] = [first, second];
  if (document.isOwn || document.isOthers) {
    const { reconciliation, types } = document.isOwn ? issued : received;
    return await reconciliation.take(document, types);
  }
  const issuer = issuerInKey(document.key);
  const named = await companyOf(document.companies);
  const owners = named !== undefined && 'company' in named ? [named.company] : companies;
  const isOwn = issuer !== undefined && owners.some(({ taxNumber }) => taxNumber === issuer);
  const { reconciliation, types } = isOwn ? issued : received;
  await reconciliation.take(document, types);
  if (isOwn && named === undefined) received.reconciliation.book(document.key);
}

/** Several words of a row name one company, or contradict each other. What the store knows is enough; the rest is asked for. */
async function companyOfWords(context: Context, words: readonly string[]): Promise<NamedByRow | undefined> {
  let first: { readonly word: string; readonly companyId: string } | undefined;
  for (const word of words) {
    const named = await companyOfRow(context, word, { local: true });
    if (named === undefined) continue;
    if ('problem' in named) return named;
    if (first !== undefined && first.companyId !== named.companyId) return { problem: twoCompanies(first.word, word) };
    first ??= { word, ...named };
  }
  if (first === undefined) return undefined;
  const label = await (await context.scope()).labels();
  return { company: companyOfLabel(first.companyId, label(first.companyId)) };
}

function twoCompanies(one: string, other: string): Text {
  const [first, second] = [one.slice(0, 60), other.slice(0, 60)];
  return { en: `"${first}" and "${second}" are two companies`, pt: `"${first}" e "${second}" são duas empresas` };
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
  { allCompanies, direction }: ReconcileGiven,
): Promise<readonly AccountCompany[]> {
  const named = await localCompanies(context, allCompanies);
  if (named !== undefined) return named;
  if (!allCompanies) return await missing(context, '--company, --all-companies');
  const { storeNamespace } = await context.settings();
  const { documents } = await context.store();
  const namespaces = directionsOf(direction).flatMap((each) =>
    each === 'received' ? [storeNamespace] : issuedNamespaces(storeNamespace),
  );
  const found = await Promise.all(namespaces.map((namespace) => documents.companies(namespace)));
  const ids = [...new Set(found.flat())].toSorted();
  const label = await (await context.scope()).labels();
  return ids.map((id) => companyOfLabel(id, label(id)));
}

/**
 * The company of what is for one company only. Several are refused before anything is sent. The service is asked which one
 * is meant where calls are billed for it. Errors: `usage.invalid`, `usage.missing`, those of `Scope.one`.
 */
async function onlyCompany(
  context: Context,
  { allCompanies, fetch }: ReconcileGiven,
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

/** Of one direction. */
interface Lists {
  readonly direction: Direction;
  readonly profile: string;
  readonly types: readonly ArchivedType[];
}

async function unreadOf(
  store: Store,
  companies: readonly AccountCompany[],
  { until, ...lists }: Lists & { readonly until: number },
): Promise<readonly UnreadLists[]> {
  const unread: UnreadLists[] = [];
  for (const company of companies) {
    const types: ArchivedType[] = [];
    for (const type of lists.types) {
      const group = groupOf(lists.direction, { profile: lists.profile, companyId: company.id }, type);
      if (!(await isRead(store, lists.direction, { group, until }))) types.push(type);
    }
    if (types.length > 0) unread.push({ company, types });
  }
  return unread;
}

async function isRead(
  store: Store,
  direction: Direction,
  { group, until }: { readonly group: DocumentGroup; readonly until: number },
): Promise<boolean> {
  if (direction === 'issued') return ((await issuedReadAt(store, group)) ?? 0) >= until;
  const readAt = await listsReadAt(store, group);
  return readAt === undefined ? await wasOff(store, group, until) : readAt >= until;
}

async function unreadableOf(
  store: Store,
  companies: readonly AccountCompany[],
  { direction, profile, types }: Lists,
): Promise<readonly UnreadableLists[]> {
  const found: UnreadableLists[] = [];
  for (const company of companies) {
    for (const type of types) {
      const rows = await unreadableRows(store, groupOf(direction, { profile, companyId: company.id }, type));
      if (rows !== null) found.push({ company, type, count: rows.documents + rows.events });
    }
  }
  return found;
}

async function elsewhereOf(
  store: Store,
  companies: readonly AccountCompany[],
  { profile, types, ...period }: Lists & { readonly since: number; readonly until: number },
): Promise<readonly ElsewhereCapture[]> {
  const found: ElsewhereCapture[] = [];
  for (const company of companies) {
    for (const type of types) {
      const history = await captureHistory(store, groupOf('received', { profile, companyId: company.id }, type));
      const seen = seenElsewhere(history, period);
      if (seen !== undefined) found.push({ company, type, seen });
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
function spokenOf({ isSped }: { readonly isSped: boolean }, direction: Direction): readonly ArchivedType[] {
  const types: readonly ArchivedType[] = typesOf[direction];
  return isSped ? types.filter((type) => type !== 'nfse') : types;
}

const fetchIsReceived: Text = {
  en: '--fetch captures received NFS-e; it does not go with --direction issued',
  pt: '--fetch captura NFS-e recebidas; não se usa com --direction issued',
};

type Header = Extract<ErpPart, { kind: 'header' }>;
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

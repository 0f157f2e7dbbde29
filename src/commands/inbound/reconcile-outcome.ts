import type { ArchivedType } from '../../archive/manifest.js';
import type { Text } from '../../contract/text.js';
import { counted, type Forms } from '../../domain/counted.js';
import { timeInWords } from '../../domain/dates.js';
import type { DataRecord, Outcome } from '../../domain/outcome.js';
import { ExitCode } from '../../errors/exit-code.js';
import { writtenWhole } from '../../services/batch/early.js';
import type { BatchOptions } from '../../services/batch/run-batch.js';
import type { SeenCapture } from '../../services/company/capture.js';
import type { Context } from '../../services/context.js';
import type { AccountCompany } from '../../services/scope/scope.js';
import { companyText } from '../../services/scope/text.js';
import { typeNames } from '../../services/closing/proof-facts.js';
import { fetchKeys } from './fetch-by-key.js';
import type { Reconciliation } from './reconcile-compare.js';
import { isStream } from '../../domain/record.js';

/** Lists of a company that no sync has read to their end since the period ended: what they miss is not known. */
export interface UnreadLists {
  readonly company: AccountCompany;
  readonly types: readonly ArchivedType[];
}

/** Rows of the lists of a family that a sync saw and could not read: each may be a document of the period. */
export interface UnreadableLists {
  readonly company: AccountCompany;
  readonly type: ArchivedType;
  readonly count: number;
}

/** A capture that may have been of another environment than production within the period. */
export interface ElsewhereCapture {
  readonly company: AccountCompany;
  readonly type: ArchivedType;
  readonly seen: SeenCapture;
}

/** What the comparison of one direction found, and what limits it. */
export interface Compared {
  readonly given: BatchOptions & { readonly fetch: boolean };
  readonly unread: readonly UnreadLists[];
  readonly unreadable: readonly UnreadableLists[];
  readonly elsewhere: readonly ElsewhereCapture[];
  /** The sync that reads them. */
  readonly sync: string;
  readonly reconciliation: Reconciliation;
  readonly ledgerNotices: readonly Text[];
}

/**
 * The differences of each direction with their sums and the exit code, and what was captured for them. Errors: those of
 * `fetchKeys`.
 */
export async function reconcileOutcome(context: Context, sides: readonly Compared[]): Promise<Outcome> {
  const received = sides.find(({ reconciliation }) => reconciliation.side.direction === 'received');
  const fetched = received === undefined ? undefined : await fetchMissing(context, received);
  const { dryRun } = await context.settings();
  const exitCodes = sides.map((compared) =>
    exitCodeOf(compared, dryRun || compared !== received ? undefined : fetched),
  );
  const exitCode = exitCodes.find((code) => code !== ExitCode.ok) ?? ExitCode.ok;
  const records = sides.flatMap((compared, index) => [
    ...compared.reconciliation.differences,
    sumOf(compared, exitCodes[index] ?? exitCode),
  ]);
  const [first] = sides;
  return {
    data: recordsOf(records, fetched),
    exitCode,
    notices: [...(fetched?.notices ?? []), ...(first?.ledgerNotices ?? []), ...sides.flatMap(hints)],
  };
}

async function fetchMissing(context: Context, { given, reconciliation }: Compared): Promise<Outcome | undefined> {
  const { fetchable, companies } = reconciliation;
  const [company] = companies;
  if (!given.fetch || fetchable.length === 0 || company === undefined) return undefined;
  return await fetchKeys(writtenWhole(context), { companyId: company.id, options: given, keys: fetchable });
}

const kindsOf = {
  received: ['only-erp', 'only-captured', 'not-archived', 'cancelled-since', 'invalid-key'],
  issued: ['only-erp', 'only-issued', 'not-archived', 'cancelled-since', 'not-issued', 'not-final', 'invalid-key'],
} as const;

function sumOf(compared: Compared, exitCode: ExitCode): DataRecord {
  const { unread, unreadable, elsewhere, reconciliation } = compared;
  const { differences, counts, companies, side } = reconciliation;
  const countOf = (kind: string): number => differences.filter((one) => one['kind'] === kind).length;
  const ofCompanies = (['unknown-company', 'other-company'] as const).filter((kind) => countOf(kind) > 0);
  const found = [...kindsOf[side.direction], ...ofCompanies].map((kind) => [kind, countOf(kind)] as const);
  const { size: eventsUnread } = side.eventsUnread;
  const rowsUnreadable = unreadable.reduce((sum, { count }) => sum + count, 0);
  return {
    type: 'reconciliation',
    ...(side.direction === 'issued' && { direction: side.direction }),
    ...{ companies: companies.length, unsynced: unread.length, ...counts },
    ...(eventsUnread === 0 ? {} : { eventsUnread }),
    ...(rowsUnreadable === 0 ? {} : { unreadable: rowsUnreadable }),
    ...(elsewhere.length === 0 ? {} : { otherEnvironment: elsewhere.length }),
    ...datesOf(reconciliation),
    ...Object.fromEntries(found),
    exitCode,
  };
}

/** How the documents are dated, where a reader would ask. */
function datesOf({ dated, undated }: Reconciliation): Readonly<Record<string, number>> {
  const counts = { datedByKey: dated.byKey, datedDifferently: dated.differently, undated };
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));
}

/** What was captured now is no difference any more; what the capture itself ended with comes first. */
function exitCodeOf(compared: Compared, fetched: Outcome | undefined): ExitCode {
  const { reconciliation, unread, unreadable, elsewhere } = compared;
  const { differences, fetchable, side, companies } = reconciliation;
  const ended = fetched?.exitCode ?? ExitCode.ok;
  if (ended !== ExitCode.ok) return ended;
  const left = fetched === undefined ? differences.length : differences.length - fetchable.length;
  const isRead = companies.length > 0 && unread.length + unreadable.length === 0 && side.eventsUnread.size === 0;
  return left === 0 && isRead && elsewhere.length + reconciliation.undated === 0 ? ExitCode.ok : ExitCode.partial;
}

async function* recordsOf(own: readonly DataRecord[], fetched: Outcome | undefined): AsyncIterable<unknown> {
  yield* own;
  if (fetched === undefined) return;
  if (isStream(fetched.data)) yield* fetched.data;
  else yield fetched.data;
}

function hints(compared: Compared): readonly Text[] {
  return [
    ...companyNotices(compared.reconciliation),
    ...unknownNotices(compared),
    ...unreadableNotices(compared),
    ...environmentNotices(compared.elsewhere),
    ...dateNotices(compared.reconciliation),
    ...eventNotices(compared.reconciliation.side.eventsUnread),
    ...fetchHints(compared),
  ];
}

/** The first lines; the records have all. */
function companyNotices({ companyProblems, otherCompanies }: Reconciliation): readonly Text[] {
  const unknown = [...companyProblems.values()]
    .slice(0, MOST_NAMED)
    .map(({ line, problem }) => ({ en: `line ${line}: ${problem.en}`, pt: `linha ${line}: ${problem.pt}` }));
  const other = [...otherCompanies.values()].slice(0, MOST_NAMED).map(({ line, company }) => {
    const whose = companyText(company);
    return {
      en: `line ${line} is of ${whose}, which is not compared: name it with --company, or give --all-companies`,
      pt: `a linha ${line} é de ${whose}, que não é comparada: indique-a com --company, ou use --all-companies`,
    };
  });
  return [...unknown, ...other];
}

function dateNotices({ dated, undated }: Reconciliation): readonly Text[] {
  return [
    ...(undated === 0 ? [] : [counted(undated, undatedForms)]),
    ...(dated.byKey === 0 ? [] : [counted(dated.byKey, byKeyForms)]),
    ...(dated.differently === 0 ? [] : [counted(dated.differently, differentlyForms)]),
  ];
}

const undatedForms: Forms = {
  en: [
    '# document has no date and no month in its key, so it may be of the period',
    '# documents have no date and no month in their keys, so they may be of the period',
  ],
  pt: [
    '# documento não tem data nem mês na chave, então pode ser do período',
    '# documentos não têm data nem mês na chave, então podem ser do período',
  ],
};

const byKeyForms: Forms = {
  en: [
    '# document has no readable date of issue: the month in its key counts',
    '# documents have no readable date of issue: the months in their keys count',
  ],
  pt: [
    '# documento sem data de emissão legível: vale o mês da chave',
    '# documentos sem data de emissão legível: vale o mês da chave',
  ],
};

const differentlyForms: Forms = {
  en: [
    '# document is of another month by its XML than by the list or its key: the XML counts',
    '# documents are of another month by their XML than by the list or their keys: the XML counts',
  ],
  pt: [
    '# documento é de outro mês pelo XML que pela lista ou pela chave: vale o XML',
    '# documentos são de outro mês pelo XML que pela lista ou pela chave: vale o XML',
  ],
};

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

function unknownNotices({ reconciliation, unread, sync }: Compared): readonly Text[] {
  if (reconciliation.companies.length === 0) return [nothingKnown];
  if (unread.length === 0) return [];
  const more = unread.length > MOST_NAMED ? '; …' : '';
  const named = unread
    .slice(0, MOST_NAMED)
    .map(({ company, types }) => `${companyText(company)}: ${types.map((one) => typeNames[one]).join(', ')}`);
  const list = `${named.join('; ')}${more}`;
  if (reconciliation.side.direction === 'issued')
    return [
      {
        en: `no sync has read these lists of issued invoices to the end since the period ended, so invoices and cancellations may be missing: ${list}; when the period is over: ${sync}`,
        pt: `nenhuma sincronização leu estas listas de notas emitidas até o fim desde o término do período, então podem faltar notas e cancelamentos: ${list}; quando o período tiver terminado: ${sync}`,
      },
    ];
  return [
    {
      en: `no sync has read these lists and their events to the end since the period ended, so documents and cancellations may be missing: ${list}; when the period is over: ${sync}`,
      pt: `nenhuma sincronização leu estas listas e seus eventos até o fim desde o término do período, então podem faltar documentos e cancelamentos: ${list}; quando o período tiver terminado: ${sync}`,
    },
  ];
}

function unreadableNotices({ unreadable, reconciliation }: Compared): readonly Text[] {
  return unreadable.slice(0, MOST_NAMED).map(({ company, type, count }) => {
    const [name, whose] = [typeNames[type], companyText(company)];
    const command = reconciliation.side.direction === 'issued' ? 'invoice sync' : 'inbound sync --full';
    const rows = counted(count, { en: ['row', 'rows'], pt: ['linha', 'linhas'] });
    return {
      en: `a sync found ${rows.en} without a document or event in the lists of ${name} of ${whose}, so documents and cancellations may be missing: fiscal ${command}`,
      pt: `um sync encontrou ${rows.pt} sem documento nem evento nas listas de ${name} de ${whose}, então podem faltar documentos e cancelamentos: fiscal ${command}`,
    };
  });
}

function environmentNotices(elsewhere: readonly ElsewhereCapture[]): readonly Text[] {
  return elsewhere.slice(0, MOST_NAMED).map(({ company, type, seen }) => {
    const [name, whose] = [typeNames[type], companyText(company)];
    const { environment } = seen;
    const [first, last] = [timeInWords(seen.firstSeenAt), timeInWords(seen.lastSeenAt)];
    const [en, pt] =
      environment === undefined
        ? ['an environment that was not kept', 'um ambiente que não foi guardado']
        : [`the environment "${environment ?? ''}"`, `ambiente "${environment ?? ''}"`];
    return {
      en: `the ${name} of ${whose} were captured from ${en} (seen ${first.en} to ${last.en}), so those of the period may not be of production`,
      pt: `as ${name} de ${whose} eram capturadas de ${pt} (visto de ${first.pt} a ${last.pt}), então as do período podem não ser de produção`,
    };
  });
}

const nothingKnown: Text = {
  en: 'this machine knows documents of no company, so there is nothing to compare with',
  pt: 'esta máquina não conhece documentos de nenhuma empresa, então não há com o que comparar',
};

function fetchHints({ given, reconciliation }: Compared): readonly Text[] {
  const { fetchable } = reconciliation;
  if (fetchable.length === 0) return [];
  if (given.fetch) {
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

import type { Given } from '../../cli/command.js';
import type { ArchivedType, ManifestEntry } from '../../archive/manifest.js';
import type { ArchiveStorage, ArchiveWork } from '../../archive/storage.js';
import type { Text } from '../../contract/text.js';
import { fiscalLine } from '../../domain/command-words.js';
import { counted } from '../../domain/counted.js';
import type { Direction } from '../../domain/direction.js';
import type { DataRecord, Outcome } from '../../domain/outcome.js';
import { formatUtc } from '../../domain/dates.js';
import { ExitCode } from '../../errors/exit-code.js';
import { companiesOf } from '../../services/scope/companies.js';
import type { Context } from '../../services/context.js';
import { labelOf } from '../../services/scope/resolver.js';
import type { AccountCompany } from '../../services/scope/scope.js';
import { companyText } from '../../services/scope/text.js';
import { keepHeapSmall } from '../../jobs/small-heap.js';
import type { DocumentGroup } from '../../store/documents.js';
import type { FamilyCoverage, IssuedCoverage } from '../../services/closing/coverage.js';
import { type Side, groupOf, sidesOf, typesOf } from '../../services/closing/direction.js';
import { type Month, readMonth } from '../../services/closing/month.js';
import type { CloseKind } from '../../services/closing/gaps.js';
import type { Comparison, FilesResult, GroupResult } from './close-compare.js';
import type { close } from './close-commands.js';
import { DeclaredNumbers, compareIssued } from './close-issued.js';
import { type SideResults, type Verdict, writeProof } from './close-proof.js';
import { compareReceived } from './close-received.js';
import { type VerdictWord, typeNames } from '../../services/closing/proof-facts.js';
import { objectLockFlags, readObjectLock } from '../../services/sync/object-lock.js';
import { withArchive } from '../../services/archive-work.js';
import { archiveFolder } from '../../services/archive.js';

type CloseGiven = Given<typeof close>;

/**
 * Closes a month: lists the documents of the service, reads every file, writes manifest and verdict of each company and direction.
 * Exit 3 unless every one is proven complete; one record per gap, one per proof, and a summary.
 * Errors: `usage.invalid_value`, `usage.missing`, `service.not_found` for a company that the account does not have, `company.none`,
 * `store.*`, those of a call.
 */
export async function closeMonth(context: Context, given: CloseGiven): Promise<Outcome> {
  const month = readMonth(given.month);
  const sides = sidesOf(given.direction, given.type);
  const declared = await DeclaredNumbers.read(context, given.disabled);
  const archive = await archiveFolder(context, given.archive);
  const companies = await companiesOf(context, { all: given.allCompanies });
  keepHeapSmall();
  const closed: ClosedCompany[] = [];
  const { followLinks, lockWait } = given;
  const objectLock = readObjectLock(given, archive);
  const wanted = { archive, name: 'inbound close', followLinks, objectLock, lockWaitMs: lockWait };
  await withArchive(context, wanted, async ({ storage, work }) => {
    for (const [index, company] of companies.entries()) {
      const progress = { label: closing, done: index, total: companies.length };
      context.progress.report(progress);
      let read = 0;
      const onFiles = (count: number): void => {
        read += count;
        context.progress.report({ ...progress, within: { done: read } });
      };
      const common = { given, month, declared, storage, work, company, onFiles };
      for (const side of sides) closed.push(await closeCompany(context, { ...common, side }));
    }
  });
  const isComplete = closed.every(({ verdict }) => verdict.complete);
  const exitCode = isComplete ? ExitCode.ok : ExitCode.partial;
  return {
    data: [...closed.flatMap(({ records }) => records), summaryOf(closed, { month, exitCode })],
    exitCode,
    notices: noticesOf(closed, month, given),
  };
}

interface CompanyClosing {
  readonly given: CloseGiven;
  readonly month: Month;
  readonly declared: DeclaredNumbers;
  readonly storage: ArchiveStorage;
  readonly work: ArchiveWork;
  readonly company: AccountCompany;
  readonly side: Side;
  /** Called with how many documents more were compared with their files. */
  onFiles(count: number): void;
}

/** One company and direction. */
interface ClosedCompany {
  readonly verdict: Verdict;
  readonly records: readonly DataRecord[];
  /** The command that fetches what is missing. */
  readonly repair: string | undefined;
  /** The command that closes again. */
  readonly again: string;
  /** The command that reads also the files that were not read because they are behind a link. */
  readonly linked: string | undefined;
}

async function closeCompany(context: Context, closing: CompanyClosing): Promise<ClosedCompany> {
  const { given, month, company, side } = closing;
  const { direction, narrowedTo } = side;
  const archive = closing.storage.location;
  const { allowInvalidSignatures, followLinks } = given;
  const proof = { ...closing, allowInvalidSignatures };
  const proven = await writeProof(context, proof, compareSide(context, closing));
  const { verdict, kept, path } = proven;
  const { results } = proven.results;
  const { profile } = await context.settings();
  const locked = objectLockFlags(given);
  const repair = repairCommand({ direction, company: company.id, archive, results, profile, followLinks, locked });
  const isLinked = results.some(({ problems }) => problems.some(({ kind }) => behindLinks.has(kind)));
  const flags = [
    ...(direction === 'received' ? [] : [['--direction', direction] as const]),
    ...(narrowedTo.length === 0 ? [] : [['--type', narrowedTo.join(',')] as const]),
    ...(direction === 'received' || given.disabled === undefined ? [] : [['--disabled', given.disabled] as const]),
    ...(allowInvalidSignatures ? [['--allow-invalid-signatures', true] as const] : []),
    ...locked,
    ['--archive', archive] as const,
  ];
  const closeAgain = (follow: boolean): string =>
    fiscalLine({
      ...{ command: 'inbound close', positionals: [month.name], company: company.id, profile },
      flags: follow ? [...flags, ['--follow-links', true]] : flags,
    });
  const { closedAt, complete, reasons, counts, families, coverage, manifest } = verdict;
  const closed = {
    ...{ type: 'close', month: month.name, direction, companyId: company.id, ...labelOf(company) },
    ...{ complete, verdict: verdict.verdict, families, ...counts, reasons, coverage, closedAt },
    ...{ manifest: path, sha256: manifest.sha256, ...(kept && { kept }), ...(repair && { repair }) },
  };
  return {
    verdict,
    records: [...gaps(results, { company, direction }), closed],
    repair,
    again: closeAgain(followLinks),
    linked: isLinked ? closeAgain(true) : undefined,
  };
}

/** Types in the order of the manifest: the same archive yields the same manifest, byte for byte. */
async function* compareSide(context: Context, closing: CompanyClosing): AsyncGenerator<ManifestEntry, SideResults> {
  const { narrowedTo, direction } = closing.side;
  const isWanted = (type: ArchivedType): boolean =>
    narrowedTo.length === 0 || narrowedTo.some((named) => named === type);
  if (direction === 'received') {
    const results: GroupResult<FamilyCoverage>[] = [];
    for (const type of typesOf.received.filter(isWanted))
      results.push(yield* compareReceived(context, await comparisonOf(context, closing, type)));
    return { direction, results };
  }
  const results: GroupResult<IssuedCoverage>[] = [];
  for (const type of typesOf.issued.filter(isWanted)) {
    const comparison = await comparisonOf(context, closing, type);
    results.push(
      yield* compareIssued(context, {
        ...comparison,
        documentType: type,
        mayLackEventFiles: true,
        declared: closing.declared,
      }),
    );
  }
  return { direction, results };
}

async function comparisonOf(context: Context, closing: CompanyClosing, type: ArchivedType): Promise<Comparison> {
  const { given, month, storage, company, side, onFiles } = closing;
  const { storeNamespace: profile } = await context.settings();
  const group = groupOf(side.direction, { profile, companyId: company.id }, type);
  const writtenOff = await writtenOffOf(context, group);
  const { allowInvalidSignatures } = given;
  return { group, month, storage, documentType: type, allowInvalidSignatures, writtenOff, onFiles };
}

async function writtenOffOf(context: Context, group: DocumentGroup): Promise<ReadonlyMap<string, string>> {
  const { profile, companyId, family } = group;
  const { owed } = await context.store();
  const rows = await owed.list({ profile, companies: [companyId], families: [family] });
  return new Map(
    rows.flatMap(({ eventKey, documentId, writtenOffReason }) =>
      writtenOffReason === undefined ? [] : [[eventKey ?? documentId, writtenOffReason] as const],
    ),
  );
}

function gaps(
  results: readonly FilesResult[],
  { company, direction }: { readonly company: AccountCompany; readonly direction: Direction },
): readonly DataRecord[] {
  return results.flatMap(({ group, type: family, problems }) =>
    problems.map((problem) => ({
      type: 'gap',
      direction,
      companyId: group.companyId,
      ...labelOf(company),
      family,
      ...problem,
    })),
  );
}

function summaryOf(
  closed: readonly ClosedCompany[],
  { month, exitCode }: { readonly month: Month; readonly exitCode: ExitCode },
): DataRecord {
  const verdicts = closed.map(({ verdict }) => verdict);
  const sum = (count: (verdict: Verdict) => number): number =>
    verdicts.reduce((total, verdict) => total + count(verdict), 0);
  const judged = (word: VerdictWord): number => verdicts.filter(({ verdict }) => verdict === word).length;
  return {
    type: 'summary',
    month: month.name,
    companies: new Set(verdicts.map(({ company }) => company)).size,
    complete: judged('complete'),
    incomplete: judged('incomplete'),
    notProvable: judged('not-provable'),
    verdict: wholeVerdict(verdicts),
    listed: sum(({ counts }) => counts.listed),
    archived: sum(({ counts }) => counts.archived),
    summaries: sum(({ counts }) => counts.summaries),
    problems: sum(({ counts }) => counts.problems),
    exitCode,
  };
}

function wholeVerdict(verdicts: readonly Verdict[]): VerdictWord {
  if (verdicts.some(({ verdict }) => verdict === 'incomplete')) return 'incomplete';
  return verdicts.every(({ complete }) => complete) ? 'complete' : 'not-provable';
}

/** At most this many companies are named; the records have all. */
const MAX_COMPANIES = 10;

function noticesOf(closed: readonly ClosedCompany[], { name }: Month, given: CloseGiven): readonly Text[] {
  const open = closed.filter(({ verdict }) => !verdict.complete);
  const more = open.length - MAX_COMPANIES;
  return [
    ...(open.length === 0 ? [...completeNotices(closed, name), handOver(closed, name, given)] : []),
    ...open.slice(0, MAX_COMPANIES).flatMap(openNotices),
    ...(more > 0 ? [moreNotice(more)] : []),
    ...unsignedNotice(closed),
  ];
}

/** What a proven month is for. A close of some types proves no whole month, as a page and a package show it. */
function handOver(closed: readonly ClosedCompany[], month: string, { archive, type = [] }: CloseGiven): Text {
  const directions = new Set(closed.map(({ verdict }) => directionOf(verdict)));
  const direction = directions.has('received') ? 'both' : 'issued';
  const common = { ...(directions.has('issued') && { direction }), ...(archive !== undefined && { archive }) };
  const line = (command: string, own: Readonly<Record<string, string>>, positionals = [month]): string => {
    const flags = Object.entries({ ...common, ...own }).map(([name, value]) => [`--${name}`, value] as const);
    return fiscalLine({ command, positionals, flags });
  };
  const [report, pack] = [line('report month', { out: 'reports' }), line('export package', { out: 'packages' })];
  const en = `the month as a page: ${report}; to hand it over: ${pack}`;
  if (type.length === 0) return { en, pt: `o mês em uma página: ${report}; para entregar: ${pack}` };
  const types = type.join(',');
  const table = line('export table', { type: types, out: `${month}-${type.join('-')}.xlsx` }, ['header', month]);
  const whole = line('inbound close', {});
  return {
    en: `the documents of ${types} as a table: ${table}; the whole month, to hand it over: ${whole}`,
    pt: `os documentos de ${types} em tabela: ${table}; o mês inteiro, para entregar: ${whole}`,
  };
}

/** One for each direction. */
function completeNotices(closed: readonly ClosedCompany[], month: string): readonly Text[] {
  const directions = [...new Set(closed.map(({ verdict }) => directionOf(verdict)))];
  return directions.map((direction) => {
    const verdicts = closed.map(({ verdict }) => verdict).filter((each) => directionOf(each) === direction);
    const families = [...new Set(verdicts.flatMap((verdict) => verdict.families))];
    const names = families.toSorted().map((family) => typeNames[family]);
    const what = monthText(month, direction);
    return { en: `${what.en} is complete: ${names.join(', ')}`, pt: `${what.pt} está completo: ${names.join(', ')}` };
  });
}

/** Verdicts of received documents do not name their direction. */
function directionOf({ direction }: Pick<Verdict, 'direction'>): Direction {
  return direction ?? 'received';
}

function monthText(month: string, direction: Direction): Text {
  return direction === 'received'
    ? { en: month, pt: month }
    : { en: `${month} of issued invoices`, pt: `${month} das notas emitidas` };
}

function openNotices({ verdict, repair, again, linked }: ClosedCompany): readonly Text[] {
  const { company: id, name, taxNumber, reasons, counts } = verdict;
  const month = monthText(verdict.month, directionOf(verdict));
  const whose = companyText({ id, name, taxNumber });
  const count = counts.problems;
  const waiting = verdict.gaps['summary-only'] ?? 0;
  const head: Text =
    count > 0
      ? {
          en: `${month.en} is not complete for ${whose}: ${count} gaps`,
          pt: `${month.pt} não está completo para ${whose}: ${count} faltas`,
        }
      : { en: `${month.en} cannot be proven for ${whose}`, pt: `${month.pt} não pode ser provado para ${whose}` };
  return [
    head,
    ...reasons.map(({ message }) => message),
    ...(linked === undefined ? [] : [linkNotice(linked)]),
    ...(repair === undefined ? [] : repairNotices(repair, again)),
    ...(waiting > 0 ? [summariesNotice(waiting, id)] : []),
  ];
}

function linkNotice(close: string): Text {
  return {
    en: `files behind a folder that is a symbolic link were not read; if the link is yours: ${close}`,
    pt: `arquivos atrás de uma pasta que é um link simbólico não foram lidos; se o link é seu: ${close}`,
  };
}

function repairNotices(repair: string, again: string): readonly Text[] {
  return [
    { en: `fetch what is missing: ${repair}`, pt: `busque o que falta: ${repair}` },
    { en: `then close again: ${again}`, pt: `depois feche de novo: ${again}` },
  ];
}

/** The daily flow: the plan proposes the Ciência for every summary, and the list shows the time left. */
function summariesNotice(count: number, company: string): Text {
  const event = [
    ['--new', true],
    ['--event', 'awareness'],
    ['--out', 'plan.csv'],
  ] as const;
  const plan = fiscalLine({ command: 'manifestation plan', flags: event, company });
  const list = fiscalLine({ command: 'inbound list', flags: [['--summaries', true]], company });
  return {
    en: `${count} NF-e are summaries (resNFe) only: acknowledge the operation (event 210210), and sync brings the full XML when the tax authority releases it; plan it: ${plan}; what each waits for: ${list}`,
    pt: `${count} NF-e são só resumos (resNFe): registre a Ciência da Operação (evento 210210), e o sync traz o XML completo quando a SEFAZ o liberar; planeje: ${plan}; o que cada uma aguarda: ${list}`,
  };
}

function moreNotice(count: number): Text {
  return counted(count, {
    en: ['and # more company: see its record', 'and # more companies: see their records'],
    pt: ['e mais # empresa: veja o registro dela', 'e mais # empresas: veja os registros delas'],
  });
}

function unsignedNotice(closed: readonly ClosedCompany[]): readonly Text[] {
  const sum = (verdict: 'invalid' | 'absent' | 'unverifiable'): number =>
    closed.reduce((total, { verdict: { counts } }) => total + counts.signatures[verdict], 0);
  const [invalid, absent, unverifiable] = [sum('invalid'), sum('absent'), sum('unverifiable')];
  if (invalid + absent + unverifiable === 0) return [];
  return [
    {
      en: `signatures: ${invalid} invalid, ${absent} absent, ${unverifiable} unverifiable`,
      pt: `assinaturas: ${invalid} inválidas, ${absent} ausentes, ${unverifiable} não verificáveis`,
    },
  ];
}

const closing: Text = { en: 'closing', pt: 'fechando' };

/** The result of the close of one company, for the repair command. */
interface Repairable {
  readonly direction: Direction;
  readonly company: string;
  readonly archive: string;
  readonly profile: string | undefined;
  readonly results: readonly FilesResult[];
  readonly followLinks: boolean;
  readonly locked: ReturnType<typeof objectLockFlags>;
}

/** Missing or changed files, and rows whose file is missing. */
const byRepair: ReadonlySet<CloseKind> = new Set([
  ...(['file-missing', 'file-changed', 'not-a-document', 'event-not-archived'] as const),
  ...(['event-file-missing', 'event-file-changed'] as const),
]);

/** Nothing is known of these files. */
const behindLinks: ReadonlySet<CloseKind> = new Set(['behind-link', 'event-behind-link']);

/** Gaps that no sync can close: they need an event of the recipient, another document of the issuer, the list of the service, or a decision. */
const notBySync: ReadonlySet<CloseKind> = new Set([
  ...(['summary-only', 'summary-not-standing', 'signature-invalid', 'row-unreadable'] as const),
  ...(['written-off', 'event-written-off', 'behind-link', 'event-behind-link'] as const),
]);

/** The sync command that fetches what is missing, with the flags that it needs; `undefined` when no sync helps. */
function repairCommand(repairable: Repairable): string | undefined {
  const { direction, company, archive, results, profile, followLinks, locked } = repairable;
  const broken = results.filter(({ problems }) => problems.some(({ kind }) => !notBySync.has(kind)));
  if (broken.length === 0) return undefined;
  const problems = broken.flatMap((result) => result.problems);
  const changes = broken.map(({ changedSince }) => changedSince).filter((at) => at !== undefined);
  const flags = [
    ['--type', broken.map(({ type }) => type).join(',')] as const,
    // Issued invoices are always listed whole.
    ...(direction === 'issued' || changes.length === 0 ? [] : [['--since', sinceOf(Math.min(...changes))] as const]),
    ...(problems.some(({ kind }) => byRepair.has(kind)) ? [['--repair', true] as const] : []),
    ...(problems.some(({ kind }) => kind === 'not-archived') ? [['--retry-quarantined', true] as const] : []),
    ...(followLinks ? [['--follow-links', true] as const] : []),
    ...locked,
    ['--archive', archive] as const,
  ];
  const command = direction === 'issued' ? 'invoice sync' : 'inbound sync';
  return fiscalLine({ command, flags, company, profile });
}

/** The second in which the oldest of them was changed. */
function sinceOf(at: number): string {
  return formatUtc(Math.floor(at / 1000) * 1000).replace('.000Z', 'Z');
}

import type { Given } from '../../cli/command.js';
import { extname, resolve } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import type { ArchivedType } from '../../archive/manifest.js';
import type { Text } from '../../contract/text.js';
import { counted, nouns } from '../../domain/counted.js';
import type { Direction } from '../../domain/direction.js';
import type { DocumentState } from '../../domain/document-state.js';
import type { DataRecord, Outcome } from '../../domain/outcome.js';
import { ExitCode } from '../../errors/exit-code.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { invalidValue } from '../../errors/invalid-value.js';
import { Prose } from '../../domain/prose.js';
import type { Io, OutputStream } from '../../io/io.js';
import { keepHeapSmall } from '../../jobs/small-heap.js';
import { archiveFolder, openArchive } from '../../services/archive.js';
import { type Side, groupOf, sidesOf, typesOf } from '../../services/closing/direction.js';
import { type CloseVerdict, readClose } from '../../services/closing/found-close.js';
import { type Month, clockRange, monthsBetween } from '../../services/closing/month.js';
import type { Context } from '../../services/context.js';
import { recordOf } from '../../services/documents/record.js';
import { documentPages } from '../../services/documents/pages.js';
import { finalityOf } from '../../services/issued/rows.js';
import { isThere, notWritten, requireFolder, sizeOf, writeWhole } from '../../io/output-file.js';
import { namedOrAllCompanies } from '../../services/scope/companies.js';
import { labelOf } from '../../services/scope/resolver.js';
import type { AccountCompany, CompanyLabel } from '../../services/scope/scope.js';
import type { DocumentRow } from '../../store/documents.js';
import type { table } from './commands.js';
import {
  type ReadRows,
  type Remarks,
  TableRows,
  type XmlSources,
  type XmlState,
  readBytes,
  rowsOf,
} from './table-rows.js';
import { type TableForm, tableBytes, tableForms } from './table-form.js';
import type { Known, TableRow } from './table-column.js';
import { TableSums } from './table-sums.js';
import { type TableName, tableNames, tables } from './tables.js';

type TableGiven = Given<typeof table>;

/** Documents of a page, and XML files that are read at the same time. */
const PAGE = 500;
const AT_ONCE = 4;

/**
 * Writes a table of the documents of some months from their archived XML. Reads the store and the archive; only `--all-companies`
 * asks the service, for the list of companies. Exit 3: documents are named whose XML gives no fields.
 * Errors: `usage.*`, `company.none`, `store.*`, `input.unreadable`.
 */
export async function exportTable(context: Context, given: TableGiven, { stdout }: Io): Promise<Outcome> {
  const name = tableOf(given.table);
  const months = monthsBetween(given.month, given.to);
  const sides = sidesOf(given.direction, given.type);
  const { form, path } = await targetOf(context, given, stdout);
  const companies = await namedOrAllCompanies(context, given.allCompanies);
  keepHeapSmall();
  const storage = await openArchive(context, await archiveFolder(context, given.archive), given);
  const sources = { store: await context.store(), storage, identity: await storage.identity() };
  const work = new TableWork(context, { name, months, sides, companies, sources });
  const bytes = tableBytes(work.rows(), { form, name, columns: work.columns });
  const { dryRun } = await context.settings();
  const toFile = async (at: string) => await writeWhole(at, bytes, context.random);
  const written = path === undefined ? await toStream(bytes, stdout) : await (dryRun ? sizeOf(bytes) : toFile(path));
  context.progress.stop();
  const exitCode = work.isWhole ? ExitCode.ok : ExitCode.partial;
  // A reader that has closed the pipe has part of the table.
  const notices = path === undefined && stdout.closed ? [] : work.notices(dryRun ? undefined : path);
  if (path === undefined) return { data: undefined, written: true, exitCode, notices };
  return {
    data: [...work.records(), work.summary({ form, file: path, bytes: written, exitCode })],
    exitCode,
    notices: dryRun ? [...notices, notWritten] : notices,
  };
}

function tableOf(word: string): TableName {
  const name = tableNames.find((each) => each === word.trim().toLowerCase());
  const known = tableNames.join(', ');
  if (name === undefined) throw invalidValue('table', word, { en: known, pt: known });
  return name;
}

/** `path` is absent for stdout. Errors: `usage.missing`, `usage.invalid`, `store.unwritable`. */
async function targetOf(
  context: Context,
  { out, format, overwrite }: TableGiven,
  stdout: OutputStream,
): Promise<{ readonly form: TableForm; readonly path?: string }> {
  if (out === undefined || (out === '-' && stdout.isTerminal))
    throw new FiscalError('usage.missing', { names: '--out <file>' }, { sent: 'no' });
  if (out === '-') return { form: format ?? 'csv' };
  const form = format ?? formOf(out);
  if (form === undefined)
    throw new FiscalError('usage.missing', { names: `--format ${tableForms.join('|')}` }, { sent: 'no' });
  const path = resolve(context.cwd, out);
  await requireFolder(path);
  if (!overwrite && (await isThere(path)))
    throw new FiscalError(
      'usage.invalid',
      {
        message: {
          en: `${out} exists: choose another file, or replace it with --overwrite`,
          pt: `${out} existe: escolha outro arquivo, ou substitua com --overwrite`,
        },
      },
      { sent: 'no' },
    );
  return { form, path };
}

function formOf(out: string): TableForm | undefined {
  const extension = extname(out).toLowerCase();
  if (extension === '.xlsx') return 'xlsx';
  return extension === '.csv' ? 'csv' : undefined;
}

async function toStream(bytes: AsyncIterable<Uint8Array>, stdout: OutputStream): Promise<number> {
  let written = 0;
  for await (const chunk of bytes) {
    await stdout.writeBytes(chunk);
    written += chunk.length;
    if (stdout.closed) break;
  }
  return written;
}

interface WorkRequest {
  readonly name: TableName;
  readonly months: readonly Month[];
  readonly sides: readonly Side[];
  readonly companies: readonly AccountCompany[];
  readonly sources: XmlSources;
}

interface Unread extends DataRecord {
  readonly type: 'unread';
  readonly key: string;
  readonly xml: Exclude<XmlState, 'read'>;
}

/** An amount of the groups of taxes that no row has. */
interface LeftOut extends DataRecord {
  readonly type: 'left-out';
  readonly documentType: ArchivedType;
  readonly element: string;
  /** The first document that has it. */
  readonly key: string;
  readonly documents: number;
}

/** An NFS-e whose withheld rows do not add up to what it says. */
interface WithheldDifference extends DataRecord {
  readonly type: 'withheld';
  readonly key: string;
}

/** The rows of one table, and what they cover. Only counts and the documents without fields are in memory. */
class TableWork {
  readonly unread: Unread[] = [];
  readonly #leftOut = new Map<string, LeftOut>();
  readonly #withheld: WithheldDifference[] = [];
  readonly #table: TableRows;
  readonly #sums: TableSums;
  readonly #coverage: (DataRecord & { readonly verdict: CloseVerdict })[] = [];
  readonly #counts = { documents: 0, rows: 0, fallen: 0, otherCompetence: 0 };

  constructor(
    private readonly context: Context,
    private readonly request: WorkRequest,
  ) {
    const hasDirection = request.sides.some(({ direction }) => direction === 'issued');
    this.#table = new TableRows(request.name, { hasDirection });
    this.#sums = new TableSums(this.columns, tables[request.name].sum);
  }

  /** Every document was read, and no amount of it was left out. */
  get isWhole(): boolean {
    return this.unread.length === 0 && this.#leftOut.size === 0;
  }

  get columns() {
    return this.#table.columns;
  }

  /** By company, month, direction, type of document, the newest issue first. */
  async *rows(): AsyncGenerator<TableRow> {
    for (const company of this.request.companies)
      for (const month of this.request.months)
        for (const side of this.request.sides) yield* this.#sideRows({ company, month, side });
  }

  async *#sideRows(of: SideOfMonth): AsyncGenerator<TableRow> {
    const { company, month, side } = of;
    const { direction, narrowedTo } = side;
    const { storage } = this.request.sources;
    const { verdict, closedAt } = await readClose({ storage, month, companyId: company.id, direction });
    const before = { ...this.#counts, unread: this.unread.length };
    const types: readonly ArchivedType[] = narrowedTo.length > 0 ? narrowedTo : typesOf[direction];
    for (const type of types) yield* this.#typeRows(of, type);
    this.#coverage.push({
      ...{ type: 'coverage', direction, companyId: company.id, ...labelOf(company), month: month.name },
      ...{ verdict, closedAt: closedAt ?? null, documents: this.#counts.documents - before.documents },
      ...{ unread: this.unread.length - before.unread, rows: this.#counts.rows - before.rows },
    });
  }

  records(): readonly DataRecord[] {
    const totals = this.#sums.records();
    return [...this.#coverage, ...totals, ...this.#withheld, ...this.#leftOut.values(), ...this.unread];
  }

  summary(written: {
    readonly form: TableForm;
    readonly file: string;
    readonly bytes: number;
    readonly exitCode: number;
  }): DataRecord {
    const { name, companies, months } = this.request;
    const { form, file, bytes, exitCode } = written;
    const { documents, rows, fallen, otherCompetence } = this.#counts;
    return {
      ...{ type: 'summary', table: name, format: form, companies: companies.length, months: months.length },
      ...{ documents, unread: this.unread.length, withoutRow: this.#leftOut.size, notStanding: fallen },
      ...{ otherCompetence, outsideTotal: this.#sums.outside, rows, file, bytes, exitCode },
    };
  }

  /** What the table holds, and what it does not prove. */
  notices(path: string | undefined): readonly Text[] {
    const { rows, documents, fallen, otherCompetence } = this.#counts;
    const [all, of] = [counted(rows, rowForms), counted(documents, nouns.document)];
    const at = path === undefined ? { en: '', pt: '' } : { en: `: ${path}`, pt: `: ${path}` };
    const texts: Text[] = [{ en: `${all.en} of ${of.en}${at.en}`, pt: `${all.pt} de ${of.pt}${at.pt}` }];
    const open = this.#coverage.filter(({ verdict }) => verdict !== 'complete').length;
    if (open > 0) texts.push(notProven(open, this.#coverage.length));
    if (fallen > 0) texts.push(counted(fallen, fallenForms));
    if (otherCompetence > 0) texts.push(counted(otherCompetence, competenceForms));
    if (this.#sums.outside > 0) texts.push(counted(this.#sums.outside, outsideForms));
    if (this.#withheld.length > 0) texts.push(withheldText(this.#withheld));
    if (this.#leftOut.size > 0) texts.push(leftOutText([...this.#leftOut.values()]));
    if (this.unread.length > 0) texts.push(unreadText(this.unread, this.request.name));
    return texts;
  }

  async *#typeRows({ company, month, side }: SideOfMonth, type: ArchivedType): AsyncGenerator<TableRow> {
    const { direction } = side;
    const { storeNamespace } = await this.context.settings();
    const { documents } = await this.context.store();
    const { profile, family } = groupOf(direction, { profile: storeNamespace, companyId: company.id }, type);
    const filter = { profile, companies: [company.id], families: [family], ...clockRange(month), limit: PAGE };
    for await (const stored of documentPages(documents, filter)) {
      const page = direction === 'issued' ? stored.filter(isIssued) : stored;
      for (let from = 0; from < page.length; from += AT_ONCE) {
        this.context.interruption.throwIfAborted();
        const some = page.slice(from, from + AT_ONCE);
        const found = await Promise.all(some.map(async (row) => await readBytes(row, this.request.sources)));
        for (const [index, row] of some.entries()) {
          const { state } = recordOf(row).state;
          const known = knownOf(row, { company, month, direction, type, state });
          const file = found[index] ?? { xml: 'missing' };
          const read = 'bytes' in file ? rowsOf(file.bytes, row, this.#table, known) : file;
          if (read.xml === 'read') this.#addRemarks(known, read.remarks, labelOf(company));
          else this.#addUnread(known, read, labelOf(company));
          yield* this.#documentRows(known, read);
        }
        // A signal is handled between two turns only, and files that are in memory of the system take none.
        await turn();
      }
      this.context.progress.report({ label: writing, done: this.#counts.documents });
    }
  }

  *#documentRows(known: KnownDocument, read: ReadRows): Generator<TableRow> {
    const { direction, type: documentType, state } = known;
    this.#counts.documents += 1;
    if (state !== 'standing') this.#counts.fallen += 1;
    for (const cells of read.xml === 'read' ? read.rows : this.#withoutXml(known, read.xml)) {
      this.#counts.rows += 1;
      this.#sums.add({ direction, documentType, state }, cells);
      yield cells;
    }
  }

  #addRemarks(
    { direction, companyId, month, type: documentType, accessKey: key }: KnownDocument,
    { leftOut, withheld, hasOtherCompetence }: Remarks,
    label: CompanyLabel,
  ): void {
    if (hasOtherCompetence) this.#counts.otherCompetence += 1;
    if (withheld !== undefined)
      this.#withheld.push({
        ...{ type: 'withheld', direction, companyId, ...label, month, documentType, key, ...withheld },
      });
    for (const element of leftOut) {
      const at = `${documentType} ${element}`;
      const before = this.#leftOut.get(at) ?? { type: 'left-out', documentType, element, key, documents: 0 };
      this.#leftOut.set(at, { ...before, documents: before.documents + 1 });
    }
  }

  #addUnread(
    { direction, companyId, month, type: documentType, accessKey: key }: KnownDocument,
    { xml, reason }: Exclude<ReadRows, { xml: 'read' }>,
    label: CompanyLabel,
  ): void {
    this.unread.push({
      ...{ type: 'unread', direction, companyId, ...label, month, documentType, key, xml },
      ...(reason !== undefined && { reason: typeof reason === 'string' ? reason : new Prose(reason) }),
    });
  }

  /** Only the table of documents has a row of a document without its XML. */
  #withoutXml(known: Known, xml: XmlState): readonly TableRow[] {
    return this.request.name === 'header' ? [this.#table.withoutXml({ ...known, xml })] : [];
  }
}

interface SideOfMonth {
  readonly company: AccountCompany;
  readonly month: Month;
  readonly side: Side;
}

/** A rejected invoice and one that is not final are no documents. */
function isIssued({ status }: DocumentRow): boolean {
  return finalityOf(status) === 'issued';
}

interface KnownDocument extends Known {
  readonly direction: Direction;
  readonly type: ArchivedType;
  readonly companyId: string;
  readonly month: string;
  readonly accessKey: string;
  readonly state: DocumentState;
}

interface KnownBy {
  readonly company: AccountCompany;
  readonly month: Month;
  readonly direction: Direction;
  readonly type: ArchivedType;
  readonly state: DocumentState;
}

function knownOf(row: DocumentRow, { company, month, direction, type, state }: KnownBy): KnownDocument {
  const { id, accessKey, status, path, sha256, issuer, issuerName, recipient, amountText, issuedOn } = row;
  const fields = {
    ...{ companyTaxNumber: company.taxNumber, status, file: path, sha256 },
    ...{ issuer, issuerName, recipient, amountText, issuedOn },
  };
  const present = Object.entries(fields).filter(([, value]) => value !== undefined);
  return {
    ...{ direction, companyId: company.id, month: month.name, type, accessKey: accessKey ?? id, state },
    ...Object.fromEntries(present),
  };
}

function notProven(open: number, all: number): Text {
  return {
    en: `months of companies that a close proves complete: ${all - open} of ${all}; the table has what this machine knows`,
    pt: `meses de empresas que um fechamento comprova completos: ${all - open} de ${all}; a tabela tem o que esta máquina conhece`,
  };
}

function unreadText(unread: readonly Unread[], name: TableName): Text {
  const documents = counted(unread.length, nouns.document);
  const kinds = new Map<XmlState, number>();
  for (const { xml } of unread) kinds.set(xml, (kinds.get(xml) ?? 0) + 1);
  const why = [...kinds].map(([xml, count]) => `${xml} ${count}`).join(', ');
  const { key = '' } = unread[0] ?? {};
  const [en, pt] =
    name === 'header'
      ? ['only what this machine knows: column xml says why', 'só o que esta máquina conhece: a coluna xml diz por quê']
      : ['no rows', 'nenhuma linha'];
  return {
    en: `${documents.en} without a readable XML, with ${en} (${why}; the first: ${key})`,
    pt: `${documents.pt} sem XML legível, com ${pt} (${why}; o primeiro: ${key})`,
  };
}

function withheldText(differences: readonly WithheldDifference[]): Text {
  const notes = counted(differences.length, withheldForms);
  const { key = '' } = differences[0] ?? {};
  return { en: `${notes.en} (the first: ${key})`, pt: `${notes.pt} (a primeira: ${key})` };
}

function leftOutText(leftOut: readonly LeftOut[]): Text {
  const amounts = counted(leftOut.length, leftOutForms);
  const elements = leftOut.map(({ element, documents }) => `${element} (${documents})`).join(', ');
  return { en: `${amounts.en}: ${elements}`, pt: `${amounts.pt}: ${elements}` };
}

const rowForms = { en: ['# row', '# rows'], pt: ['# linha', '# linhas'] } as const;

const fallenForms = {
  en: [
    '# document does not stand: column state says why, and the totals keep it apart',
    '# documents do not stand: column state says why, and the totals keep them apart',
  ],
  pt: [
    '# documento não está ativo: a coluna state informa por quê, e os totais o separam',
    '# documentos não estão ativos: a coluna state informa por quê, e os totais os separam',
  ],
} as const;

const competenceForms = {
  en: [
    '# document has its competence in another month than that of issue: column competenceMonth says which',
    '# documents have their competence in another month than that of issue: column competenceMonth says which',
  ],
  pt: [
    '# documento tem a competência em outro mês que o de emissão: a coluna competenceMonth informa qual',
    '# documentos têm a competência em outro mês que o de emissão: a coluna competenceMonth informa qual',
  ],
} as const;

const outsideForms = {
  en: [
    '# item is no part of the value of its note (indTot 0): column countsInTotal says so, and the totals keep it apart',
    '# items are no part of the value of their note (indTot 0): column countsInTotal says so, and the totals keep them apart',
  ],
  pt: [
    '# item não compõe o valor da nota (indTot 0): a coluna countsInTotal informa, e os totais o separam',
    '# itens não compõem o valor da nota (indTot 0): a coluna countsInTotal informa, e os totais os separam',
  ],
} as const;

const withheldForms = {
  en: [
    '# NFS-e whose withheld rows do not add up to its vTotalRet',
    '# NFS-e whose withheld rows do not add up to their vTotalRet',
  ],
  pt: [
    '# NFS-e com linhas de retenção cuja soma não é o vTotalRet',
    '# NFS-e com linhas de retenção cuja soma não é o vTotalRet',
  ],
} as const;

const leftOutForms = {
  en: [
    '# amount of the XML has no row, because the table does not know its element',
    '# amounts of the XML have no row, because the table does not know their elements',
  ],
  pt: [
    '# valor do XML não tem linha, porque a tabela não conhece o elemento',
    '# valores do XML não têm linha, porque a tabela não conhece os elementos',
  ],
} as const;

const writing: Text = { en: 'writing the table', pt: 'gravando a tabela' };

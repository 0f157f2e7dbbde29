import type { ArchivedType } from '../../archive/manifest.js';
import type { Text } from '../../contract/text.js';
import type { DataRecord } from '../../domain/outcome.js';
import { labelOf } from '../../services/scope/resolver.js';
import type { AccountCompany } from '../../services/scope/scope.js';
import type { DocumentRow, DocumentRows } from '../../store/documents.js';
import type { ErpDocument } from './reconcile-erp.js';
import { recordOf } from '../../services/documents/record.js';
import { checkKey, typeOfKey } from '../../domain/access-key.js';
import { mayStand } from '../../domain/document-state.js';
import type { Direction } from '../../domain/direction.js';
import { Prose } from '../../domain/prose.js';
import { reasonWords } from '../../errors/reasons.js';
import { groupOf, isIssuedType } from '../../services/closing/direction.js';
import { clockRange } from '../../services/closing/month.js';
import { documentPages } from '../../services/documents/pages.js';
import { finalityOf } from '../../services/issued/rows.js';

/** The period of what was captured, by the clocks of the documents, in milliseconds as if they were UTC. */
interface Period {
  readonly types: readonly ArchivedType[];
  readonly since: number;
  readonly until: number;
  /** The CNPJ of the company, when the file has it: documents that it issued itself are not inbound. */
  readonly taxNumber?: string | undefined;
}

/** The companies whose captured documents the list of the ERP is compared with. */
export interface ReconciledCompanies {
  readonly companies: readonly AccountCompany[];
  /** `--all-companies`: a company that only a row names is compared too. */
  readonly isForAll: boolean;
  /** The company that a row names; `undefined`: none. */
  readonly companyOf: (words: readonly string[]) => Promise<NamedByRow | undefined>;
}

export type NamedByRow = { readonly company: AccountCompany } | { readonly problem: Text };

/** Compares the ERP's documents, one after another, with what this machine knows of the companies. */
export class Reconciliation {
  readonly differences: DataRecord[] = [];
  /** NFS-e that only the ERP has, which can be captured by key. */
  readonly fetchable: string[] = [];
  readonly counts = { erp: 0, matched: 0, own: 0, notCaptured: 0, doubled: 0 };
  /** Documents of the period that only their key dates, and those that XML, row and key put into different months. */
  readonly dated = { byKey: 0, differently: 0 };
  /** Documents that no evidence dates: they may be of the period. */
  undated = 0;
  /** Problems with the company of a row, with the first row of each. */
  readonly companyProblems = new Map<string, { readonly line: number; readonly problem: Text }>();
  readonly otherCompanies = new Map<string, { readonly line: number; readonly company: AccountCompany }>();
  readonly companies: AccountCompany[];
  /** The keys that were compared: alone, or with the company that the row names. */
  private readonly booked = new Set<string>();

  constructor(
    readonly side: BookedSide,
    private readonly scope: ReconciledCompanies,
  ) {
    this.companies = [...scope.companies];
  }

  async take(document: ErpDocument, types: readonly ArchivedType[]): Promise<void> {
    const { counts } = this;
    const isReceived = this.side.direction === 'received';
    if (isReceived && document.isOwn) counts.own += 1;
    else if (document.isPaper || (!isReceived && document.isOthers)) counts.notCaptured += 1;
    else if (!isReceived && document.isAnnulled && document.key === '') counts.notCaptured += 1;
    else await this.compare(document, types);
  }

  /** A key of this side that is compared on the other one: whoever wrote it down had both books in mind. */
  book(key: string): void {
    this.booked.add(key);
  }

  /** What this machine knows of the period and the ERP does not have: one difference for each company that has it. */
  async onlyStored({ types, since, until, taxNumber }: Period): Promise<void> {
    const companies = this.companies.map(({ id }) => id);
    for await (const row of this.side.ofPeriod({ companies, types, since, until })) this.checkRow(row, taxNumber);
    for await (const row of this.side.ofPeriod({ companies, types, since: 0, until: 1 }))
      if (this.isNotBooked(row)) this.undated += 1;
  }

  private async compare(document: ErpDocument, types: readonly ArchivedType[]): Promise<void> {
    const { line, key } = document;
    const family = this.side.typeOfKey(key);
    if (family === undefined) this.add({ kind: 'invalid-key', key, line });
    else if (family === 'other' || !types.includes(family)) this.counts.notCaptured += 1;
    else {
      const named = await this.scope.companyOf(document.companies);
      if (named !== undefined && 'problem' in named) this.unknownCompany(document, family, named.problem);
      else if (named !== undefined && !this.isCompared(named.company))
        this.otherCompany(document, family, named.company);
      else await this.compareWith(document, family, named?.company);
    }
  }

  private async compareWith(
    document: ErpDocument,
    family: ArchivedType,
    company: AccountCompany | undefined,
  ): Promise<void> {
    const { line, key, isAnnulled } = document;
    if (this.isRepeated(key, company)) {
      this.counts.doubled += 1;
      return;
    }
    this.booked.add(bookedBy(key, company));
    this.counts.erp += 1;
    const rows = await this.rowsOf(family, key, company === undefined ? this.companies : [company]);
    const standing = isAnnulled ? undefined : this.worst(rows);
    if (rows.length === 0) this.onlyErp(document, family, company);
    else if (standing === undefined) this.match(rows, line);
    else this.differ(standing.kind, standing.row, { line });
  }

  /** A document that was listed and whose XML never came is no match: nobody has seen it. */
  private match(rows: readonly DocumentRow[], line: number): void {
    const [row] = rows;
    if (row === undefined || rows.some(({ state }) => state === 'archived')) this.counts.matched += 1;
    else
      this.differ('not-archived', row, {
        line,
        archive: row.state,
        reason: row.reason && new Prose(reasonWords(row.reason)),
      });
  }

  /** A row without a company adds nothing to one with a company. */
  private isRepeated(key: string, company: AccountCompany | undefined): boolean {
    if (this.booked.has(bookedBy(key, company))) return true;
    return company === undefined && this.companies.some((one) => this.booked.has(bookedBy(key, one)));
  }

  private isCompared(company: AccountCompany): boolean {
    if (this.companies.some(({ id }) => id === company.id)) return true;
    if (this.scope.isForAll) this.companies.push(company);
    return this.scope.isForAll;
  }

  private unknownCompany(document: ErpDocument, family: ArchivedType, problem: Text): void {
    const { key, line, companies } = document;
    const value = companies.join(', ').slice(0, 100);
    this.add({ kind: 'unknown-company', family, key, line, value });
    if (!this.companyProblems.has(value)) this.companyProblems.set(value, { line, problem });
  }

  private otherCompany({ key, line }: ErpDocument, family: ArchivedType, company: AccountCompany): void {
    const whose = { companyId: company.id, ...labelOf(company) };
    this.add({ kind: 'other-company', family, key, line, ...whose });
    if (!this.otherCompanies.has(company.id)) this.otherCompanies.set(company.id, { line, company });
  }

  /** The document as each of these companies has it. */
  private async rowsOf(
    type: ArchivedType,
    key: string,
    companies: readonly AccountCompany[],
  ): Promise<readonly DocumentRow[]> {
    const rows = await Promise.all(companies.map(({ id }) => this.side.find(id, type, key)));
    return rows.filter((row) => row !== undefined);
  }

  /** The first of them that is not valid in the books any more, or not yet. */
  private worst(rows: readonly DocumentRow[]) {
    const kinds = { cancelled: 'cancelled-since', 'not-final': 'not-final', 'not-issued': 'not-issued' } as const;
    for (const row of rows) {
      const standing = this.side.standingOf(row);
      if (standing !== 'valid') return { kind: kinds[standing], row };
    }
    return undefined;
  }

  /** A difference of a known document names its company. */
  private differ(kind: string, row: DocumentRow, more: object): void {
    const { companyId } = row;
    const whose = { companyId, ...labelOf(this.companies.find(({ id }) => id === companyId)) };
    this.add({ kind, family: typeOfRow(this.side, row), key: keyOfRow(row), ...whose, ...more });
  }

  /** Differences of received documents do not name their direction. */
  private add(difference: Readonly<Record<string, unknown>>): void {
    const { direction } = this.side;
    const side = direction === 'issued' ? { direction } : {};
    this.differences.push({ type: 'difference', ...side, ...difference });
  }

  /** A document that the ERP has as cancelled need not be captured. */
  private onlyErp(
    { key, line, isAnnulled }: ErpDocument,
    family: ArchivedType,
    company: AccountCompany | undefined,
  ): void {
    if (isAnnulled) {
      this.counts.matched += 1;
      return;
    }
    const whose = company === undefined ? {} : { companyId: company.id, ...labelOf(company) };
    this.add({ kind: 'only-erp', family, key, line, ...whose });
    if (family === 'nfse' && this.side.direction === 'received') this.fetchable.push(key);
  }

  private checkRow(row: DocumentRow, taxNumber: string | undefined): void {
    const { day, otherMonths, issuer } = recordOf(row);
    if (day === undefined) this.dated.byKey += 1;
    if (otherMonths.length > 0) this.dated.differently += 1;
    if (!this.isNotBooked(row)) return;
    const isReceived = this.side.direction === 'received';
    if (isReceived && taxNumber !== undefined && issuer === taxNumber) return;
    const standing = this.side.standingOf(row);
    // A cancelled invoice is not booked, so the ERP is right not to have it; nor is one that was never issued.
    if (standing === 'cancelled' || standing === 'not-issued') return;
    const { issuedOn, amountText } = row;
    const kind = isReceived ? 'only-captured' : 'only-issued';
    const archive = row.state === 'archived' ? {} : { archive: row.state };
    this.differ(standing === 'not-final' ? 'not-final' : kind, row, { issuer, issuedOn, amountText, ...archive });
  }

  private isNotBooked(row: DocumentRow): boolean {
    const key = keyOfRow(row);
    return !this.booked.has(key) && !this.booked.has(`${key} ${row.companyId}`);
  }
}

function bookedBy(key: string, company: AccountCompany | undefined): string {
  return company === undefined ? key : `${key} ${company.id}`;
}

/** Companies and types whose documents are dated from `since` (inclusive) until `until` (exclusive), by their own clock, in milliseconds. */
interface StoredPeriod {
  readonly companies: readonly string[];
  readonly types: readonly ArchivedType[];
  readonly since: number;
  readonly until: number;
}

/** What a document that this machine knows is for the books. `not-final`, `not-issued`: issued invoices only. */
type Standing = 'valid' | 'cancelled' | 'not-final' | 'not-issued';

/** What this machine knows of one direction. */
interface BookedSide {
  readonly direction: Direction;
  /** `other`: a valid key of a document that is not on this side. `undefined`: not a key. */
  typeOfKey(key: string): ArchivedType | 'other' | undefined;
  /** The document of a company under an access key. */
  find(companyId: string, type: ArchivedType, key: string): Promise<DocumentRow | undefined>;
  ofPeriod(period: StoredPeriod): AsyncIterable<DocumentRow>;
  standingOf(row: DocumentRow): Standing;
  /** Documents with an event of unknown kind, which may be a cancellation. */
  readonly eventsUnread: ReadonlySet<string>;
}

export interface Rows {
  readonly documents: Pick<DocumentRows, 'get' | 'list'>;
}

/** How a row is named in the records. */
function typeOfRow({ direction }: BookedSide, { family, type }: DocumentRow): ArchivedType {
  return direction === 'issued' && isIssuedType(type) ? type : family;
}

/** The key of a row; its id where it has none. */
function keyOfRow({ accessKey, id }: DocumentRow): string {
  return accessKey ?? id;
}

const PAGE = 500;

/** Received documents: their id is the access key. */
export class ReceivedSide implements BookedSide {
  readonly direction = 'received';
  readonly eventsUnread = new Set<string>();

  constructor(
    private readonly rows: Rows,
    private readonly profile: string,
  ) {}

  typeOfKey(key: string): ArchivedType | 'other' | undefined {
    const type = typeOfValidKey(key);
    return type === 'nfce' ? 'other' : type;
  }

  find(companyId: string, type: ArchivedType, key: string): Promise<DocumentRow | undefined> {
    return this.rows.documents.get(groupOf('received', { profile: this.profile, companyId }, type), key);
  }

  async *ofPeriod({ companies, types, since, until }: StoredPeriod): AsyncIterable<DocumentRow> {
    const families = types.filter((type) => type !== 'nfce');
    const filter = { profile: this.profile, companies, families, since, until, limit: PAGE };
    for await (const page of documentPages(this.rows.documents, filter)) yield* page;
  }

  standingOf(row: DocumentRow): Standing {
    const { state } = recordOf(row).state;
    if (state === 'unknown') this.eventsUnread.add(row.id);
    return mayStand(state) ? 'valid' : 'cancelled';
  }
}

/** Issued invoices. The store finds them by the id of the service; those of one month are kept by their access key. */
export class IssuedSide implements BookedSide {
  readonly direction = 'issued';
  readonly eventsUnread = new Set<string>();
  readonly #months = new Map<string, ReadonlyMap<string, DocumentRow>>();

  constructor(
    private readonly rows: Rows,
    private readonly profile: string,
  ) {}

  typeOfKey(key: string): ArchivedType | 'other' | undefined {
    const type = typeOfValidKey(key);
    return type === 'cte' ? 'other' : type;
  }

  async find(companyId: string, type: ArchivedType, key: string): Promise<DocumentRow | undefined> {
    for (const month of monthsOfKey(type, key)) {
      const found = (await this.#ofMonth(companyId, type, month)).get(key);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  async *ofPeriod({ companies, types, since, until }: StoredPeriod): AsyncIterable<DocumentRow> {
    for (const companyId of companies) for (const type of types) yield* this.#stored({ companyId, type, since, until });
  }

  standingOf(row: DocumentRow): Standing {
    const { state } = recordOf(row).state;
    if (!mayStand(state) && state !== 'denied' && state !== 'disabled') return 'cancelled';
    const standings = { issued: 'valid', refused: 'not-issued', 'not-final': 'not-final' } as const;
    return standings[finalityOf(row.status)];
  }

  async #ofMonth(companyId: string, type: ArchivedType, month: string) {
    const name = `${companyId} ${type} ${month}`;
    const known = this.#months.get(name);
    if (known !== undefined) return known;
    const { since, until } = clockRange({ name: month });
    const byKey = new Map<string, DocumentRow>();
    for await (const row of this.#stored({ companyId, type, since, until }))
      if (row.accessKey !== undefined) byKey.set(row.accessKey, { ...row, data: undefined });
    this.#months.set(name, byKey);
    return byKey;
  }

  async *#stored(of: { companyId: string; type: ArchivedType; since: number; until: number }) {
    const { companyId, type, since, until } = of;
    const { profile, family } = groupOf('issued', { profile: this.profile, companyId }, type);
    const filter = { profile, companies: [companyId], families: [family], since, until, limit: PAGE };
    for await (const page of documentPages(this.rows.documents, filter)) yield* page;
  }
}

function typeOfValidKey(key: string): ArchivedType | 'other' | undefined {
  return checkKey(key).valid ? typeOfKey(key) : undefined;
}

/** The month of an NF-e or NFC-e is that of its key; an NFS-e is dated by its list, and its key by the DPS: a month before or behind. */
function monthsOfKey(type: ArchivedType, key: string): readonly string[] {
  const month = checkKey(key).parts?.yearMonth;
  if (month === undefined || type !== 'nfse') return month === undefined ? [] : [month];
  const [year = 0, nth = 0] = month.split('-').map(Number);
  return [0, 1, -1].map((step) => new Date(Date.UTC(year, nth - 1 + step)).toISOString().slice(0, 7));
}

/** The tax number in a key. */
export function issuerInKey(key: string): string | undefined {
  return checkKey(key).parts?.registration;
}

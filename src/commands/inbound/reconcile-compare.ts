import type { ArchivedType } from '../../archive/manifest.js';
import type { Text } from '../../contract/text.js';
import type { DataRecord } from '../../domain/outcome.js';
import { labelOf } from '../../services/scope/resolver.js';
import type { AccountCompany } from '../../services/scope/scope.js';
import type { DocumentRow } from '../../store/documents.js';
import type { ErpDocument } from './reconcile-erp.js';
import { recordOf } from '../../services/documents/record.js';
import { type BookedSide, keyOfRow, typeOfRow } from './reconcile-side.js';

/** The period of what was captured, by the clocks of the documents, in milliseconds as if they were UTC. */
export interface Period {
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
    for await (const row of this.side.ofPeriod({ companies, types, since, until }))
      this.checkRow(row, taxNumber);
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
    else this.differ('not-archived', row, { line, archive: row.state, reason: row.reason });
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
    const kinds = {
      cancelled: 'cancelled-since',
      'not-final': 'not-final',
      'not-issued': 'not-issued',
    } as const;
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
    this.differ(standing === 'not-final' ? 'not-final' : kind, row, {
      issuer,
      issuedOn,
      amountText,
      ...archive,
    });
  }

  private isNotBooked(row: DocumentRow): boolean {
    const key = keyOfRow(row);
    return !this.booked.has(key) && !this.booked.has(`${key} ${row.companyId}`);
  }
}

function bookedBy(key: string, company: AccountCompany | undefined): string {
  return company === undefined ? key : `${key} ${company.id}`;
}

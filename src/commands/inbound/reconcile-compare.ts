import type { InboundFamily } from '../../contract/inbound.js';
import type { Text } from '../../contract/text.js';
import { checkInvoiceKey, checkServiceKey } from '../../domain/access-key.js';
import { isCancelledStatus } from '../../domain/document-fact.js';
import { isIssuerCancellation } from '../../domain/event-codes.js';
import type { DataRecord } from '../../domain/outcome.js';
import type { DocumentRow, DocumentRows, EventRows } from '../../store/documents.js';
import type { ArchiveOpener } from '../../services/archive.js';
import { readListed } from '../../services/documents/events.js';
import { documentPages } from '../../services/documents/pages.js';
import { labelOf } from '../../services/scope/resolver.js';
import type { AccountCompany } from '../../services/scope/scope.js';
import type { ErpDocument } from './reconcile-erp.js';

/** The period of what was captured. */
export interface Period {
  readonly families: readonly InboundFamily[];
  readonly since: number;
  readonly until: number;
  /** The CNPJ of the company, when the file has it: documents that it issued itself are not inbound. */
  readonly taxNumber?: string | undefined;
}

/** The companies whose captured documents the list of the ERP is compared with. */
export interface ReconciledCompanies {
  readonly profile: string;
  readonly companies: readonly AccountCompany[];
  /** `--all-companies`: a company that only a row names is compared too. */
  readonly isForAll: boolean;
  /** The company that a row names; `undefined`: none. */
  readonly companyOf: (words: readonly string[]) => Promise<NamedByRow | undefined>;
  /** For events whose code only their file tells. */
  readonly openArchive: ArchiveOpener;
}

export type NamedByRow = { readonly company: AccountCompany } | { readonly problem: Text };

export interface Rows {
  readonly documents: Pick<DocumentRows, 'get' | 'list'>;
  readonly events: Pick<EventRows, 'of'>;
}

const PAGE = 500;

/** Compares the ERP's documents, one after another, with what this machine knows of the companies. */
export class Reconciliation {
  readonly differences: DataRecord[] = [];
  /** NFS-e that only the ERP has, which can be captured by key. */
  readonly fetchable: string[] = [];
  readonly counts = { erp: 0, matched: 0, own: 0, notCaptured: 0, doubled: 0 };
  /** Documents with an event of unknown kind, which may be a cancellation. */
  readonly eventsUnread = new Set<string>();
  /** Problems with the company of a row, with the first row of each. */
  readonly companyProblems = new Map<string, { readonly line: number; readonly problem: Text }>();
  readonly otherCompanies = new Map<string, { readonly line: number; readonly company: AccountCompany }>();
  readonly companies: AccountCompany[];
  /** The keys that were compared: alone, or with the company that the row names. */
  private readonly booked = new Set<string>();

  constructor(
    private readonly rows: Rows,
    private readonly scope: ReconciledCompanies,
  ) {
    this.companies = [...scope.companies];
  }

  async take(document: ErpDocument, families: readonly InboundFamily[]): Promise<void> {
    const { counts } = this;
    if (document.isOwn) counts.own += 1;
    else if (document.isPaper) counts.notCaptured += 1;
    else await this.compare(document, families);
  }

  /** What was captured in the period and the ERP does not have: one difference for each company that has it. */
  async onlyCaptured(period: Period): Promise<void> {
    const { families, since, until, taxNumber } = period;
    const { profile } = this.scope;
    const ids = this.companies.map(({ id }) => id);
    const filter = { profile, companies: ids, families, since, until, limit: PAGE };
    for await (const page of documentPages(this.rows.documents, filter)) {
      for (const row of page) await this.checkRow(row, taxNumber);
    }
  }

  private async compare(document: ErpDocument, families: readonly InboundFamily[]): Promise<void> {
    const { line, key } = document;
    const family = familyOf(key);
    if (family === undefined) {
      this.differences.push({ type: 'difference', kind: 'invalid-key', key, line });
    } else if (family === 'other' || !families.includes(family)) this.counts.notCaptured += 1;
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
    family: InboundFamily,
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
    const cancelled = isAnnulled ? undefined : await this.cancelledOf(rows);
    if (rows.length === 0) this.onlyErp(document, family, company);
    else if (cancelled === undefined) this.counts.matched += 1;
    else this.differ('cancelled-since', cancelled, { line });
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

  private unknownCompany(document: ErpDocument, family: InboundFamily, problem: Text): void {
    const { key, line, companies } = document;
    const value = companies.join(', ').slice(0, 100);
    this.differences.push({ type: 'difference', kind: 'unknown-company', family, key, line, value });
    if (!this.companyProblems.has(value)) this.companyProblems.set(value, { line, problem });
  }

  private otherCompany({ key, line }: ErpDocument, family: InboundFamily, company: AccountCompany): void {
    const whose = { companyId: company.id, ...labelOf(company) };
    this.differences.push({ type: 'difference', kind: 'other-company', family, key, line, ...whose });
    if (!this.otherCompanies.has(company.id)) this.otherCompanies.set(company.id, { line, company });
  }

  /** The document as each of these companies has it. */
  private async rowsOf(
    family: InboundFamily,
    key: string,
    companies: readonly AccountCompany[],
  ): Promise<readonly DocumentRow[]> {
    const { profile } = this.scope;
    const rows = await Promise.all(
      companies.map(({ id: companyId }) => this.rows.documents.get({ profile, companyId, family }, key)),
    );
    return rows.filter((row) => row !== undefined);
  }

  private async cancelledOf(rows: readonly DocumentRow[]): Promise<DocumentRow | undefined> {
    for (const row of rows) if (await this.isCancelled(row)) return row;
    return undefined;
  }

  /** A difference of a known document names its company. */
  private differ(kind: string, { family, id: key, companyId }: DocumentRow, more: object): void {
    const company = this.companies.find(({ id }) => id === companyId);
    const whose = { companyId, ...labelOf(company) };
    this.differences.push({ type: 'difference', kind, family, key, ...whose, ...more });
  }

  /** A document that the ERP has as cancelled need not be captured. */
  private onlyErp(
    { key, line, isAnnulled }: ErpDocument,
    family: InboundFamily,
    company: AccountCompany | undefined,
  ): void {
    if (isAnnulled) {
      this.counts.matched += 1;
      return;
    }
    const whose = company === undefined ? {} : { companyId: company.id, ...labelOf(company) };
    this.differences.push({ type: 'difference', kind: 'only-erp', family, key, line, ...whose });
    if (family === 'nfse') this.fetchable.push(key);
  }

  private async checkRow(row: DocumentRow, taxNumber: string | undefined): Promise<void> {
    const isBooked = this.booked.has(row.id) || this.booked.has(`${row.id} ${row.companyId}`);
    if (isBooked || row.state === 'gone') return;
    if (taxNumber !== undefined && row.issuer === taxNumber) return;
    // A cancelled invoice is not booked, so the ERP is right not to have it.
    if (await this.isCancelled(row)) return;
    const { issuer, issuedOn, amountText } = row;
    this.differ('only-captured', row, { issuer, issuedOn, amountText });
  }

  private async isCancelled(row: DocumentRow): Promise<boolean> {
    if (isCancelledStatus(row.status)) return true;
    const { profile, companyId, family } = row;
    const listed = await this.rows.events.of({ profile, companyId, family }, row.id);
    const { events, unread } = await readListed(listed, this.scope.openArchive);
    const isCancelled = events.some(({ eventCode }) => isIssuerCancellation(eventCode));
    if (unread > 0 && !isCancelled) this.eventsUnread.add(row.id);
    return isCancelled;
  }
}

function bookedBy(key: string, company: AccountCompany | undefined): string {
  return company === undefined ? key : `${key} ${company.id}`;
}

/** `other`: a valid key of a model that is not captured. `undefined`: not a key. */
function familyOf(key: string): InboundFamily | 'other' | undefined {
  if (key.length === 50) return checkServiceKey(key).valid ? 'nfse' : undefined;
  const { valid, parts } = checkInvoiceKey(key);
  if (!valid || parts === undefined) return undefined;
  if (parts.model === '55') return 'nfe';
  return parts.model === '57' || parts.model === '67' ? 'cte' : 'other';
}

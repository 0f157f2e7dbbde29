import type { InboundFamily } from '../../contract/inbound.js';
import { checkInvoiceKey, checkServiceKey } from '../../domain/access-key.js';
import { isCancelledStatus } from '../../domain/document-fact.js';
import { isIssuerCancellation } from '../../domain/event-codes.js';
import type { DataRecord } from '../../domain/outcome.js';
import type { DocumentRow, DocumentRows, EventRows } from '../../store/documents.js';
import { readListed } from '../../services/documents/events.js';
import { labelOf } from '../../services/scope/resolver.js';
import type { AccountCompany } from '../../services/scope/scope.js';
import type { ErpDocument } from './reconcile-erp.js';

/** The period of what was captured. */
export interface Period {
  readonly families: readonly InboundFamily[];
  readonly since: number;
  readonly until: number;
  /** Of the company, where the file tells it: its own issues are nobody's inbound. */
  readonly taxNumber?: string | undefined;
}

/** The companies whose captured documents the list of the ERP is compared with. */
export interface ReconciledCompanies {
  readonly profile: string;
  readonly companies: readonly AccountCompany[];
}

export interface Rows {
  readonly documents: Pick<DocumentRows, 'get' | 'list'>;
  readonly events: Pick<EventRows, 'of'>;
}

const PAGE = 500;

/** Compares the ERP's documents, one after another, with what this machine knows of the companies. */
export class Reconciliation {
  readonly differences: DataRecord[] = [];
  /** NFS-e that only the ERP has: what can be captured by key. */
  readonly fetchable: string[] = [];
  readonly counts = { erp: 0, matched: 0, own: 0, notCaptured: 0, doubled: 0 };
  /** Documents with an event of which nobody here can tell what it is: it may be a cancellation. */
  readonly eventsUnread = new Set<string>();
  private readonly keys = new Set<string>();

  constructor(
    private readonly rows: Rows,
    private readonly scope: ReconciledCompanies,
  ) {}

  async take(document: ErpDocument, families: readonly InboundFamily[]): Promise<void> {
    const { counts } = this;
    if (document.isOwn) counts.own += 1;
    else if (document.isPaper) counts.notCaptured += 1;
    else await this.compare(document, families);
  }

  /** What was captured in the period and the ERP does not have: one difference for each company that has it. */
  async onlyCaptured(period: Period): Promise<void> {
    const { families, since, until, taxNumber } = period;
    const { profile, companies } = this.scope;
    const ids = companies.map(({ id }) => id);
    const filter = { profile, companies: ids, families, since, until, limit: PAGE };
    let after: DocumentRow | undefined;
    for (;;) {
      const page = await this.rows.documents.list({ ...filter, ...(after && { after }) });
      for (const row of page) await this.checkRow(row, taxNumber);
      after = page.at(-1);
      if (page.length < PAGE) return;
    }
  }

  private async compare(document: ErpDocument, families: readonly InboundFamily[]): Promise<void> {
    const { line, key, isAnnulled } = document;
    const family = familyOf(key);
    if (family === undefined) {
      this.differences.push({ type: 'difference', kind: 'invalid-key', key, line });
    } else if (family === 'other' || !families.includes(family)) this.counts.notCaptured += 1;
    else if (this.keys.has(key)) this.counts.doubled += 1;
    else {
      this.keys.add(key);
      this.counts.erp += 1;
      const rows = await this.rowsOf(family, key);
      const cancelled = isAnnulled ? undefined : await this.cancelledOf(rows);
      if (rows.length === 0) this.onlyErp(document, family);
      else if (cancelled === undefined) this.counts.matched += 1;
      else this.differ('cancelled-since', cancelled, { line });
    }
  }

  /** The document as each company has it. */
  private async rowsOf(family: InboundFamily, key: string): Promise<readonly DocumentRow[]> {
    const { profile, companies } = this.scope;
    const rows = await Promise.all(
      companies.map(({ id: companyId }) => this.rows.documents.get({ profile, companyId, family }, key)),
    );
    return rows.filter((row) => row !== undefined);
  }

  private async cancelledOf(rows: readonly DocumentRow[]): Promise<DocumentRow | undefined> {
    for (const row of rows) if (await this.isCancelled(row)) return row;
    return undefined;
  }

  /** A difference of a document that is known here names the company that has it. */
  private differ(kind: string, { family, id: key, companyId }: DocumentRow, more: object): void {
    const company = this.scope.companies.find(({ id }) => id === companyId);
    const whose = { companyId, ...labelOf(company) };
    this.differences.push({ type: 'difference', kind, family, key, ...whose, ...more });
  }

  /** What the ERP itself has as cancelled need not be captured. */
  private onlyErp({ key, line, isAnnulled }: ErpDocument, family: InboundFamily): void {
    if (isAnnulled) {
      this.counts.matched += 1;
      return;
    }
    this.differences.push({ type: 'difference', kind: 'only-erp', family, key, line });
    if (family === 'nfse') this.fetchable.push(key);
  }

  private async checkRow(row: DocumentRow, taxNumber: string | undefined): Promise<void> {
    if (this.keys.has(row.id) || row.state === 'gone') return;
    if (taxNumber !== undefined && row.issuer === taxNumber) return;
    // A cancelled note has no place in the books, so the ERP rightly lacks it.
    if (await this.isCancelled(row)) return;
    const { issuer, issuedOn, amountText } = row;
    this.differ('only-captured', row, { issuer, issuedOn, amountText });
  }

  private async isCancelled(row: DocumentRow): Promise<boolean> {
    if (isCancelledStatus(row.status)) return true;
    const { profile, companyId, family } = row;
    const listed = await this.rows.events.of({ profile, companyId, family }, row.id);
    const { events, unread } = await readListed(listed);
    const isCancelled = events.some(({ eventCode }) => isIssuerCancellation(eventCode));
    if (unread > 0 && !isCancelled) this.eventsUnread.add(row.id);
    return isCancelled;
  }
}

/** `other`: a good key of a model that is not captured. `undefined`: no key. */
function familyOf(key: string): InboundFamily | 'other' | undefined {
  if (key.length === 50) return checkServiceKey(key).valid ? 'nfse' : undefined;
  const { valid, parts } = checkInvoiceKey(key);
  if (!valid || parts === undefined) return undefined;
  if (parts.model === '55') return 'nfe';
  return parts.model === '57' || parts.model === '67' ? 'cte' : 'other';
}

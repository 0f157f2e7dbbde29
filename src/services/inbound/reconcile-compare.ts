import type { InboundFamily } from '../../contract/inbound.js';
import { checkInvoiceKey, checkServiceKey } from '../../domain/access-key.js';
import type { DataRecord } from '../../domain/outcome.js';
import type { DocumentRow, DocumentRows, EventRows } from '../../store/documents.js';
import type { ErpDocument } from './reconcile-part.js';

export interface Scope {
  readonly profile: string;
  readonly companyId: string;
  readonly families: readonly InboundFamily[];
  readonly since: number;
  readonly until: number;
  /** Of the company, where the file tells it: its own issues are nobody's inbound. */
  readonly taxNumber?: string | undefined;
}

export interface Rows {
  readonly documents: Pick<DocumentRows, 'get' | 'list'>;
  readonly events: Pick<EventRows, 'of'>;
}

/** Cancellation, also by substitution, by the tax office or ex officio: NF-e and CT-e, then NFS-e. */
const cancellations = ['110111', '110112', '101101', '105102', '105104', '305101', '305102'];

const PAGE = 500;

/** Holds the ERP's documents, one after another, against what this machine knows of the company. */
export class Reconciliation {
  readonly differences: DataRecord[] = [];
  /** NFS-e that only the ERP has: what can be captured by key. */
  readonly fetchable: string[] = [];
  readonly counts = { erp: 0, matched: 0, own: 0, notCaptured: 0, doubled: 0 };
  private readonly keys = new Set<string>();

  constructor(
    private readonly rows: Rows,
    private readonly scope: Omit<Scope, 'since' | 'until' | 'families' | 'taxNumber'>,
  ) {}

  async take(document: ErpDocument, families: readonly InboundFamily[]): Promise<void> {
    const { counts } = this;
    if (document.isOwn) counts.own += 1;
    else if (document.isPaper) counts.notCaptured += 1;
    else await this.compare(document, families);
  }

  /** What was captured in the period and the ERP does not have. */
  async onlyCaptured(scope: Scope): Promise<void> {
    const { profile, companyId, families, since, until } = scope;
    const filter = { profile, companies: [companyId], families, since, until, limit: PAGE };
    let after: DocumentRow | undefined;
    for (;;) {
      const page = await this.rows.documents.list({ ...filter, ...(after && { after }) });
      for (const row of page) await this.checkRow(row, scope.taxNumber);
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
      const { profile, companyId } = this.scope;
      const row = await this.rows.documents.get({ profile, companyId, family }, key);
      if (row === undefined) this.onlyErp(document, family);
      else if (!isAnnulled && (await this.isCancelled(row))) {
        this.differences.push({ type: 'difference', kind: 'cancelled-since', family, key, line });
      } else this.counts.matched += 1;
    }
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
    const { family, id: key, issuer, issuedOn, amountText } = row;
    const cancelled = await this.isCancelled(row);
    // A cancelled note has no place in the books, so the ERP rightly lacks it.
    if (cancelled) return;
    this.differences.push({
      type: 'difference',
      kind: 'only-captured',
      family,
      key,
      issuer,
      issuedOn,
      amountText,
    });
  }

  private async isCancelled(row: DocumentRow): Promise<boolean> {
    if (/cancel/i.test(row.status ?? '')) return true;
    const { profile, companyId, family } = row;
    const events = await this.rows.events.of({ profile, companyId, family }, row.id);
    return events.some(({ type }) => type !== undefined && cancellations.includes(type));
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

import type { ArchivedType } from '../../archive/manifest.js';
import { checkInvoiceKey, checkServiceKey } from '../../domain/access-key.js';
import { mayStand } from '../../domain/document-state.js';
import type { Direction } from '../../domain/direction.js';
import { groupOf, isIssuedType } from '../../services/closing/direction.js';
import { clockRange } from '../../services/closing/month.js';
import { documentPages } from '../../services/documents/pages.js';
import { finalityOf } from '../../services/issued/rows.js';
import { recordOf } from '../../services/documents/record.js';
import type { DocumentRow, DocumentRows } from '../../store/documents.js';

/** Companies and types whose documents are dated from `since` (inclusive) until `until` (exclusive), by their own clock, in milliseconds. */
export interface StoredPeriod {
  readonly companies: readonly string[];
  readonly types: readonly ArchivedType[];
  readonly since: number;
  readonly until: number;
}

/** What a document that this machine knows is for the books. `not-final`, `not-issued`: issued invoices only. */
export type Standing = 'valid' | 'cancelled' | 'not-final' | 'not-issued';

/** What this machine knows of one direction. */
export interface BookedSide {
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
export function typeOfRow({ direction }: BookedSide, { family, type }: DocumentRow): ArchivedType {
  return direction === 'issued' && isIssuedType(type) ? type : family;
}

/** The key of a row; its id where it has none. */
export function keyOfRow({ accessKey, id }: DocumentRow): string {
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
    const type = typeOfKey(key);
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
    const type = typeOfKey(key);
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
    for (const companyId of companies)
      for (const type of types) yield* this.#stored({ companyId, type, since, until });
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

function typeOfKey(key: string): ArchivedType | 'other' | undefined {
  if (key.length === 50) return checkServiceKey(key).valid ? 'nfse' : undefined;
  const { valid, parts } = checkInvoiceKey(key);
  if (!valid || parts === undefined) return undefined;
  const types: Readonly<Record<string, ArchivedType>> = { 55: 'nfe', 57: 'cte', 65: 'nfce', 67: 'cte' };
  return types[parts.model] ?? 'other';
}

/** The month of an NF-e or NFC-e is that of its key; an NFS-e is dated by its list, and its key by the DPS: a month before or behind. */
function monthsOfKey(type: ArchivedType, key: string): readonly string[] {
  const month = (type === 'nfse' ? checkServiceKey(key) : checkInvoiceKey(key)).parts?.yearMonth;
  if (month === undefined || type !== 'nfse') return month === undefined ? [] : [month];
  const [year = 0, nth = 0] = month.split('-').map(Number);
  return [0, 1, -1].map((step) => new Date(Date.UTC(year, nth - 1 + step)).toISOString().slice(0, 7));
}

/** The tax number in a key. */
export function issuerInKey(key: string): string | undefined {
  return (key.length === 50 ? checkServiceKey(key) : checkInvoiceKey(key)).parts?.registration;
}

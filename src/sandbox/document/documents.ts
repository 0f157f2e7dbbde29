import type { CaptureStatistics } from '../../contract/maintenance.js';
import { type SandboxDatabase, columnsOf, insertInto } from '../core/database.js';
import type { Family } from '../core/records.js';

/** `incoming`: the company is the recipient or the taker; `outgoing`: it issued the document itself. */
export const directions = ['incoming', 'outgoing'] as const;
export type Direction = (typeof directions)[number];

/**
 * `hidden`: captured before the cut-off and not listed (§4). `uncaptured`: only at the national environment until a
 * fetch by key.
 */
const visibilities = ['listed', 'hidden', 'uncaptured'] as const;
type Visibility = (typeof visibilities)[number];

/** The simulated defect of an XML. */
export type Hostility = 'huge-body' | 'xml-bomb';

/** `summary`: the recipient sees only a summary of the NF-e until it manifests (facts §3). */
export const stages = ['summary', 'full'] as const;
export type Stage = (typeof stages)[number];

/** A captured document. Times are milliseconds since the epoch, amounts text. */
export interface StoredDocument {
  readonly family: Family;
  readonly id: string;
  readonly accessKey: string;
  readonly companyId: string;
  readonly issuerTaxNumber: string;
  readonly issuerName: string;
  readonly totalAmount: string;
  readonly issuedOn: number;
  readonly authorizedOn: number;
  readonly cancelled: boolean;
  readonly direction: Direction;
  readonly nsu: number | null;
  readonly status: string;
  readonly webhookStatus: string;
  readonly visibility: Visibility;
  readonly stage: Stage;
  /** Buyer or taker; null: the company or an invented customer; empty: the document names none. */
  readonly recipientTaxNumber: string | null;
  readonly recipientName: string | null;
  /** Only for an NFS-e with an intermediary. */
  readonly intermediaryTaxNumber: string | null;
  readonly intermediaryName: string | null;
  /** Of a document without a key; null: the number in the key. */
  readonly number: string | null;
  /** The time of the capture. */
  readonly createdOn: number;
  readonly modifiedOn: number;
  readonly hostile: Hostility | null;
}

/** The fields of a document in lists and announcements. */
export type ShownDocument = Omit<StoredDocument, 'family' | 'cancelled' | 'visibility' | 'hostile'>;

export interface Documents {
  /** Replaces a document with the same key and company. */
  put(document: StoredDocument): void;
  get(accessKey: string, companyId: string): StoredDocument | undefined;
  /** By the id of the document or by its key. */
  find(family: Family, companyId: string, idOrKey: string): StoredDocument | undefined;
  findByNsu(family: Family, companyId: string, nsu: number): StoredDocument | undefined;
  /** The documents of all companies that captured it, in order of capture. */
  withKey(accessKey: string): readonly StoredDocument[];
  /** A page in order of capture, after the position `after`. */
  page(after: number, limit: number): readonly (StoredDocument & { readonly position: number })[];
  count(): number;
  countHidden(companyId: string, family: Family): number;
  /** The highest NSU of a company. */
  lastNsu(companyId: string, family: Family): number;
  /** The stored signature of the XML; `undefined` before the first read. */
  signature(accessKey: string): string | undefined;
  keepSignature(accessKey: string, signature: string): void;
  removeHostile(): number;
  /** Sets the status by document id. Does not count as a change of the document. */
  setWebhookStatus(id: string, webhookStatus: string): void;
}

/** A row has the columns of the document; SQLite has no booleans. */
type DocumentRow = Omit<StoredDocument, 'cancelled'> & { readonly cancelled: number; readonly position: number };

/** The usual note: the company that captured it is the recipient, there is no intermediary, and the key has the number. */
export const usualNote = {
  recipientTaxNumber: null,
  recipientName: null,
  intermediaryTaxNumber: null,
  intermediaryName: null,
  number: null,
} as const;

export function openDocuments(database: SandboxDatabase): Documents {
  const identity = ['family', 'id', 'accessKey', 'companyId', 'signature'];
  const replaced = columnsOf(database, 'documents').filter((name) => !identity.includes(name));
  const put = database.prepare(
    `${insertInto(database, 'documents')} ON CONFLICT (accessKey, companyId) DO UPDATE
     SET ${replaced.map((name) => `${name} = excluded.${name}`).join(', ')}, signature = NULL`,
  );
  const remove = database.prepare("DELETE FROM documents WHERE hostile IS NOT NULL OR id LIKE 'hostile-%'");
  const setWebhookStatus = database.prepare('UPDATE documents SET webhookStatus = ? WHERE id = ?');
  return {
    setWebhookStatus: (id, webhookStatus) => void setWebhookStatus.run(webhookStatus, id),
    put: (document) => void put.run({ ...document, cancelled: document.cancelled ? 1 : 0, signature: null }),
    removeHostile: () => remove.run().changes,
    ...openReads(database),
    ...openCounts(database),
    ...openSignatures(database),
  };
}

function openReads(database: SandboxDatabase): Pick<Documents, 'get' | 'find' | 'findByNsu' | 'withKey' | 'page'> {
  const get = database.prepare<[string, string], DocumentRow>(
    'SELECT * FROM documents WHERE accessKey = ? AND companyId = ?',
  );
  const byId = database.prepare<[string, string], DocumentRow>(
    'SELECT * FROM documents WHERE id = ? AND companyId = ?',
  );
  const byNsu = database.prepare<[string, string, number], DocumentRow>(
    "SELECT * FROM documents WHERE companyId = ? AND family = ? AND +visibility = 'listed' AND nsu = ?",
  );
  const withKey = database.prepare<[string], DocumentRow>(
    'SELECT * FROM documents WHERE accessKey = ? ORDER BY position',
  );
  const page = database.prepare<[number, number], DocumentRow>(
    'SELECT * FROM documents WHERE position > ? ORDER BY position LIMIT +?',
  );
  const shown = (row: DocumentRow | undefined) => row && toDocument(row);
  return {
    get: (accessKey, companyId) => shown(get.get(accessKey, companyId)),
    find(family, companyId, idOrKey) {
      const row = get.get(idOrKey, companyId) ?? byId.get(idOrKey, companyId);
      return row?.family === family ? toDocument(row) : undefined;
    },
    findByNsu: (family, companyId, nsu) => shown(byNsu.get(companyId, family, nsu)),
    withKey: (accessKey) => withKey.all(accessKey).map(toDocument),
    page: (after, limit) => page.all(after, limit).map(toDocument),
  };
}

function openCounts(database: SandboxDatabase): Pick<Documents, 'count' | 'countHidden' | 'lastNsu'> {
  const count = database.prepare<[], { count: number }>('SELECT count(*) AS count FROM documents');
  const hidden = database.prepare<[string, string], { count: number }>(
    "SELECT count(*) AS count FROM documents WHERE companyId = ? AND family = ? AND visibility = 'hidden'",
  );
  const last = database.prepare<[string, string], { last: number | null }>(
    'SELECT max(nsu) AS last FROM documents WHERE companyId = ? AND family = ?',
  );
  return {
    count: () => count.get()?.count ?? 0,
    countHidden: (companyId, family) => hidden.get(companyId, family)?.count ?? 0,
    lastNsu: (companyId, family) => last.get(companyId, family)?.last ?? 0,
  };
}

function openSignatures(database: SandboxDatabase): Pick<Documents, 'signature' | 'keepSignature'> {
  const find = database.prepare<[string], { signature: string | null }>(
    'SELECT signature FROM documents WHERE accessKey = ? AND signature IS NOT NULL LIMIT 1',
  );
  const keep = database.prepare('UPDATE documents SET signature = ? WHERE accessKey = ?');
  return {
    signature: (accessKey) => find.get(accessKey)?.signature ?? undefined,
    keepSignature: (accessKey, signature) => void keep.run(signature, accessKey),
  };
}

function toDocument(row: DocumentRow): StoredDocument & { readonly position: number } {
  return { ...row, cancelled: row.cancelled === 1 };
}

/** One batch of a sweep. Times are milliseconds since the epoch. */
interface SweepBatch {
  readonly companyId: string;
  readonly family: Family;
  /** The cut-off: documents issued earlier are history. */
  readonly cutOff: number;
  /** The time of change that readers see. */
  readonly at: number;
  readonly limit: number;
}

interface CutOff extends Omit<SweepBatch, 'limit'> {
  /** True keeps the listed documents of a released history. */
  readonly released: boolean;
}

/** Hides captured documents and lists them again. Each method returns the number of changed documents. */
export interface Sweeping {
  /** Lists hidden documents, newest first. They stay `Skipped`. */
  show(batch: SweepBatch): number;
  /** Hides documents from before the cut-off, newest first. */
  hide(batch: SweepBatch): number;
  applyCutOff(cutOff: CutOff): number;
  /** Marks the documents after this NSU as captured again. */
  captureAgain(again: {
    readonly companyId: string;
    readonly family: Family;
    readonly nsu: number;
    readonly at: number;
  }): number;
}

/** The index contains the expression `issuedOn + 0`. */
const ofFamily = 'companyId = @companyId AND family = @family';
const shown = "visibility = 'listed', modifiedOn = @at";
const hidden = "visibility = 'hidden', webhookStatus = 'Skipped', modifiedOn = @at";

export function openSweeping(database: SandboxDatabase): Sweeping {
  const batchOf = (change: string, where: string) =>
    database.prepare<[object]>(
      `UPDATE documents SET ${change} WHERE position IN (
         SELECT position FROM documents WHERE ${ofFamily} AND ${where} ORDER BY issuedOn + 0 DESC LIMIT +@limit)`,
    );
  const show = batchOf(shown, "visibility = 'hidden'");
  const hide = batchOf(hidden, "visibility = 'listed' AND issuedOn + 0 < @cutOff");
  const hideAll = database.prepare(
    `UPDATE documents SET ${hidden} WHERE ${ofFamily} AND visibility = 'listed' AND issuedOn + 0 < @cutOff`,
  );
  const showAll = database.prepare(
    `UPDATE documents SET ${shown} WHERE ${ofFamily} AND visibility = 'hidden' AND issuedOn + 0 >= @cutOff`,
  );
  const again = database.prepare(
    `UPDATE documents SET modifiedOn = @at WHERE ${ofFamily} AND nsu > @nsu AND visibility <> 'uncaptured'`,
  );
  return {
    show: ({ companyId, family, at, limit }) => show.run({ companyId, family, at, limit }).changes,
    hide: (batch) => hide.run(batch).changes,
    applyCutOff({ released, ...change }) {
      return showAll.run(change).changes + (released ? 0 : hideAll.run(change).changes);
    },
    captureAgain: (change) => again.run(change).changes,
  };
}

/** Statistics of the captured documents of a company, hidden ones included. */
export interface Statistics {
  of(companyId: string, family: Family): DocumentStatistics;
  /** The highest captured NSU and the highest of all; 0 without one (assumed). */
  position(companyId: string, family: Family): CapturePosition;
}

type CapturePosition = Required<Pick<CaptureStatistics, 'currentNsu' | 'maxAvailableNsu'>>;
type DocumentStatistics = Omit<CaptureStatistics, 'id' | 'accountId' | 'name' | 'isActive' | 'rateLimitedUntil'>;

interface Group {
  status: string;
  webhookStatus: string;
  count: number;
  captured: number;
}

export function openStatistics(database: SandboxDatabase): Statistics {
  const groups = database.prepare<[string, string], Group>(
    `SELECT status, webhookStatus, count(*) AS count, max(createdOn) AS captured FROM documents
     WHERE companyId = ? AND family = ? AND visibility <> 'uncaptured' GROUP BY status, webhookStatus`,
  );
  const highest = database.prepare<[string, string], { captured: number | null; known: number | null }>(
    `SELECT max(CASE visibility WHEN 'uncaptured' THEN NULL ELSE nsu END) AS captured, max(nsu) AS known
     FROM documents WHERE companyId = ? AND family = ?`,
  );
  const position = (companyId: string, family: Family): CapturePosition => {
    const found = highest.get(companyId, family);
    return { currentNsu: found?.captured ?? 0, maxAvailableNsu: found?.known ?? 0 };
  };
  return {
    position,
    of(companyId, family) {
      const found = groups.all(companyId, family);
      const count = (isMeant: (group: Group) => boolean): number =>
        found.filter(isMeant).reduce((total, group) => total + group.count, 0);
      return {
        ...position(companyId, family),
        lastExecutedAt: found.length === 0 ? null : iso(Math.max(...found.map(({ captured }) => captured))),
        documentsTotal: count(() => true),
        documentsProcessed: count(({ status }) => status === 'Processed' || status === 'Reprocessed'),
        documentsFailed: count(({ status }) => status === 'Failed' || status === 'PdfFailed'),
        documentsPdfPending: count(({ status }) => status === 'PdfPending'),
        webhooksDelivered: count(({ webhookStatus }) => webhookStatus === 'Delivered'),
        webhooksFailed: count(({ webhookStatus }) => webhookStatus === 'DefinitivelyFailed'),
      };
    },
  };
}

function iso(at: number): string {
  return new Date(at).toISOString();
}

import {
  type ByteMode,
  type ExternalIdMode,
  type IdempotencyMode,
  type ListMode,
  byteModes,
  externalIdModes,
  idempotencyModes,
  listModes,
} from '../../contract/sandbox.js';
import type { Stage } from '../document/documents.js';
import type { Meta } from './database.js';
import type { Family } from './records.js';

/** Behaviour that the service document leaves open. */
export interface ServiceModes {
  /** The delay after which reads show a new resource. */
  readonly lagMs: number;
  /** §4 requires an `Idempotency-Key` and does not define a repeat. */
  readonly idempotencyKeys: IdempotencyMode;
  /** Whether the service rejects a second NFS-e with the same `externalId` (public) or issues it again. */
  readonly externalIds: ExternalIdMode;
  /** The service document names OData (§1), whose lists have an envelope; the public record shows bare arrays. */
  readonly lists: ListMode;
  /** Bodies with unknown fields and other types are not refused for that. */
  readonly lenient: boolean;
}

export interface ServiceMode {
  get(): ServiceModes;
  set(modes: Partial<ServiceModes>): void;
  /** Restores the modes of the start options. */
  clear(): void;
}

const modes = {
  lag: 'mode.lag',
  keys: 'mode.idempotencyKeys',
  ids: 'mode.externalIds',
  lists: 'mode.lists',
  lenient: 'mode.lenient',
};
const modeNames = Object.values(modes);

/** Stored in the file, so that all processes agree; `usual` applies until a mode is set. */
export function openServiceMode(meta: Meta, usual: ServiceModes): ServiceMode {
  return {
    get: () => ({
      lagMs: Number(meta.get(modes.lag) ?? usual.lagMs),
      idempotencyKeys: idempotencyModes.find((mode) => mode === meta.get(modes.keys)) ?? usual.idempotencyKeys,
      externalIds: externalIdModes.find((mode) => mode === meta.get(modes.ids)) ?? usual.externalIds,
      lists: listModes.find((mode) => mode === meta.get(modes.lists)) ?? usual.lists,
      lenient: (meta.get(modes.lenient) ?? String(usual.lenient)) === 'true',
    }),
    set({ lagMs, idempotencyKeys, externalIds, lists, lenient }) {
      if (lagMs !== undefined) meta.set(modes.lag, String(lagMs));
      if (idempotencyKeys !== undefined) meta.set(modes.keys, idempotencyKeys);
      if (externalIds !== undefined) meta.set(modes.ids, externalIds);
      if (lists !== undefined) meta.set(modes.lists, lists);
      if (lenient !== undefined) meta.set(modes.lenient, String(lenient));
    },
    clear: () => meta.clear(modeNames),
  };
}

/** A token bucket in real time, shared by all processes of the file. */
export interface RateLimit {
  /** 0 if the request may pass, else the seconds to wait (§8: `Retry-After` in seconds). */
  enter(): number;
}

export function openRateLimit(meta: Meta, perSecond: number | undefined): RateLimit {
  if (perSecond === undefined) return { enter: () => 0 };
  const capacity = Math.max(1, perSecond);
  return {
    enter() {
      const now = Date.now();
      const [tokens = capacity, at = now] = (meta.get('rate.bucket') ?? '').split(' ').filter(Boolean).map(Number);
      const filled = Math.min(capacity, tokens + (Math.max(0, now - at) / 1000) * perSecond);
      const passes = filled >= 1;
      meta.set('rate.bucket', `${passes ? filled - 1 : filled} ${now}`);
      return passes ? 0 : Math.max(1, Math.ceil((1 - filled) / perSecond));
    },
  };
}

/** Documents that arrive while a list is read: one before every n-th list request. */
interface Arrivals {
  readonly everyRequests: number;
  /** The number of documents left; null: unlimited. */
  readonly left: number | null;
  /** How long before its appearance a document's time of capture is. */
  readonly lateByMs: number;
  /** The stage of an NF-e; absent: `full`. */
  readonly stage?: Stage;
}

/** The faults of pages. */
interface PageFaults {
  /** A page repeats the last row of the previous page. */
  readonly doubled: boolean;
  /** A page has its rows in reverse order. */
  readonly reordered: boolean;
  /** An OData page has half of its rows and no link to the rest. */
  readonly short: boolean;
  /** Issued invoices are in the order of their last change, the newest first. */
  readonly byChange: boolean;
  /** The last of the issued invoices changes before each page but the first. */
  readonly stirred: boolean;
}

/** The pace of releasing and revoking the history (assumed). */
interface SweepPace {
  /** The documents of one batch. */
  readonly documents: number;
  /** The time between batches. */
  readonly everyMs: number;
}

const noPageFaults: PageFaults = { doubled: false, reordered: false, short: false, byChange: false, stirred: false };
/** Where events are listed: among the notes of their family too, or only where events are asked for. */
export const eventPlaces = ['mixed', 'apart'] as const;
type EventPlace = (typeof eventPlaces)[number];
type EventPlaces = Readonly<Record<Family, EventPlace>>;

/** NFS-e has one list for documents of every type, which `type` narrows (public); NF-e and CT-e have lists of events. */
const usualPlaces: EventPlaces = { nfe: 'apart', cte: 'apart', nfse: 'mixed' };
const usualPace: SweepPace = { documents: 1_000, everyMs: 200 };

export const listHostilities = ['self-link', 'endless-list'] as const;
export type ListHostility = (typeof listHostilities)[number];

/** The configured behaviour of the inbound routes and of the lists of issued invoices. Stored in the file, so that all processes agree. */
export interface Behaviour {
  bytes(): ByteMode;
  /** The configured mode; `undefined` unless a test sets one. */
  chosenBytes(): ByteMode | undefined;
  setBytes(mode: ByteMode): void;
  /** So many reads of the PDF of an issued invoice answer 202. */
  setPendingPdfs(count: number): void;
  /** Counts a read of such a PDF; true if it is still being made. */
  isPdfPending(): boolean;
  arrivals(): Arrivals | undefined;
  setArrivals(arrivals: Arrivals | undefined): void;
  /** Counts a list request; true if a document arrives before its answer. */
  doesArrive(): boolean;
  pageFaults(): PageFaults;
  setPageFaults(faults: PageFaults): void;
  listHostility(): ListHostility | undefined;
  setListHostility(kind: ListHostility | undefined): void;
  eventPlaces(): EventPlaces;
  /** `undefined`: the usual ones. */
  setEventPlaces(places: Partial<EventPlaces> | undefined): void;
  sweepPace(): SweepPace;
  setSweepPace(pace: SweepPace | undefined): void;
}

const names = {
  bytes: 'inbound.bytes',
  pendingPdfs: 'invoice.pendingPdfs',
  arrivals: 'inbound.arrivals',
  lists: 'inbound.lists',
  pages: 'inbound.pages',
  hostility: 'inbound.hostility',
  sweep: 'inbound.sweep',
  events: 'inbound.events',
};

export function openBehaviour(meta: Meta, bytes: ByteMode): Behaviour {
  const arrivals = (): Arrivals | undefined => parsed(meta.get(names.arrivals));
  const chosenBytes = () => byteModes.find((mode) => mode === meta.get(names.bytes));
  const setArrivals = (value: Arrivals | undefined): void => keep(meta, names.arrivals, value);
  return {
    bytes: () => chosenBytes() ?? bytes,
    chosenBytes,
    setBytes: (mode) => meta.set(names.bytes, mode),
    setPendingPdfs: (count) => meta.set(names.pendingPdfs, String(count)),
    isPdfPending() {
      const left = Number(meta.get(names.pendingPdfs) ?? 0);
      if (left > 0) meta.set(names.pendingPdfs, String(left - 1));
      return left > 0;
    },
    arrivals,
    setArrivals(value) {
      meta.clear([names.lists]);
      setArrivals(value);
    },
    doesArrive() {
      const standing = arrivals();
      if (standing === undefined || standing.left === 0) return false;
      if (meta.next(names.lists) % standing.everyRequests !== 0) return false;
      if (standing.left !== null) setArrivals({ ...standing, left: standing.left - 1 });
      return true;
    },
    pageFaults: () => ({ ...noPageFaults, ...parsed<PageFaults>(meta.get(names.pages)) }),
    setPageFaults: (faults) => keep(meta, names.pages, faults),
    listHostility: () => listHostilities.find((kind) => kind === meta.get(names.hostility)),
    setListHostility: (kind) => (kind === undefined ? meta.clear([names.hostility]) : meta.set(names.hostility, kind)),
    eventPlaces: () => ({ ...usualPlaces, ...parsed<Partial<EventPlaces>>(meta.get(names.events)) }),
    setEventPlaces: (places) => keep(meta, names.events, places),
    sweepPace: () => parsed(meta.get(names.sweep)) ?? usualPace,
    setSweepPace: (pace) => keep(meta, names.sweep, pace),
  };
}

/** Written by `keep`, so the form is known. */
function parsed<Value>(text: string | undefined): Value | undefined {
  return text === undefined ? undefined : JSON.parse(text);
}

function keep(meta: Meta, name: string, value: object | undefined): void {
  if (value === undefined) meta.clear([name]);
  else meta.set(name, JSON.stringify(value));
}

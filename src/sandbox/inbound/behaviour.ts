import type { Family } from '../core/records.js';
import { type ByteMode, byteModes } from '../../contract/sandbox.js';
import type { Stage } from '../document/documents.js';
import type { Meta } from '../core/database.js';

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

const noPageFaults: PageFaults = {
  doubled: false,
  reordered: false,
  short: false,
  byChange: false,
  stirred: false,
};
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
    setListHostility: (kind) =>
      kind === undefined ? meta.clear([names.hostility]) : meta.set(names.hostility, kind),
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

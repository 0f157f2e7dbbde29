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
}

/** The pace of releasing and revoking the history (assumed). */
interface SweepPace {
  /** The documents of one batch. */
  readonly documents: number;
  /** The time between batches. */
  readonly everyMs: number;
}

const usualPace: SweepPace = { documents: 1_000, everyMs: 200 };

export const listHostilities = ['self-link', 'endless-list'] as const;
export type ListHostility = (typeof listHostilities)[number];

/** The configured behaviour of the inbound routes. Stored in the file, so that all processes agree. */
export interface Behaviour {
  bytes(): ByteMode;
  /** The configured mode; `undefined` unless a test sets one. */
  chosenBytes(): ByteMode | undefined;
  setBytes(mode: ByteMode): void;
  arrivals(): Arrivals | undefined;
  setArrivals(arrivals: Arrivals | undefined): void;
  /** Counts a list request; true if a document arrives before its answer. */
  doesArrive(): boolean;
  pageFaults(): PageFaults;
  setPageFaults(faults: PageFaults): void;
  listHostility(): ListHostility | undefined;
  setListHostility(kind: ListHostility | undefined): void;
  sweepPace(): SweepPace;
  setSweepPace(pace: SweepPace | undefined): void;
}

const names = {
  bytes: 'inbound.bytes',
  arrivals: 'inbound.arrivals',
  lists: 'inbound.lists',
  pages: 'inbound.pages',
  hostility: 'inbound.hostility',
  sweep: 'inbound.sweep',
};
export const behaviourNames = Object.values(names);

export function openBehaviour(meta: Meta, bytes: ByteMode): Behaviour {
  const arrivals = (): Arrivals | undefined => parsed(meta.get(names.arrivals));
  const chosenBytes = () => byteModes.find((mode) => mode === meta.get(names.bytes));
  const setArrivals = (value: Arrivals | undefined): void => keep(meta, names.arrivals, value);
  return {
    bytes: () => chosenBytes() ?? bytes,
    chosenBytes,
    setBytes: (mode) => meta.set(names.bytes, mode),
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
    pageFaults: () =>
      parsed<PageFaults>(meta.get(names.pages)) ?? { doubled: false, reordered: false, short: false },
    setPageFaults: (faults) => keep(meta, names.pages, faults),
    listHostility: () => listHostilities.find((kind) => kind === meta.get(names.hostility)),
    setListHostility: (kind) =>
      kind === undefined ? meta.clear([names.hostility]) : meta.set(names.hostility, kind),
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

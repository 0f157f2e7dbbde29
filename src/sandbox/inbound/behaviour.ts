import { type ByteMode, byteModes } from '../../contract/sandbox.js';
import type { Stage } from '../document/documents.js';
import type { Meta } from '../core/database.js';

/** Documents that arrive while a list is read: one before every n-th request of a list. */
interface Arrivals {
  readonly everyRequests: number;
  /** How many are still to come; null: without end. */
  readonly left: number | null;
  /** How much the time of capture that they show lies behind the moment in which they appear. */
  readonly lateByMs: number;
  /** Of an NF-e; absent: `full`. */
  readonly stage?: Stage;
}

/** How pages are spoiled. */
interface PageFaults {
  /** A page begins with the last row of the one before. */
  readonly doubled: boolean;
  /** The rows of a page come in the opposite order. */
  readonly reordered: boolean;
  /** A page of OData has half of its rows, and no link to the others: a service gives less than it is asked for. */
  readonly short: boolean;
}

/** How fast the history is released and revoked (assumed). */
interface SweepPace {
  /** In one batch. */
  readonly documents: number;
  /** From one batch to the next. */
  readonly everyMs: number;
}

const usualPace: SweepPace = { documents: 1_000, everyMs: 200 };

export const listHostilities = ['self-link', 'endless-list'] as const;
export type ListHostility = (typeof listHostilities)[number];

/** What a test has chosen for the inbound routes. Kept in the file, so that all processes agree. */
export interface Behaviour {
  bytes(): ByteMode;
  /** Only what a test has chosen since the start. */
  chosenBytes(): ByteMode | undefined;
  setBytes(mode: ByteMode): void;
  arrivals(): Arrivals | undefined;
  setArrivals(arrivals: Arrivals | undefined): void;
  /** Counts a request of a list; true when a document arrives before its answer. */
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

/** What is read here was written here. */
function parsed<Value>(text: string | undefined): Value | undefined {
  return text === undefined ? undefined : JSON.parse(text);
}

function keep(meta: Meta, name: string, value: object | undefined): void {
  if (value === undefined) meta.clear([name]);
  else meta.set(name, JSON.stringify(value));
}

import type { ArchiveStorage, ArchiveWork } from '../../archive/storage.js';
import type { Client } from '../../client/client.js';
import type { Clock } from '../../domain/world.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { reasonOfError, type Reason } from '../../errors/reasons.js';
import type { Semaphore } from '../../jobs/concurrency.js';
import type { Health } from '../../jobs/health.js';
import type { DocumentEnd, EventEnd } from '../../store/documents.js';
import type { Store } from '../../store/store.js';

/** What one run of a sync works with. */
export interface SyncContext {
  readonly client: Client;
  readonly store: Store;
  readonly clock: Clock;
  /** Aborts the whole run: an interruption by the user, a lost lease, or a failure that concerns all. */
  readonly signal: AbortSignal;
  readonly storage: ArchiveStorage;
  readonly work: ArchiveWork;
  readonly documentWrites: WriteBuffer<DocumentEnd>;
  readonly eventWrites: WriteBuffer<EventEnd>;
  /** Limits concurrent downloads, of all companies together. */
  readonly requests: Semaphore;
  readonly documentConcurrency: number;
  /** Knows when the service is unreachable for too long. */
  readonly health: Health;
  readonly workerId: string;
  /** As rows of the store name it. */
  readonly archive: string;
  readonly template: string;
  /** Of every company with documents, and every one of the account; `undefined`: not known. */
  readonly taxNumbers: () => Promise<ReadonlyMap<string, string | undefined>>;
  readonly options: SyncChoices;
  /** Called with the number of documents that wait, and after each one. */
  readonly onProgress: (step: { readonly found?: number; readonly done?: number }) => void;
}

interface SyncChoices {
  readonly pdf: boolean;
  readonly requireSignature: boolean;
  /** Also writes into folders of the archive that are symbolic links, and reads behind them. */
  readonly followLinks: boolean;
  readonly retryQuarantined: boolean;
  /** Read the files again, and fetch what is gone or changed. */
  readonly repair: boolean;
  readonly since: number | undefined;
  /** How far behind the cursor each list begins again. */
  readonly windowMs: number;
  /** Read the lists from their beginning, and try at once what is outstanding. */
  readonly full: boolean;
  /** The same without the flag, when the last full read is this old; infinite: never. */
  readonly fullEveryMs: number;
  /** How long to wait for companies and families that another process holds. */
  readonly lockWaitMs: number;
}

/** What was wrong with one document or event. */
interface SyncProblem {
  readonly companyId: string;
  readonly family: string;
  readonly key: string;
  readonly state: 'failed' | 'quarantined' | 'gone';
  readonly code: string;
  readonly reason: Reason;
}

/** How the run of a group ended, apart from its documents. */
type GroupState = 'done' | 'off' | 'held' | 'failed';

/** Problems beyond so many are only counted; the store has them all. */
const MAX_PROBLEMS = 1_000;

/** The company, and the family by the name that records have. */
export interface TallyGroup {
  readonly companyId: string;
  readonly family: string;
}

/** What happened to one company and family in this run. */
export class SyncTally {
  state: GroupState = 'done';
  error: FiscalError | undefined;
  /** The work on it has ended, also where it failed. */
  isOver = false;
  /** Until then the service captures nothing new for the company (§2). */
  spacedUntil: string | undefined;
  /** The capture is registered and switched off: nothing new comes. */
  isInactive = false;
  /** The lists were read by another process of the same store, after this run began. */
  wasListedByOther = false;
  /** New in the list, and changed since. */
  added = 0;
  changed = 0;
  /** Full XML that came in this run. */
  archived = 0;
  /** Summaries that came in this run, and those of documents that stand: their full XML is still to come. */
  summaries = 0;
  waiting = 0;
  pdfs = 0;
  events = 0;
  quarantined = 0;
  gone = 0;
  failed = 0;
  bytes = 0;
  /** Of the files that `--repair` found missing or changed: those that are right again, and those that are not. */
  repaired = 0;
  unrepaired = 0;
  /** At the end of the run, with those of earlier runs: what is listed and did not come, and what a person has written off. */
  outstanding = 0;
  writtenOff = 0;
  /** Rows of a list that name no document. */
  unreadable = 0;
  /** Issued invoices whose state can still change by itself: nothing is downloaded yet. */
  notFinal = 0;
  readonly problems: SyncProblem[] = [];

  constructor(readonly group: TallyGroup) {}

  note(problem: Omit<SyncProblem, 'companyId' | 'family'>): void {
    this[problem.state] += 1;
    const { companyId, family } = this.group;
    if (this.problems.length < MAX_PROBLEMS) this.problems.push({ companyId, family, ...problem });
  }

  get isIncomplete(): boolean {
    const { state, outstanding, failed, quarantined, unreadable, unrepaired } = this;
    const count = outstanding + failed + quarantined + unreadable + unrepaired;
    return state === 'failed' || state === 'held' || count > 0;
  }
}

/** How far the list is read, for those who fetch its documents at the same time. */
export class Listing {
  #isComplete = false;
  #waiting: (() => void)[] = [];

  /** A list that was read before. */
  static ended(): Listing {
    const listing = new Listing();
    listing.end();
    return listing;
  }

  get isComplete(): boolean {
    return this.#isComplete;
  }

  /** Resolves when more has been kept, or nothing more will come. */
  async next(): Promise<void> {
    if (this.#isComplete) return;
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  kept(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  end(): void {
    this.#isComplete = true;
    this.kept();
  }
}

/** Rows of one write. A kill costs at most as many downloads again. */
const ROWS_PER_WRITE = 128;
/** The longest that a row waits for others. */
const MAX_WAIT_MS = 250;

/**
 * Gathers the rows of finished documents or events and writes them to the store together: a commit for each would cost more
 * than its row. To another process a file without its row looks like one that nobody wrote, so no row waits for long.
 */
export class WriteBuffer<Row> {
  #waiting: Row[] = [];
  #written: Promise<unknown> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;

  constructor(private readonly write: (rows: readonly Row[]) => Promise<unknown>) {}

  /** Throws the error of a write to the caller that fills the buffer, and to every caller after it. */
  async add(row: Row): Promise<void> {
    this.#waiting.push(row);
    if (this.#waiting.length >= ROWS_PER_WRITE) await this.flush();
    else this.#timer ??= setTimeout(() => void this.flush().catch(() => undefined), MAX_WAIT_MS).unref();
  }

  /** Resolves when everything that was added before stands in the store. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const rows = this.#waiting;
    this.#waiting = [];
    // A failure stays: every later flush throws it too.
    if (rows.length > 0) this.#written = this.#written.then(() => this.write(rows));
    await this.#written;
  }
}

/** What happens to one document whose bytes could not be read. */
interface DocumentFailure {
  readonly state: 'failed' | 'gone';
  readonly code: string;
  readonly reason: Reason;
}

/** What distinguishes the failure of one document from one that concerns all. */
interface Patience {
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly health: Health;
}

/**
 * True for what concerns every document alike: a defect, a key that is refused, a full disk, a service that is away for too
 * long or asks for more patience than was allowed, an end that was asked for. It ends the run, which the same command resumes.
 */
export function concernsAll(error: unknown, { signal, clock, health }: Patience): boolean {
  if (signal.aborted || !(error instanceof FiscalError)) return true;
  const [area] = error.code.split('.');
  if (area === 'auth' || area === 'store' || area === 'archive' || area === 'config' || area === 'job') return true;
  if (error.code === 'service.rate_limited') return true;
  health.answered(clock.now(), error);
  return health.isGivenUp(clock.now());
}

/** The failure of one document: 404 is final until the list says otherwise, anything else is tried by the next run. */
export function failureOf(error: unknown): DocumentFailure {
  if (!(error instanceof FiscalError)) throw error;
  const state = error.code === 'service.not_found' ? 'gone' : 'failed';
  return { state, code: error.code, reason: reasonOfError(error) };
}

import type { InboundFamily } from '../../contract/inbound.js';
import type { XmlFileKind } from '../../domain/document-fact.js';
import { formatUtc } from '../../domain/utc.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { summaryOf } from '../../jobs/kinds/backfill-release.js';
import type { DocumentGroup } from '../../store/documents.js';
import { captureHistory, noteCapture, type SeenCapture } from '../../services/capture-history.js';
import { captureState, type CaptureState } from '../../services/capture-state.js';
import type { Context } from '../../services/context.js';

/** What is known of the capture and of the list of one family, on which a proof rests. Times are UTC, ISO 8601. */
export interface FamilyCoverage {
  readonly family: InboundFamily;
  readonly capture: 'on' | 'inactive' | 'off';
  /** The status of its settings, where that is a word or number of which nobody has published the meaning. */
  readonly unclearStatus: string | null;
  /** The environment of the tax authority that is captured; null: the settings say none. */
  readonly environment: string | null;
  /** Since when the capture is enabled, and what says so: its settings, or what this machine has seen. */
  readonly enabledSince: string | null;
  readonly enabledBy: 'settings' | 'history' | null;
  /** The settings as this machine has seen them, the oldest first. */
  readonly history: readonly SeenCapture[];
  /** `startFromDate`: what was issued before is captured, but not listed. */
  readonly cutOff: string | null;
  /** The service counts hidden documents for NFS-e only; null: not told. */
  readonly hidden: HiddenDocuments | null;
  /** `rateLimitedUntil`, while it lies ahead: the service captures nothing new until then. */
  readonly spacedUntil: string | null;
  readonly list: ListCoverage;
  /** Null: the service has no list of events of this family, or it was not asked. */
  readonly events: EventCoverage | null;
  /** When `inbound sync` last read the list of this family on this machine. */
  readonly lastSyncAt: string | null;
  readonly nsu: NsuCoverage | null;
  /** The files of the archive that the proof counts, by what they hold. */
  readonly xml: Readonly<Record<XmlFileKind, number>>;
}

export interface HiddenDocuments {
  readonly released: boolean | null;
  readonly count: number | null;
}

export interface ListCoverage {
  /** When the list was read to its end; null: it could not be. */
  readonly readAt: string | null;
  readonly documents: number;
  /** Rows that name no document. */
  readonly unreadable: number;
  /** Why it could not be read. */
  readonly problem: string | null;
}

/** The list of events, from the day before the month began. */
export interface EventCoverage extends Omit<ListCoverage, 'documents'> {
  /** Events of documents of the month. */
  readonly events: number;
}

/**
 * The numbers of the month between its first and its last. Documents, summaries and events of a CNPJ share them, and a document
 * may have none: a number that nothing known bears is no missing document.
 */
export interface NsuCoverage {
  readonly first: number;
  readonly last: number;
  /** Numbers that a document or event known here bears. */
  readonly known: number;
  readonly unknown: number;
  /** The first ranges of unknown numbers, both ends included. */
  readonly unknownRanges: readonly (readonly [number, number])[];
  /** Listed documents without a number. */
  readonly withoutNsu: number;
}

/** The part that does not depend on the list. */
export type CaptureCoverage = Omit<FamilyCoverage, 'list' | 'events' | 'nsu' | 'xml'>;

export interface ReadCapture {
  readonly coverage: CaptureCoverage;
  readonly servedAt: number | undefined;
}

/** Reads the settings, remembers them, and adds what was seen before. Errors: those of a call, but 404. */
export async function readCapture(context: Context, group: DocumentGroup): Promise<ReadCapture> {
  const { companyId, family } = group;
  const capture = await captureState(context, companyId, family);
  const store = await context.store();
  await noteCapture(store, group, { capture, at: context.clock.now() });
  const history = await captureHistory(store, group);
  const sync = await store.cursors.get({ ...group, stream: 'documents' });
  const on = capture.kind === 'on' ? capture : undefined;
  const hidden = family === 'nfse' && on !== undefined ? await hiddenOf(context, companyId) : undefined;
  return {
    servedAt: on?.servedAt,
    coverage: {
      family,
      capture: stateOf(capture),
      unclearStatus: on?.unclearStatus ?? null,
      environment: on?.environment ?? null,
      ...enabledSince(capture, history),
      history,
      cutOff: latest([on?.startFromDate, hidden?.cutOff]) ?? null,
      hidden: hidden?.documents ?? null,
      spacedUntil: on?.spacedUntil ?? null,
      lastSyncAt: sync === undefined ? null : formatUtc(sync.at),
    },
  };
}

function stateOf(capture: CaptureState): FamilyCoverage['capture'] {
  if (capture.kind === 'on') return 'on';
  return capture.why === 'inactive' ? 'inactive' : 'off';
}

/** The day that the settings tell; where they tell none, the first time that this machine saw them active. */
function enabledSince(
  capture: CaptureState,
  history: readonly SeenCapture[],
): Pick<FamilyCoverage, 'enabledSince' | 'enabledBy'> {
  if (capture.kind === 'off') return { enabledSince: null, enabledBy: null };
  if (capture.createdOn !== undefined) return { enabledSince: capture.createdOn, enabledBy: 'settings' };
  const seen = history.find(({ state }) => state === 'on')?.firstSeenAt;
  return { enabledSince: seen ?? null, enabledBy: seen === undefined ? null : 'history' };
}

/** Who may not read the summary learns nothing of hidden documents. */
async function hiddenOf(context: Context, companyId: string) {
  try {
    const client = await context.client();
    const found = await summaryOf(client, { companyId }, { signal: context.interruption });
    const documents: HiddenDocuments = { released: found.released ?? null, count: found.hidden ?? null };
    const at = Date.parse(found.startFromDate ?? '');
    return { cutOff: Number.isNaN(at) ? undefined : formatUtc(at), documents };
  } catch (error) {
    if (error instanceof FiscalError && ofTheSummary.some((code) => code === error.code)) return undefined;
    throw error;
  }
}

const ofTheSummary = ['backfill.forbidden', 'backfill.no_capture', 'service.refused', 'service.unreadable'];

function latest(times: readonly (string | undefined)[]): string | undefined {
  return times
    .filter((time) => time !== undefined)
    .toSorted()
    .at(-1);
}

const MAX_RANGES = 20;

/** Gathers the NSU of what the list gives. */
export class NsuTally {
  readonly #numbers: number[] = [];
  #without = 0;

  add(nsu: unknown): void {
    const text = typeof nsu === 'number' ? String(nsu) : nsu;
    if (typeof text === 'string' && /^\d{1,15}$/.test(text)) this.#numbers.push(Number(text));
    else this.#without += 1;
  }

  /** Compares with what this machine knows of the same numbers. `null`: no document has one. */
  async coverage(context: Context, group: DocumentGroup): Promise<NsuCoverage | null> {
    if (this.#numbers.length === 0) return null;
    const sorted = Float64Array.from(this.#numbers).sort();
    const [first = 0, last = 0] = [sorted[0], sorted.at(-1)];
    const { documents } = await context.store();
    const stored = await documents.nsusBetween(group, { first, last });
    const all = Float64Array.from([...this.#numbers, ...stored]).sort();
    const unknownRanges: (readonly [number, number])[] = [];
    let [known, before] = [0, first - 1];
    for (const number of all) {
      if (number === before) continue;
      known += 1;
      if (number > before + 1 && unknownRanges.length < MAX_RANGES) {
        unknownRanges.push([before + 1, number - 1]);
      }
      before = number;
    }
    const unknown = last - first + 1 - known;
    return { first, last, known, unknown, unknownRanges, withoutNsu: this.#without };
  }
}

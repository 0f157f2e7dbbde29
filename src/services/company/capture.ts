import type { Text } from '../../contract/text.js';
import { activityOf, shownActivity } from '../../domain/capture-settings.js';
import { formatUtc } from '../../domain/dates.js';
import { canonicalJson } from '../../domain/canonical-json.js';
import { fieldOf } from '../../domain/record.js';
import { createdTime } from '../../domain/row-times.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { DocumentGroup } from '../../store/documents.js';
import type { KnownRow, Store } from '../../store/store.js';
import type { Context } from '../context.js';

/** Whether a family of a company is captured. */
export type CaptureState = CaptureOff | CaptureOn;

interface CaptureOff {
  readonly kind: 'off';
  /** inactive: registered, and no longer captured. */
  readonly why: 'absent' | 'inactive';
}

/** Times are UTC, ISO 8601. */
export interface CaptureOn {
  /** unclear: there are settings, and they do not say whether the capture is active. */
  readonly kind: 'on' | 'unclear';
  /** The capture is spaced until then (§2); reads are not. */
  readonly spacedUntil?: string;
  /** The cut-off. */
  readonly startFromDate?: string;
  /** When the capture was enabled. */
  readonly createdOn?: string;
  /** What unclear settings show in the place of a status. */
  readonly unclearStatus?: string;
  /** The captured environment of the tax authority, when the settings name one. */
  readonly environment?: string;
  /** The clock of the service at that time, in milliseconds. */
  readonly servedAt?: number;
}

/** Reads the settings and stores them. Errors: those of a call, except 404, which means that nothing is captured. */
export async function captureState(
  context: Pick<Context, 'client' | 'clock' | 'interruption' | 'store'>,
  group: DocumentGroup,
): Promise<CaptureState> {
  const capture = await askForCapture(context, group);
  await noteCapture(await context.store(), group, { capture, at: context.clock.now() });
  return capture;
}

async function askForCapture(
  context: Pick<Context, 'client' | 'clock' | 'interruption'>,
  { companyId, family }: DocumentGroup,
): Promise<CaptureState> {
  const client = await context.client();
  try {
    const { body, servedAt } = await client.call(
      `${family}.inbound.settings`,
      { path: { companyId } },
      { signal: context.interruption },
    );
    // The pause is in the time of the service, which may differ from that of this machine.
    const state = stateOf(body, servedAt ?? context.clock.now());
    return state.kind !== 'off' && servedAt !== undefined ? { ...state, servedAt } : state;
  } catch (error) {
    if (error instanceof FiscalError && error.code === 'service.not_found') return { kind: 'off', why: 'absent' };
    throw error;
  }
}

function stateOf(body: unknown, now: number): CaptureState {
  const activity = activityOf(body);
  if (activity === 'inactive') return { kind: 'off', why: 'inactive' };
  const [spacedUntil, startFromDate] = ['rateLimitedUntil', 'startFromDate'].map((name) => timeIn(fieldOf(body, name)));
  const createdOn = timeIn(createdTime(body));
  const environment = [fieldOf(body, 'environmentSEFAZ'), fieldOf(body, 'environment')].find(isGiven);
  const isSpaced = spacedUntil !== undefined && Date.parse(spacedUntil) > now;
  return {
    kind: activity === 'unclear' ? 'unclear' : 'on',
    ...(activity === 'unclear' ? { unclearStatus: shownActivity(body) } : {}),
    ...(environment === undefined ? {} : { environment: wordOf(environment) }),
    ...(isSpaced ? { spacedUntil } : {}),
    ...(startFromDate === undefined ? {} : { startFromDate }),
    ...(createdOn === undefined ? {} : { createdOn }),
  };
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '';
}

function wordOf(value: unknown): string {
  return (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, 60);
}

function timeIn(value: unknown): string | undefined {
  const ms = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString();
}

/** Settings of a capture as this machine has seen them, from the first time to the last. Times are UTC, ISO 8601. */
export interface SeenCapture {
  readonly state: 'on' | 'unclear' | 'inactive' | 'absent';
  readonly createdOn: string | null;
  readonly startFromDate: string | null;
  /** Null: the settings named none; absent: recorded by a version that did not store it. */
  readonly environment?: string | null;
  readonly firstSeenAt: string;
  readonly lastSeenAt: string;
}

const KIND = 'capture';

/** Stores the settings that were just read: the service reports only the current ones. A change begins a new row. */
export async function noteCapture(
  { known }: Pick<Store, 'known'>,
  { profile, companyId, family }: DocumentGroup,
  seen: { readonly capture: CaptureState; readonly at: number },
): Promise<void> {
  const { capture, at } = seen;
  const on = capture.kind === 'off' ? undefined : capture;
  const facts = {
    state: capture.kind === 'off' ? capture.why : capture.kind,
    createdOn: on?.createdOn ?? null,
    startFromDate: on?.startFromDate ?? null,
    environment: on?.environment ?? null,
  };
  const key = { profile, kind: KIND, scope: scopeOf({ companyId, family }) };
  const [latest] = (await known.list(key)).toSorted((one, other) => other.seenAt - one.seenAt);
  const isSame = latest !== undefined && canonicalJson(latest.data) === canonicalJson(facts);
  const row = isSame
    ? { id: latest.id, seenAt: Math.max(at, latest.seenAt) }
    : { id: `${formatUtc(at)} ${canonicalJson(facts)}`, seenAt: at };
  await known.put({ ...key, ...row, status: facts.state, data: facts });
}

/** The same for settings as they were read or written; `undefined`: the family has none. */
export async function noteSettings(
  context: Pick<Context, 'clock' | 'settings' | 'store'>,
  { companyId, family }: Omit<DocumentGroup, 'profile'>,
  settings: unknown,
): Promise<void> {
  const [store, { storeNamespace: profile }] = await Promise.all([context.store(), context.settings()]);
  const at = context.clock.now();
  const capture: CaptureState = settings === undefined ? { kind: 'off', why: 'absent' } : stateOf(settings, at);
  await noteCapture(store, { profile, companyId, family }, { capture, at });
}

/** The history so far, oldest first. */
export async function captureHistory(
  { known }: Pick<Store, 'known'>,
  { profile, companyId, family }: DocumentGroup,
): Promise<readonly SeenCapture[]> {
  const rows = await known.list({ profile, kind: KIND, scope: scopeOf({ companyId, family }) });
  return rows.toReversed().map(seenCapture);
}

/** The settings of every company and family of a profile as they were last seen, by `<company id> <family>`. */
export async function lastCaptures(
  { known }: Pick<Store, 'known'>,
  profile: string,
): Promise<ReadonlyMap<string, SeenCapture>> {
  const rows = await known.list({ profile, kind: KIND });
  const inOrder = rows.toSorted((one, other) => one.seenAt - other.seenAt);
  return new Map(inOrder.map((row) => [row.scope, seenCapture(row)]));
}

function seenCapture({ data, firstSeenAt, seenAt }: KnownRow): SeenCapture {
  const state = fieldOf(data, 'state');
  const environment = fieldOf(data, 'environment');
  return {
    // A row that nobody here wrote proves neither that the capture is on nor that it is off.
    state: seenStates.find((known) => known === state) ?? 'unclear',
    createdOn: textOrNull(fieldOf(data, 'createdOn')),
    startFromDate: textOrNull(fieldOf(data, 'startFromDate')),
    ...(environment === undefined ? {} : { environment: textOrNull(environment) }),
    firstSeenAt: formatUtc(firstSeenAt),
    lastSeenAt: formatUtc(seenAt),
  };
}

const seenStates: readonly SeenCapture['state'][] = ['on', 'unclear', 'inactive', 'absent'];

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

function scopeOf({ companyId, family }: Pick<DocumentGroup, 'companyId' | 'family'>): string {
  return `${companyId} ${family}`;
}

/** Settings that name no environment are those of production. */
export function isOfProduction(environment: string | null): boolean {
  return environment === null || environment.trim().toLowerCase() === 'production';
}

/** As a person reads it; `name` is that of a family. */
export function unclearCapture(name: string): Text {
  return {
    en: `the settings of the capture of ${name} do not say whether it is active`,
    pt: `a configuração da captura de ${name} não diz se ela está ativa`,
  };
}

/** The capture works, but not in production. */
export function otherEnvironment(name: string, environment: string | null): Text {
  return {
    en: `${name} are captured from the environment "${environment ?? ''}", not from production`,
    pt: `as ${name} são capturadas do ambiente "${environment ?? ''}", e não do de produção`,
  };
}

/** Milliseconds; `until` is excluded. */
interface Period {
  readonly since: number;
  readonly until: number;
}

/** A time within the period at which the capture may have been switched off, or not clearly on, as far as this machine has seen it. */
export function seenOff(history: readonly SeenCapture[], period: Period): SeenCapture | undefined {
  return history.find((seen) => seen.state !== 'on' && mayHaveHeld(seen, history, period));
}

/** The same for a capture of another environment than production, or of one that was not kept. */
export function seenElsewhere(history: readonly SeenCapture[], period: Period): SeenCapture | undefined {
  return history.find(
    (seen) =>
      (seen.state === 'on' || seen.state === 'unclear') &&
      (seen.environment === undefined || !isOfProduction(seen.environment)) &&
      mayHaveHeld(seen, history, period),
  );
}

/** A seen state began after the previous sighting and ended before the next one. */
function mayHaveHeld(seen: SeenCapture, history: readonly SeenCapture[], { since, until }: Period): boolean {
  const [first, last] = [Date.parse(seen.firstSeenAt), Date.parse(seen.lastSeenAt)];
  const others = history
    .filter((other) => other !== seen)
    .flatMap(({ firstSeenAt, lastSeenAt, createdOn }) => [
      ...[firstSeenAt, lastSeenAt],
      // Created settings mean an active capture; its environment at that time is unknown.
      ...(seen.state === 'on' || createdOn === null ? [] : [createdOn]),
    ])
    .map((time) => Date.parse(time));
  const before = Math.max(...others.filter((time) => time < first));
  const after = Math.min(...others.filter((time) => time > last));
  return before < until && after >= since;
}

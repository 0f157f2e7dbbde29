import { type InboundState, type NfseInboundSettings, familyNames } from '../../contract/inbound.js';
import { spacedUntil } from '../company/certificates.js';
import { type Check, type Report, flag, object, oneOf, readBody, whole, wholeOrText } from '../core/checks.js';
import type { Core } from '../core/core.js';
import { isRecord, onlySet } from '../core/exact-json.js';
import type { Family, Fields, StoredCapture } from '../core/records.js';
import { Refusal, invalid } from '../core/refusal.js';

export interface Capture {
  readonly companyId: string;
  readonly family: Family;
}

/** The settings of a company with an active capture; throws 404 without one. */
export function requireSettings(core: Core, companyId: string, family: Family): StoredCapture {
  const settings = core.captures.settings(companyId, family);
  if (settings !== undefined) return settings;
  throw new Refusal('not_found', `The company has no ${familyNames[family]} inbound.`);
}

export function showSettings(core: Core, companyId: string, family: Exclude<Family, 'nfse'>): InboundState {
  const { given, createdOn, modifiedOn } = requireSettings(core, companyId, family);
  return {
    ...given,
    companyId,
    status: 'Active',
    createdOn: new Date(createdOn).toISOString(),
    modifiedOn: new Date(modifiedOn).toISOString(),
    ...spacing(core, companyId, family),
  };
}

/** The registration of NFS-e, active or not, under its published names; an inactive one captures nothing. */
export function showRegistration(core: Core, companyId: string): NfseInboundSettings {
  const isActive = core.captures.isActive(companyId, 'nfse');
  const { given, createdOn, modifiedOn } =
    core.captures.of(companyId, 'nfse') ?? requireSettings(core, companyId, 'nfse');
  const { name } = core.companies.find(core.account.tenantId, companyId) ?? {};
  return {
    ...given,
    id: companyId,
    ...onlySet({ name }),
    environment: 'Production',
    isActive,
    initialNsu: Number(given['initialNsu'] ?? 0),
    ...core.statistics.position(companyId, 'nfse'),
    createdAt: new Date(createdOn).toISOString(),
    updatedAt: new Date(modifiedOn).toISOString(),
    ...(isActive ? spacing(core, companyId, 'nfse') : {}),
  };
}

function spacing(
  core: Core,
  companyId: string,
  family: Family,
): Readonly<Record<'rateLimitedUntil', string>> | undefined {
  const until = spacedUntil(core, companyId, family);
  return until === undefined ? undefined : { rateLimitedUntil: new Date(until).toISOString() };
}

/** Moves the creation time of the capture back to `at`. */
export function enabledBy(core: Core, { companyId, family }: Capture, at: number): void {
  const { createdOn = at } = core.captures.of(companyId, family) ?? {};
  core.captures.change(companyId, family, { createdOn: Math.min(createdOn, at) });
}

/** Stores the settings, activates the family, hides what was issued before the cut-off and lists the rest. */
export function saveSettings(core: Core, { companyId, family }: Capture, given: StoredCapture['given']): void {
  core.captures.save({ companyId, family, given }, core.clock.now());
  const { startFromDate } = given;
  const cutOff = typeof startFromDate === 'string' ? Date.parse(startFromDate) : 0;
  const released = family === 'nfse' && core.captures.of(companyId, 'nfse')?.isReleased === true;
  core.sweeping.applyCutOff({ companyId, family, cutOff, at: core.clock.now(), released });
}

/** The older published description has both as text. */
export const nsu = wholeOrText(0, 999_999_999_999_999);
const minutes = wholeOrText(0, 1_000_000);

/** Each must be valid where it is; unknown fields are ignored. */
const settings = {
  startFromNsu: nsu,
  initialNsu: nsu,
  startFromDate: date,
  environmentSEFAZ: oneOf(['None', 'Production', 'Test']),
  webhookVersion: version,
  webhookUrl: address,
  webhookEvents: texts,
  automaticManifesting: object({
    optional: {
      minutesToOperationConfirmation: minutes,
      minutesToUnknownOperation: minutes,
      minutesToWaitAwarenessOperation: minutes,
    },
  }),
  outboundEnabled: flag,
  isAutomaticManifestationEnabled: flag,
  automaticManifestationDelaySeconds: whole(0, 604_800),
} as const satisfies Readonly<Record<string, Check>>;

/** Reads the known settings of a body; null counts as absent, and unknown fields are ignored (§1). */
export function readSettings(body: unknown, names: readonly string[], now: number): Fields {
  if (body === undefined) return {};
  const optional = Object.fromEntries(Object.entries(settings).filter(([name]) => names.includes(name)));
  const fields = readBody(body, object({ optional }), 'request');
  const given = Object.fromEntries(
    Object.entries(fields).filter(([name, value]) => names.includes(name) && value !== null),
  );
  if (typeof given['startFromDate'] === 'string') requirePastDay(given['startFromDate'], now);
  return given;
}

/** §2: after the registration, only the maintenance operation changes the cut-off. */
export function refuseStartFromDate(body: unknown): void {
  if (!isRecord(body) || (body['startFromDate'] ?? null) === null) return;
  throw invalid('startFromDate', 'Changes only by PUT .../maintenance/start-from-date.');
}

export function readStartFromDate(body: unknown, now: number): string {
  const { startFromDate } = readSettings(body, ['startFromDate'], now);
  if (typeof startFromDate !== 'string') throw invalid('startFromDate', 'Is required.');
  return startFromDate;
}

/** A past date of the calendar, on every route; that it is past is assumed. */
function requirePastDay(startFromDate: string, now: number): void {
  const day = startFromDate.slice(0, 10);
  const at = Date.parse(`${day}T00:00:00Z`);
  if (!Number.isFinite(at) || new Date(at).toISOString().slice(0, 10) !== day) {
    throw invalid('startFromDate', 'Must be an existing date.');
  }
  if (Date.parse(startFromDate) > now) throw invalid('startFromDate', 'Must not be in the future.');
}

function date(value: unknown, path: string, report: Report): void {
  const isDate = typeof value === 'string' && /^\d{4}-\d\d-\d\d(T[\d:.]+(Z|[+-]\d\d:\d\d))?$/.test(value);
  if (!isDate || !Number.isFinite(Date.parse(value))) {
    report.push({ field: path, message: 'Must be a date in ISO 8601.' });
  }
}

/** The delivery payload has one version (assumed), sent as text or as a number. */
const webhookVersion = '2';

function version(value: unknown, path: string, report: Report): void {
  const isKnown = (typeof value === 'string' || typeof value === 'number') && String(value) === webhookVersion;
  if (!isKnown) report.push({ field: path, message: `Must be ${webhookVersion}.` });
}

function address(value: unknown, path: string, report: Report): void {
  if (typeof value !== 'string' || !URL.canParse(value)) report.push({ field: path, message: 'Must be an address.' });
}

function texts(value: unknown, path: string, report: Report): void {
  const isList = Array.isArray(value) && value.every((each) => typeof each === 'string');
  if (!isList) report.push({ field: path, message: 'Must be a list of text.' });
}

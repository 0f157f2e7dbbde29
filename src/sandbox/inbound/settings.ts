import type { InboundState } from '../../contract/inbound.js';
import { type CaptureSettings, type Family, familyNames } from '../core/captures.js';
import type { Core } from '../core/core.js';
import { Refusal } from '../core/refusal.js';
import { spacedUntil } from '../maintenance/spacing.js';

export interface Capture {
  readonly companyId: string;
  readonly family: Family;
}

/** The settings of a company with an active capture; without one 404. */
export function requireSettings(core: Core, companyId: string, family: Family): CaptureSettings {
  const settings = core.captures.settings(companyId, family);
  if (settings !== undefined) return settings;
  throw new Refusal('not_found', `The company has no ${familyNames[family]} inbound.`);
}

export function showSettings(core: Core, companyId: string, family: Family): InboundState {
  return shownSettings(core, { companyId, family }, requireSettings(core, companyId, family));
}

/** Of a registration that is active or not; nothing is captured for one that is not. */
export function showRegistration(core: Core, { companyId, family }: Capture): InboundState {
  const registration = core.captures.registration(companyId, family);
  if (registration === undefined || core.captures.isActive(companyId, family)) {
    return showSettings(core, companyId, family);
  }
  const { rateLimitedUntil: _until, ...shown } = shownSettings(core, { companyId, family }, registration);
  return { ...shown, status: 'Inactive' };
}

function shownSettings(
  core: Core,
  { companyId, family }: Capture,
  { given, createdOn, modifiedOn }: CaptureSettings,
): InboundState {
  const until = spacedUntil(core, companyId, family);
  return {
    ...given,
    companyId,
    status: 'Active',
    createdOn: new Date(createdOn).toISOString(),
    modifiedOn: new Date(modifiedOn).toISOString(),
    ...(until === undefined ? {} : { rateLimitedUntil: new Date(until).toISOString() }),
  };
}

/** Stores the settings of a family that becomes active, hides what was issued before its cut-off and shows the rest. */
export function saveSettings(
  core: Core,
  { companyId, family }: Capture,
  given: CaptureSettings['given'],
): void {
  core.captures.save({ companyId, family, given, at: core.clock.now() });
  const { startFromDate } = given;
  const cutOff = typeof startFromDate === 'string' ? Date.parse(startFromDate) : 0;
  const released = family === 'nfse' && core.backfills.find(companyId)?.released === true;
  core.sweeping.applyCutOff({ companyId, family, cutOff, at: core.clock.now(), released });
}

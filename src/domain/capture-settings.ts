import { type InboundFamily, inboundSettingNames } from '../contract/inbound.js';
import type { JsonObject } from './field-changes.js';
import { fieldOf } from './record.js';

/** `unclear`: the settings do not say whether the capture is active, in a word that is documented. */
export type Activity = 'active' | 'inactive' | 'unclear';

/**
 * Whether settings say that the capture is active: `isActive`, `deactivatedAt` and `deactivationReason` (NFS-e), or `status` as a
 * word (NF-e, CT-e), which a deactivation overrules. A status as a number is published without what the numbers mean, and one
 * that is missing says nothing.
 */
export function activityOf(settings: unknown): Activity {
  const [isActive, status] = [fieldOf(settings, 'isActive'), fieldOf(settings, 'status')];
  const word = typeof status === 'string' ? status.trim().toLowerCase() : status;
  if (isActive === false || inactiveWords.has(word)) return 'inactive';
  if (isActive === true) return 'active';
  if (['deactivatedAt', 'deactivationReason'].some((name) => isGiven(fieldOf(settings, name)))) return 'inactive';
  return word === 'active' ? 'active' : 'unclear';
}

/** What unclear settings show where they would say it, e.g. `status null`, or `no status`. Data: it is not translated. */
export function shownActivity(settings: unknown): string {
  const name = ['status', 'isActive'].find((each) => fieldOf(settings, each) !== undefined);
  if (name === undefined) return 'no status';
  const value = fieldOf(settings, name);
  return `${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`.trim().slice(0, 60);
}

const inactiveWords: ReadonlySet<unknown> = new Set(['inactive', 'none', 'disabled', 'deactivated']);

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '';
}

/** Whether an answer is the settings of this family and company: it names one of them, or a state. */
export function isSettings(answer: JsonObject, family: InboundFamily, companyId: string): boolean {
  if (answer['companyId'] !== undefined && answer['companyId'] !== companyId) return false;
  if ('companyId' in answer || typeof answer['status'] === 'string') return true;
  // The published names of NFS-e.
  if (answer['id'] === companyId && typeof answer['isActive'] === 'boolean') return true;
  return Object.keys(answer).some((name) => inboundSettingNames[family].includes(name));
}

/** Where a capture begins is set once; how far it is moves by itself. */
export const firstFields: readonly string[] = ['startFromDate', 'startFromNsu', 'initialNsu'];

/** The part of an answer that an update may send back. */
export function updatable(settings: JsonObject, family: InboundFamily): JsonObject {
  return Object.fromEntries(
    Object.entries(settings).filter(
      ([name, value]) => inboundSettingNames[family].includes(name) && !firstFields.includes(name) && value !== null,
    ),
  );
}

import { type InboundFamily, inboundSettingNames } from '../contract/inbound.js';
import type { JsonObject } from './field-changes.js';
import { fieldOf } from './record.js';

/** `unclear`: the settings have an undocumented status. */
type Activity = 'active' | 'inactive' | 'unclear';

/**
 * Whether settings say that the capture is active: `isActive`, `deactivatedAt` and `deactivationReason` (NFS-e), or `status` as a
 * word (NF-e, CT-e), which a deactivation overrules. A status as a number is published without what the numbers mean.
 */
export function activityOf(settings: unknown): Activity {
  const [isActive, status] = [fieldOf(settings, 'isActive'), fieldOf(settings, 'status')];
  const word = typeof status === 'string' ? status.trim().toLowerCase() : status;
  if (isActive === false || inactiveWords.has(word)) return 'inactive';
  if (isActive === true) return 'active';
  if (['deactivatedAt', 'deactivationReason'].some((name) => isGiven(fieldOf(settings, name))))
    return 'inactive';
  return isGiven(word) && word !== 'active' ? 'unclear' : 'active';
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
      ([name, value]) =>
        inboundSettingNames[family].includes(name) && !firstFields.includes(name) && value !== null,
    ),
  );
}

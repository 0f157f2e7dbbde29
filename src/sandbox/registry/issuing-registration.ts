import { registrationsOf } from '../core/stores.js';
import type { StoredRegistration } from '../core/records.js';
import type { Core } from '../core/core.js';
import { invalid, Refusal } from '../core/refusal.js';
import type { StoredInvoice } from '../invoice/invoices.js';

type Kind = 'nfe' | 'nfce';

const types = { nfe: 'NFe', nfce: 'NFCe' } as const;

/** The registration that the path names. Throws 404 for one of another company, 400 for one of the other model. */
export function namedRegistration(
  core: Core,
  {
    companyId,
    stateTaxId,
    kind,
  }: { readonly companyId: string; readonly stateTaxId: string; readonly kind: Kind },
): StoredRegistration {
  const found = core.taxRegistrations.find(registrationsOf(companyId, 'state'), stateTaxId);
  if (found === undefined) {
    throw new Refusal('not_found', 'The company has no state registration with this id.');
  }
  if (found.content['type'] === types[kind] || found.content['type'] === 'Default') return found;
  throw invalid('stateTaxId', `Is a registration of type ${String(found.content['type'])}.`);
}

/** Without a named one: the first of the model, else the first of both models, else none (assumed). */
export function usualRegistration(core: Core, companyId: string, kind: Kind): StoredRegistration | undefined {
  const all = core.taxRegistrations.of(registrationsOf(companyId, 'state'));
  const ofType = (type: string) => all.find(({ content }) => content['type'] === type);
  return ofType(types[kind]) ?? ofType('Default');
}

export function registrationOf(
  core: Core,
  { companyId, stateTaxId }: Pick<StoredInvoice, 'companyId' | 'stateTaxId'>,
): StoredRegistration | undefined {
  return stateTaxId === null
    ? undefined
    : core.taxRegistrations.find(registrationsOf(companyId, 'state'), stateTaxId);
}

/** The next number moves on with each invoice of the registration's own serie. */
export function takeNumber(
  core: Core,
  registration: StoredRegistration,
  { serie, number, at }: { readonly serie: number; readonly number: number; readonly at: number },
): void {
  const { content } = registration;
  const next = typeof content['number'] === 'number' ? content['number'] : 0;
  if (serieOf(registration) !== serie || number < next) return;
  core.taxRegistrations.put({
    ...registration,
    content: { ...content, number: number + 1 },
    modifiedOn: at,
  });
}

export function serieOf({ content }: StoredRegistration): number {
  return typeof content['serie'] === 'number' ? content['serie'] : 1;
}

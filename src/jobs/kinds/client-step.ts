import { FiscalError } from '../../errors/fiscal-error.js';
import type { ItemRow } from '../../store/store.js';
import { type ItemPlace, type KindFacts, type RunnableKind, runnable } from '../kind.js';
import { changeKind } from './client-change.js';
import type { ClientStep, Secrets } from './client-input.js';
import {
  captureResource,
  certificateResource,
  companyResource,
  passwordNeeded,
  registrationResource,
  stateTaxOf,
  webhookResource,
} from './client-resources.js';
import { companyCreate } from './company.js';
import { municipalTaxCreate, stateTaxCreate } from './tax-registration.js';

/** The facts by which such a job is written. */
export const clientStep: KindFacts<ClientStep> = {
  ...{ name: 'client-step', submit: 'company.create', onceOnly: false },
  billed: () => false,
};

/**
 * The kind of a job that brings clients to a file. Its items are of several kinds; each waits for those of its client that come
 * before it. `secrets`: absent where nobody gives passwords.
 */
export function clientSteps(secrets?: Secrets): RunnableKind {
  const { name } = clientStep;
  const notOne = (): never => {
    throw new Error('an item of this job has a kind of its own');
  };
  return {
    ...{ name, replay: 'unsafe', onceOnly: false, rejectedStays: false, polls: false, canLookUp: true },
    ...{ send: notOne, read: notOne, lookUp: notOne },
    async ofItem(item, place) {
      const step = stepOf(item);
      const earlier = await earlierItems(step, place);
      const companyId = step.companyId ?? earlier[0]?.resourceId ?? '';
      const once = secrets && readOnce(secrets);
      const { kind, input } = kindOfStep(step, { companyId, secrets: once });
      const admit: RunnableKind['admit'] = async () =>
        refusalOf(earlier) ?? (await secretRefusal(step, once));
      return { kind: { ...kind, name, admit }, item: { ...item, input } };
    },
  };
}

/** Rows of this kind always hold this input. */
function stepOf(item: ItemRow): ClientStep {
  return item.input as ClientStep;
}

async function earlierItems(
  { after = [] }: ClientStep,
  { store, jobId }: ItemPlace,
): Promise<readonly ItemRow[]> {
  const pages = after.map((ordinal) => store.items.list(jobId, { afterOrdinal: ordinal - 1, limit: 1 }));
  return (await Promise.all(pages)).flat();
}

/** Why the item is not sent. Throws where an earlier step is still at work: the item is due again a moment later. */
function refusalOf(earlier: readonly ItemRow[]): FiscalError | undefined {
  for (const { state, label } of earlier) {
    if (state === 'succeeded' || state === 'skipped') continue;
    if (state === 'prepared' || state === 'sending' || state === 'pending')
      throw new FiscalError('client.step_waits', { step: label }, { sent: 'no', retryable: true });
    return new FiscalError('client.step_blocked', { step: label }, { sent: 'no', retryable: false });
  }
  return undefined;
}

/** One sending reads a file once: its check, the request and a repeat have the same bytes. */
function readOnce(secrets: Secrets): Secrets {
  let pfx: ReturnType<Secrets['pfx']> | undefined;
  let secret: ReturnType<Secrets['webhookSecret']> | undefined;
  return {
    pfx: async (file, thumbprint) => await (pfx ??= secrets.pfx(file, thumbprint)),
    webhookSecret: async (file) => await (secret ??= secrets.webhookSecret(file)),
  };
}

/** A file that can no longer be read, or has changed since the plan, fails its own step and no other. */
async function secretRefusal(
  { step, file, thumbprint = '' }: ClientStep,
  secrets: Secrets | undefined,
): Promise<FiscalError | undefined> {
  if (step !== 'certificate' && !step.startsWith('webhook')) return undefined;
  if (secrets === undefined) return passwordNeeded(file ?? '');
  if (file === undefined) return undefined;
  try {
    await (step === 'certificate' ? secrets.pfx(file, thumbprint) : secrets.webhookSecret(file));
    return undefined;
  } catch (error) {
    if (error instanceof FiscalError) return error;
    throw error;
  }
}

interface OwnKind {
  readonly kind: Omit<RunnableKind, 'name'>;
  readonly input: unknown;
}

function kindOfStep(
  step: ClientStep,
  place: { readonly companyId: string; readonly secrets: Secrets | undefined },
): OwnKind {
  const { companyId } = place;
  const { wanted } = step;
  const whole = { ...place, step };
  switch (step.step) {
    case 'company': {
      const { federalTaxNumber: number } = wanted;
      const federalTaxNumber = typeof number === 'number' ? number : String(number);
      const company = { ...wanted, name: String(wanted['name']), federalTaxNumber };
      return { kind: runnable(companyCreate), input: { company } };
    }
    case 'state-tax':
      return { kind: runnable(stateTaxCreate), input: { companyId, stateTax: stateTaxOf(wanted) } };
    case 'municipal-tax':
      return { kind: runnable(municipalTaxCreate), input: { companyId, municipalTax: wanted } };
    case 'company-update':
      return { kind: changeKind(companyResource(whole)), input: step };
    case 'state-tax-update':
    case 'municipal-tax-update':
      return { kind: changeKind(registrationResource(whole)), input: step };
    case 'certificate':
      return { kind: changeKind(certificateResource(whole)), input: step };
    case 'capture':
      return { kind: changeKind(captureResource(whole)), input: step };
    case 'webhook':
    case 'webhook-update':
      return { kind: changeKind(webhookResource(whole)), input: step };
  }
}

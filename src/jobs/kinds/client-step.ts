import type { Client } from '../../client/client.js';
import type { InboundFamily } from '../../contract/inbound.js';
import { isRefused } from '../../domain/call-end.js';
import type { JsonObject } from '../../domain/field-changes.js';
import { SETTLE_MS } from '../../domain/settle-time.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { reasonOfError } from '../../errors/reasons.js';
import type { ItemRow } from '../../store/store.js';
import { type ItemPlace, type KindFacts, type Observation, type RunnableKind, runnable } from '../kind.js';
import { captureResource } from '../resources/capture.js';
import { certificateResource } from '../resources/certificate.js';
import { companyCreate, companyInput, companyResource } from '../resources/company.js';
import {
  municipalTaxCreate,
  registrationForms,
  registrationResource,
  stateTaxCreate,
  stateTaxInput,
} from '../resources/registration.js';
import { MOST_NAMED, movedSince, planOf, planSince, type Resource, writeOnce } from '../resources/resource.js';
import { webhookResource } from '../resources/webhook.js';

/** In the order in which the steps of a client are sent. */
export const stepNames = [
  ...['company', 'company-update', 'state-tax', 'state-tax-update', 'municipal-tax'],
  ...['municipal-tax-update', 'certificate', 'capture', 'webhook', 'webhook-update'],
] as const;

type StepName =
  | 'company'
  | 'company-update'
  | 'state-tax'
  | 'state-tax-update'
  | 'municipal-tax'
  | 'municipal-tax-update'
  | 'certificate'
  | 'capture'
  | 'webhook'
  | 'webhook-update';

/** The input of one item. It holds no secret: files and their passwords are read when they are sent. */
export interface ClientStep {
  readonly step: StepName;
  /** Absent: the company is created by the first item in `after`, or the step is of the account. */
  readonly companyId?: string;
  /** The ordinals of the items of the same client that must have succeeded. */
  readonly after?: readonly number[];
  /** The fields that the file gives: for a create the whole. */
  readonly wanted: JsonObject;
  /** The fields of what stood when the plan was made, without secrets; absent: there was nothing. */
  readonly seen?: JsonObject;
  /** Of the registration that is changed. */
  readonly resourceId?: string;
  readonly family?: InboundFamily;
  /** Of a certificate: the PFX. Of a webhook: the file with its secret. */
  readonly file?: string;
  /** The SHA-1 by which the service names a certificate. */
  readonly thumbprint?: string;
}

/** Gives what no row may hold. Errors: `certificate.unusable`, `input.*`. */
export interface Secrets {
  /** The bytes of a PFX file that still holds the certificate of this thumbprint, and its password. */
  pfx(file: string, thumbprint: string): Promise<{ readonly file: Uint8Array; readonly password: string }>;
  /** The secret that signs the deliveries of a webhook. */
  webhookSecret(file: string): Promise<string>;
}

/** The facts by which such a job is written. */
export const clientStep: KindFacts<ClientStep> = {
  ...{ name: 'client-step', submit: companyCreate.submit, onceOnly: false },
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
      const admit: RunnableKind['admit'] = async () => refusalOf(earlier) ?? (await secretRefusal(step, once));
      return { kind: { ...kind, name, admit }, item: { ...item, input } };
    },
  };
}

/** Rows of this kind always hold this input. */
function stepOf(item: ItemRow): ClientStep {
  return item.input as ClientStep;
}

async function earlierItems({ after = [] }: ClientStep, { store, jobId }: ItemPlace): Promise<readonly ItemRow[]> {
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
  { companyId, secrets }: { readonly companyId: string; readonly secrets: Secrets | undefined },
): OwnKind {
  const { wanted, resourceId: id = '', file = '', family = 'nfe', thumbprint = '' } = step;
  const change = (resource: Resource, written = wanted): OwnKind => ({
    kind: changeKind(resource, { written, seen: step.seen }),
    input: step,
  });
  switch (step.step) {
    case 'company':
      return { kind: runnable(companyCreate), input: { company: companyInput(wanted) } };
    case 'state-tax':
      return { kind: runnable(stateTaxCreate), input: { companyId, stateTax: stateTaxInput(wanted) } };
    case 'municipal-tax':
      return { kind: runnable(municipalTaxCreate), input: { companyId, municipalTax: wanted } };
    case 'company-update':
      // The file names no other CNPJ, so how a body carries one does not matter.
      return change(companyResource(companyId, 'integer'));
    case 'state-tax-update':
      return change(registrationResource(registrationForms.state, { companyId, id }));
    case 'municipal-tax-update':
      return change(registrationResource(registrationForms.municipal, { companyId, id }));
    case 'certificate': {
      const pfx = async () => await (secrets ?? noSecrets).pfx(file, thumbprint);
      return change(certificateResource({ companyId, thumbprint }, pfx), { thumbprint });
    }
    case 'capture':
      return change(captureResource({ family, companyId }));
    case 'webhook':
    case 'webhook-update': {
      const secret = async () => await (secrets ?? noSecrets).webhookSecret(file);
      return change(webhookResource({ uri: String(wanted['uri']) }, secret));
    }
  }
}

const noSecrets: Secrets = {
  pfx: (file) => Promise.reject(passwordNeeded(file)),
  webhookSecret: (file) => Promise.reject(passwordNeeded(file)),
};

function passwordNeeded(path: string): FiscalError {
  return new FiscalError('client.secret_needed', { path }, { sent: 'no', retryable: false });
}

const SETTLES_MS = { natural: 60_000, unsafe: SETTLE_MS } as const;

/** How the job engine works on a resource: read before each write, written once over what was read, and compared. */
function changeKind(
  resource: Resource,
  { written, seen }: { readonly written: JsonObject; readonly seen: JsonObject | undefined },
): Omit<RunnableKind, 'name'> {
  // What was read in the same step, and is the base of the write.
  let standing: JsonObject | undefined;
  const read = async (client: Client, signal: AbortSignal): Promise<Observation | 'absent'> => {
    standing = await resource.read(client, { signal });
    if (standing === undefined || resource.isActive?.(standing) === false) return 'absent';
    return planOf(resource, standing, written).changes.length === 0 ? done(standing) : 'absent';
  };
  const done = (shown: JsonObject): Observation => {
    const resourceId = resource.idOf(shown);
    return { state: 'succeeded', ...(resourceId === undefined ? {} : { resourceId }) };
  };
  const { replay } = resource;
  return {
    ...{ replay, onceOnly: false, rejectedStays: false, polls: false, canLookUp: true },
    settleMs: SETTLES_MS[replay],
    async findBefore({ client, signal }, { label }) {
      try {
        const found = await read(client, signal);
        if (found !== 'absent') return found;
      } catch (error) {
        // What cannot be read is not replaced.
        if (error instanceof FiscalError && isFinal(error)) return failed(error);
        throw error;
      }
      const fields = movedSince(resource, planSince(resource, seen, written), standing);
      const isOther = (seen === undefined) !== (standing === undefined);
      const isSame = planOf(resource, standing, written).changes.length === 0;
      if (fields.length === 0 && (!isOther || isSame)) return 'absent';
      const name = fields.slice(0, MOST_NAMED).join(', ') || label;
      return failed(new FiscalError('resource.changed', { name }));
    },
    lookUp: async (client, _item, { signal }) => await read(client, signal),
    async send(client, _item, options) {
      const plan = planOf(resource, standing, written);
      const { answer, after, unread, otherwise, unseen } = await writeOnce(client, resource, plan, options);
      if (unread !== undefined) throw unread;
      const { status = 0, requestId } = answer ?? {};
      const trace = { status, ...(requestId === undefined ? {} : { requestId }) };
      const isThere = after !== undefined && resource.isActive?.(after) !== false;
      if (isThere && otherwise.length + unseen.length === 0) return { ...done(after), ...trace };
      const idle = after === undefined || isThere ? [] : ['status'];
      const fields = [...otherwise.map(({ field }) => field), ...unseen, ...idle];
      return { state: 'uncertain', reason: { is: 'shown-otherwise', about: fields }, ...trace };
    },
    read: () => {
      throw new Error('a client step has no state of its own');
    },
  };
}

function isFinal({ facts: { sent = 'unknown', httpStatus: status } }: FiscalError): boolean {
  return status !== 401 && isRefused({ sent, status });
}

function failed(error: FiscalError): Observation {
  return { state: 'failed', errorCode: error.code, reason: reasonOfError(error) };
}

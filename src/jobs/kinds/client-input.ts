import type { InboundFamily } from '../../contract/inbound.js';
import type { Change, JsonObject } from '../../domain/field-changes.js';

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
  /** The fields that differed when the plan was made. */
  readonly changes?: readonly Change[];
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

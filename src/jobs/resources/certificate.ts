import type { CallOptions, Client } from '../../client/client.js';
import { rowsOf } from '../../client/read-answer.js';
import { fiscalLine } from '../../domain/command-words.js';
import type { JsonObject } from '../../domain/field-changes.js';
import { isRecord } from '../../domain/record.js';
import { textField } from '../kinds/answer-fields.js';
import { recordIn } from './enveloped.js';
import type { Resource } from './resource.js';

export const certificateUpload = 'certificate.upload';

/** What is uploaded. It is never part of a plan, and so of no row, message or file. */
interface Pfx {
  readonly file: Uint8Array;
  readonly password: string;
}

/**
 * A certificate of a company, which the service names by its SHA-1: it is there, in use or not, or it is not, and no field of it is
 * changed. The same file again is the same certificate. `thumbprint`: absent where the file was not opened here.
 */
export function certificateResource(
  { companyId, thumbprint }: { readonly companyId: string; readonly thumbprint?: string | undefined },
  pfx: () => Promise<Pfx>,
): Resource {
  const path = { companyId };
  return {
    name: { en: `the certificate ${thumbprint ?? ''}`.trim(), pt: `o certificado ${thumbprint ?? ''}`.trim() },
    see: fiscalLine({ command: 'certificate list', company: companyId }),
    replay: 'natural',
    async read(client, options) {
      const rows = await listCertificates(client, companyId, options);
      return rows.find((row) => thumbprint !== undefined && thumbprintIn(row) === thumbprint);
    },
    sendable: comparable,
    comparable,
    request: async () => ({ operation: certificateUpload, input: { path, body: await pfx() } }),
    // Where nobody knows which one it is, nothing can be compared.
    answered: (body) => recordIn(body, 'certificate') ?? (thumbprint === undefined ? {} : undefined),
    // One that is accepted and waits is there.
    isActive: (standing) => [undefined, 'pending'].includes(outOfUse(standing)),
    idOf: thumbprintIn,
  };
}

/**
 * Why a certificate that the service lists is not in use; `undefined`: it is. A word of `status` that is not known does not matter: the
 * day decides, where `now` is given.
 */
export function outOfUse(row: unknown, now?: number): 'inactive' | 'pending' | 'overdue' | undefined {
  const status = textField(row, 'status')?.toLowerCase();
  if (status === 'inactive' || status === 'pending' || status === 'overdue') return status;
  return now !== undefined && Date.parse(textField(row, 'validUntil') ?? '') <= now ? 'overdue' : undefined;
}

function comparable(certificate: JsonObject): JsonObject {
  const thumbprint = thumbprintIn(certificate);
  return thumbprint === undefined ? {} : { thumbprint };
}

/** The certificates of a company, as the service lists them. Errors: those of a call. */
export async function listCertificates(
  client: Client,
  companyId: string,
  options: CallOptions,
): Promise<readonly JsonObject[]> {
  const { body } = await client.call('certificate.list', { path: { companyId } }, options);
  return rowsOf('certificate.list', body).filter(isRecord);
}

/** Forty hexadecimal digits in capitals, without colons; one of another length cannot be compared. */
export function thumbprintIn(row: unknown): string | undefined {
  const digits = textField(row, 'thumbprint')?.replaceAll(':', '').toUpperCase();
  return digits?.length === 40 ? digits : undefined;
}

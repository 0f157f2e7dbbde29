import { createHash } from 'node:crypto';
import type { Core } from '../core/core.js';
import type { Party, Signable } from '../xml/layout.js';
import { signatureElement, signElement } from '../xml/sign.js';
import type { StoredInvoice } from './invoices.js';

/** An invoice that has its key. */
export interface IssuedInvoice {
  readonly invoice: StoredInvoice & { readonly accessKey: string; readonly issuedAt: number };
  readonly issuer: Party;
}

/** The signed XML, the same bytes every time; the costly signature is made when it is first asked for, and kept. */
export function issuedXml(
  core: Core,
  issued: IssuedInvoice,
  layout: (issued: IssuedInvoice) => Signable,
): string {
  const signable = layout(issued);
  const canonical = signable.signed(true);
  const certificate = core.certificate();
  const { id, signature } = issued.invoice;
  const digest = createHash('sha1').update(canonical, 'utf8').digest('base64');
  const kept = signature?.startsWith(`${digest} `) === true ? signature.slice(digest.length + 1) : undefined;
  const values =
    kept === undefined ? signElement(canonical, signable.id, certificate) : { digest, value: kept };
  if (kept === undefined) core.invoices.change(id, { signature: `${digest} ${values.value}` });
  return signable.wrap(signatureElement(signable.id, values, certificate.certificate), values.digest);
}

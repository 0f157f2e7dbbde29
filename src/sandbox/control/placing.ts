import type { KnownCompany } from '../core/records.js';
import type { Text } from '../../contract/text.js';
import type { Core } from '../core/core.js';
import type { GivenName } from '../document/given-xml.js';
import type { GivenDocument } from '../xml/given-document.js';

/** A document of a user, and the company whose it shall be. */
export interface Placing<Found extends GivenDocument = GivenDocument> {
  readonly found: Found;
  readonly bytes: Uint8Array;
  readonly company: KnownCompany;
}

/** What became of a file at a company. */
export type Placed =
  | { readonly outcome: 'added'; readonly side: 'received' | 'issued'; readonly isHidden?: true }
  | { readonly outcome: 'known' }
  | { readonly outcome: 'refused'; readonly reason: Text };

export const known: Placed = { outcome: 'known' };

/** What to say of a file whose document is here already. `undefined`: it is not. */
export function alreadyHere(
  core: Core,
  name: GivenName,
  { bytes, isHere }: { readonly bytes: Uint8Array; readonly isHere: boolean },
): Placed | undefined {
  const isSame = core.givenXml.isSame(name, bytes);
  if (isSame === true) return known;
  return isSame === undefined && !isHere ? undefined : { outcome: 'refused', reason: another };
}

const another: Text = {
  en: 'the sandbox has another XML of the same document',
  pt: 'o sandbox já tem outro XML do mesmo documento',
};

/** The events that end a note: cancellations, and substitutions of NF-e and NFS-e. */
export const cancelling: ReadonlySet<string> = new Set([
  '110111',
  '110112',
  '101101',
  '105102',
  '105104',
  '105105',
  '305101',
]);

import { families } from '../core/records.js';
import { uuidOf } from '../core/chance.js';
import type { Core } from '../core/core.js';
import type { StoredEvent } from '../document/document-events.js';
import type { Direction, StoredDocument } from '../document/documents.js';
import type { GivenName } from '../document/given-xml.js';
import { nextNsu } from '../document/invent-document.js';
import { captureDocument } from '../inbound/capture.js';
import { enabledBy } from '../inbound/settings.js';
import type { GivenEvent, GivenNote, GivenSummary } from '../xml/given-document.js';
import { localTime } from '../xml/layout.js';
import { alreadyHere, cancelling, known, type Placed, type Placing } from './placing.js';

/** A note that the company captures: it received it, or issued a CT-e. */
export function placeNote(
  core: Core,
  { found, bytes, company }: Placing<GivenNote>,
  direction: Direction,
): Placed {
  const { id: companyId, federalTaxNumber } = company;
  const id = uuidOf(`${companyId}:${found.accessKey ?? identityOf(found)}`);
  const accessKey = found.accessKey ?? id;
  const before = core.documents.get(accessKey, companyId);
  const isHere = before !== undefined && before.stage === 'full';
  const name: GivenName = { companyId, part: 'full', of: accessKey };
  const standing = alreadyHere(core, name, { bytes, isHere });
  if (standing !== undefined) return standing;
  const { issuer, recipient, intermediary } = found;
  // The taker of a CT-e that the layout does not name, and a recipient without a number, stay unknown.
  const isOwn = recipient.taxNumber === federalTaxNumber;
  return captured(
    core,
    {
      ...whole(core, companyId),
      ...{ family: found.family, id, accessKey, direction },
      issuerTaxNumber: issuer.taxNumber,
      issuerName: issuer.name,
      recipientTaxNumber: recipient.taxNumber,
      recipientName: isOwn && recipient.name === '' ? company.name : recipient.name,
      intermediaryTaxNumber: intermediary?.taxNumber ?? null,
      intermediaryName: intermediary?.name ?? null,
      number: found.accessKey === null ? found.number : null,
      totalAmount: found.amount,
      ...{ issuedOn: found.issuedOn, authorizedOn: found.authorizedOn, stage: 'full' },
      cancelled: isCancelled(core, companyId, accessKey),
      nsu: nextNsu(core, companyId, found.family),
    },
    { name, bytes },
  );
}

/** What a municipality makes unique: who issued it, and its number with its code. */
function identityOf({ issuer, number, serie }: GivenNote): string {
  return `${issuer.taxNumber}:${number}:${serie}`;
}

export function placeSummary(core: Core, { found, bytes, company }: Placing<GivenSummary>): Placed {
  const { accessKey, issuer } = found;
  const { id: companyId } = company;
  const before = core.documents.get(accessKey, companyId);
  if (before?.stage === 'full') return known;
  const name: GivenName = { companyId, part: 'summary', of: accessKey };
  const standing = alreadyHere(core, name, { bytes, isHere: before !== undefined });
  if (standing !== undefined) return standing;
  return captured(
    core,
    {
      ...whole(core, companyId),
      ...{ family: 'nfe', id: uuidOf(`${companyId}:${accessKey}`), accessKey, direction: 'incoming' },
      ...{ issuerTaxNumber: issuer.taxNumber, issuerName: issuer.name },
      ...{
        recipientTaxNumber: null,
        recipientName: null,
        intermediaryTaxNumber: null,
        intermediaryName: null,
      },
      ...{ number: null, totalAmount: found.amount, stage: 'summary' },
      ...{ issuedOn: found.issuedOn, authorizedOn: found.authorizedOn },
      cancelled: isCancelled(core, companyId, accessKey),
      nsu: nextNsu(core, companyId, 'nfe'),
    },
    { name, bytes },
  );
}

/** What does not depend on the XML: it is captured now. */
function whole(core: Core, companyId: string) {
  const now = core.clock.now();
  return {
    companyId,
    status: 'Processed',
    webhookStatus: 'Skipped',
    visibility: 'listed',
    createdOn: now,
    modifiedOn: now,
    hostile: null,
  } as const;
}

function captured(
  core: Core,
  document: StoredDocument,
  { name, bytes }: { readonly name: GivenName; readonly bytes: Uint8Array },
): Placed {
  const { companyId, family, issuedOn } = document;
  beginCapture(core, companyId);
  // As if the capture had run since before that month: a month that began earlier cannot be proven.
  enabledBy(core, { companyId, family }, startOfMonth(issuedOn) - weekMs);
  core.givenXml.put(name, bytes);
  const { visibility } = captureDocument(core, document);
  return { outcome: 'added', side: 'received', ...(visibility === 'hidden' ? { isHidden: true } : {}) };
}

/** A company without any capture gets all three, and the certificate that they need. */
function beginCapture(core: Core, companyId: string): void {
  if (families.some((family) => core.captures.of(companyId, family) !== undefined)) return;
  core.captures.begin(companyId, core.clock.now());
  const certificate = core.certificates.of(companyId);
  if (certificate?.standing === 'removed') core.certificates.put({ ...certificate, standing: 'installed' });
}

const weekMs = 7 * 86_400_000;

function startOfMonth(at: number): number {
  return Date.parse(`${localTime(at).slice(0, 7)}-01T00:00:00-03:00`);
}

function isCancelled(core: Core, companyId: string, accessKey: string): boolean {
  return core.documentEvents.ofDocument(companyId, accessKey).some(({ type }) => cancelling.has(type));
}

export function placeEvent(core: Core, { found, bytes, company }: Placing<GivenEvent>): Placed {
  const { id: companyId } = company;
  const standing = standingEvent(core, { companyId, found, bytes });
  if (standing !== undefined) return standing;
  beginCapture(core, companyId);
  core.givenXml.put({ companyId, part: found.form, of: found.eventKey }, bytes);
  core.documentEvents.add(eventOf(core, companyId, found));
  const note = core.documents.get(found.accessKey, companyId);
  if (note !== undefined && cancelling.has(found.type)) core.documents.put({ ...note, cancelled: true });
  return { outcome: 'added', side: 'received' };
}

/** The event itself takes the place of its summary. */
export function standingEvent(
  core: Core,
  {
    companyId,
    found: { form, eventKey },
    bytes,
  }: { readonly companyId: string; readonly found: GivenEvent; readonly bytes: Uint8Array },
): Placed | undefined {
  const named = (part: GivenName['part']): GivenName => ({ companyId, part, of: eventKey });
  const hasFull = core.givenXml.isSame(named('full'), bytes) !== undefined;
  const hasSummary = core.givenXml.isSame(named('summary'), bytes) !== undefined;
  if (form === 'summary' && hasFull) return known;
  const isInvented = !hasFull && !hasSummary && core.documentEvents.get(companyId, eventKey) !== undefined;
  return alreadyHere(core, named(form), { bytes, isHere: isInvented });
}

function eventOf(core: Core, companyId: string, found: GivenEvent): StoredEvent {
  const { family, accessKey, eventKey, type, description, sequence, protocol, author, issuedOn } = found;
  const { reason, substituteAccessKey } = found;
  return {
    ...{ family, accessKey, companyId, eventKey, type, description, sequence, protocol, author },
    detail: {
      ...(reason === null ? {} : { justification: reason }),
      ...(substituteAccessKey === null ? {} : { substituteAccessKey }),
    },
    nsu: core.documentEvents.nextNsu(companyId, family),
    issuedOn,
    createdOn: core.clock.now(),
  };
}

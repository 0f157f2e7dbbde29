import type { LookupNfeEvent } from '../../contract/lookup-nfe.js';
import type { Core } from '../core/core.js';
import type { StoredEvent } from '../document/document-events.js';
import type { StoredDocument } from '../document/documents.js';
import { inventEvent } from '../document/invent-event.js';
import { eventKeyOf, eventName } from '../document/captured-event.js';
import type { StoredNfeEvent } from '../manifestation/nfe-events.js';
import { issuedNote, issuedNoteEvents } from './issued-note.js';

/** Code of the national environment, which registers what recipients send. */
const national = 91;

/** What the authority knows of a note: the issuer's events, then those of the recipient that it accepted. */
export function authorityEvents(core: Core, document: StoredDocument): readonly LookupNfeEvent[] {
  const issued = issuedNote(core, document.accessKey);
  const ofRecipient = core.nfeEvents.accepted(document.accessKey).map((event) => recipientEvent(core, event));
  if (issued !== undefined) return [...issuedNoteEvents(core, document.accessKey, issued), ...ofRecipient];
  const known = core.documentEvents.withKey(document.accessKey).filter(({ author }) => author === null);
  const invented =
    document.cancelled && known.length === 0 ? inventEvent(document, 'cancellation') : undefined;
  const ofIssuer = invented === undefined ? known : [invented];
  return [...ofIssuer.map((event) => issuerEvent(event, document.issuerTaxNumber)), ...ofRecipient];
}

function issuerEvent(event: StoredEvent, author: string): LookupNfeEvent {
  return {
    stateCode: Number(event.accessKey.slice(0, 2)),
    type: Number(event.type),
    sequence: event.sequence,
    authorFederalTaxNumber: author,
    id: event.eventKey,
    protocol: event.protocol,
    authorizedOn: new Date(event.issuedOn).toISOString(),
    description: event.description,
  };
}

function recipientEvent(core: Core, event: StoredNfeEvent): LookupNfeEvent {
  const { accessKey, eventCode, sequence, protocol } = event;
  const author = core.companies.find(event.tenantId, event.companyId)?.federalTaxNumber;
  return {
    stateCode: national,
    type: eventCode,
    sequence,
    ...(author === undefined ? {} : { authorFederalTaxNumber: author }),
    id: eventKeyOf({ family: 'nfe', accessKey, eventCode, sequence }),
    ...(protocol === null ? {} : { protocol }),
    authorizedOn: new Date(event.modifiedAt).toISOString(),
    description: eventName(eventCode),
  };
}

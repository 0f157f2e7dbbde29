import type { Context } from '../../services/context.js';
import { readBytes, type BytesOutcome } from '../../services/read-bytes.js';
import { companyOf } from '../../services/read-company.js';
import { nameDocument, notOffered } from './read-family.js';
import type { XmlRequest } from './xml.js';

export interface EventXmlRequest extends XmlRequest {
  readonly eventKey: string;
}

/** The XML of one event of an NF-e or CT-e, byte for byte. */
export async function readEventXml(context: Context, request: EventXmlRequest): Promise<BytesOutcome> {
  const companyId = await companyOf(context);
  const { eventKey, out } = request;
  const { family, key } = nameDocument(request.key, request.type);
  if (family === 'nfse') throw noNfseEvents();
  return await readBytes(context, {
    operation: `${family}.inbound.event.xml`,
    input: { path: { companyId, accessKey: key, eventKey } },
    what: { en: `XML of the event ${eventKey}`, pt: `XML do evento ${eventKey}` },
    ...{ key, out },
    // The national environment also gives summaries of events, whose layout is not read here.
    expected: { family, part: 'event', accessKey: key, eventKey, anyLayout: true },
  });
}

/** The service names no list of events of an NFS-e; the taker's own are manifestations. */
export function noNfseEvents() {
  return notOffered(
    { en: 'the service has no events of NFS-e', pt: 'o serviço não tem eventos de NFS-e' },
    {
      en: 'the events that you sent are manifestations: fiscal manifestation --help',
      pt: 'os eventos que você enviou são manifestações: fiscal manifestation --help',
    },
  );
}

import { asKey } from '../../domain/access-key.js';
import { wrongSubject } from '../../client/answer-subject.js';
import type { Client } from '../../client/client.js';
import { keyIn, MAX_PAGES, untilWhole } from '../../client/list-reading.js';
import type { InboundEvent, InboundFamily } from '../../contract/inbound.js';
import { odataText } from '../../domain/odata.js';
import { exactJson } from '../../domain/json-numbers.js';
import { isRecord } from '../../domain/record.js';
import { terminalLine } from '../../domain/terminal-text.js';
import { formatUtc } from '../../domain/dates.js';
import type { Context } from '../../services/context.js';
import { limited } from './list-documents.js';
import { type OdataList, orderedPages, pageReader, type PageReader } from './list-pages.js';

/** The service lists the events of NF-e and CT-e alone. */
type EventFamily = Exclude<InboundFamily, 'nfse'>;

interface EventQuery {
  readonly family: EventFamily;
  readonly companyId: string;
  readonly accessKey: string;
}

/** A document has few events; a longer list is an error. */
const MAX_PAGES_OF_KEY = 100;
const PAGE = 500;

/** The events of one NF-e or CT-e, unchanged. Errors: those of `listDocuments`. */
export async function* listEvents(
  context: Pick<Context, 'client' | 'interruption'>,
  query: EventQuery,
): AsyncGenerator<InboundEvent> {
  const { family, accessKey } = query;
  const reader = await eventReader(await context.client(), query, context.interruption);
  let number = 0;
  for await (const rows of eventsOfKey(reader, accessKey)) {
    for (const row of rows) {
      number += 1;
      if (!isEvent(row))
        throw reader.unreadable({
          en: `row ${number} is not an event with a key`,
          pt: `a linha ${number} não é um evento com chave`,
        });
      if (typeof row.accessKey === 'string' && asKey(row.accessKey) !== accessKey)
        throw wrongSubject(
          { field: 'accessKey', asked: accessKey, answered: terminalLine(row.accessKey.slice(0, 60)) },
          { operation: `${family}.inbound.events` },
        );
      yield row;
    }
  }
}

export async function eventReader(
  client: Client,
  { family, companyId }: Omit<EventQuery, 'accessKey'>,
  signal: AbortSignal,
): Promise<PageReader> {
  const source = { operation: `${family}.inbound.events`, companyId, identify: identityOf, read: withKey } as const;
  return await pageReader(client, source, signal);
}

/** Some deployments call the key of an event `id` (public). */
function withKey(row: unknown): unknown {
  if (!isRecord(row) || row['eventKey'] !== undefined || typeof row['id'] !== 'string') return row;
  return { ...row, eventKey: row['id'] };
}

/** The pages of the events of one document, in the order of the service. Error: `service.list_cut`. */
export function eventsOfKey(reader: PageReader, accessKey: string): AsyncGenerator<readonly unknown[]> {
  const filter = `accessKey eq ${odataText(accessKey)}`;
  return whole(reader, { filter, endsRepeated: true }, MAX_PAGES_OF_KEY);
}

/** The pages of the events of all documents that were captured since then, in the order of their capture. Error: `service.list_cut`. */
export function eventsSince(reader: PageReader, since: number | undefined): AsyncGenerator<readonly unknown[]> {
  const filter = since === undefined ? undefined : `createdOn ge ${formatUtc(since)}`;
  const order = { time: 'createdOn', key: 'eventKey' };
  return whole(reader, { pageSize: PAGE, filter, order, shows: () => true }, MAX_PAGES);
}

function whole(reader: PageReader, list: OdataList, most: number): AsyncGenerator<readonly unknown[]> {
  const pages = (): AsyncGenerator<readonly unknown[]> => limited(reader, orderedPages(reader, list), { most });
  return untilWhole(pages, reader);
}

/** An event by its own key and that of its document. */
function identityOf(row: unknown): string {
  const event = keyIn(row, 'eventKey');
  return event === undefined ? exactJson(row ?? null) : `${keyIn(row, 'accessKey') ?? ''} ${event}`;
}

/** Without a key its XML cannot be requested. A row may omit the key of the document, which the request names. */
function isEvent(row: unknown): row is InboundEvent {
  if (typeof row !== 'object' || row === null || !('eventKey' in row)) return false;
  const document = 'accessKey' in row ? row.accessKey : undefined;
  return isKey(row.eventKey) && (document === undefined || isKey(document));
}

function isKey(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

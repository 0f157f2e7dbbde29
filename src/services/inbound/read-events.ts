import type { InboundEvent, InboundFamily } from '../../contract/inbound.js';
import type { Text } from '../../contract/text.js';
import { odataText } from '../../domain/odata.js';
import { terminalLine } from '../../domain/terminal-text.js';
import type { Context } from '../context.js';
import { wrongSubject } from '../../client/answer-subject.js';
import { pageReader } from './read-page.js';
import { noEnd } from './read-pages.js';
import type { QueryValues } from './read-query.js';

export interface EventQuery {
  readonly family: Exclude<InboundFamily, 'nfse'>;
  readonly companyId: string;
  readonly accessKey: string;
}

/** A document has few events; a list that goes on beyond this is none. */
const MAX_PAGES = 100;

/** The events of one NF-e or CT-e, as they came, by the links of the service. Errors: as those of `listDocuments`. */
export async function* listEvents(
  context: Pick<Context, 'client' | 'interruption'>,
  { family, companyId, accessKey }: EventQuery,
): AsyncGenerator<InboundEvent> {
  const source = { operation: `${family}.inbound.events`, companyId } as const;
  const reader = await pageReader(await context.client(), source, context.interruption);
  let number = 0;
  let query: QueryValues | undefined = { $filter: `accessKey eq ${odataText(accessKey)}` };
  for (let pages = 0; query !== undefined; pages += 1) {
    if (pages === MAX_PAGES) throw reader.broken(noEnd(MAX_PAGES));
    const page = await reader.read(query);
    for (const row of page.rows) {
      number += 1;
      if (!isEvent(row)) throw reader.unreadable(noEvent(number));
      if (typeof row.accessKey === 'string' && row.accessKey !== accessKey)
        throw wrongSubject(
          { field: 'accessKey', asked: accessKey, answered: terminalLine(row.accessKey.slice(0, 60)) },
          { operation: source.operation },
        );
      yield row;
    }
    query = page.next;
  }
}

function noEvent(row: number): Text {
  return { en: `row ${row} is no event with a key`, pt: `a linha ${row} não é um evento com chave` };
}

/** Without a key its XML could not be asked for. */
function isEvent(row: unknown): row is InboundEvent {
  if (typeof row !== 'object' || row === null || !('eventKey' in row)) return false;
  return typeof row.eventKey === 'string' && row.eventKey !== '';
}

import { fiscalLine } from '../../domain/command-words.js';
import type { CapturedFact, DocumentFact } from '../../domain/document-fact.js';
import { fieldOf } from '../../domain/record.js';
import { checkCnpj } from '../../domain/tax-number.js';
import type { DocumentFilter, DocumentGroup, DocumentRow } from '../../store/documents.js';
import type { Store } from '../../store/store.js';
import type { Context } from '../context.js';
import { readDocumentFact, type DocumentValues, type ReadDocument } from './facts.js';

/** A CT-e takes no event of the recipient. */
const families = ['nfe', 'nfse'] as const;
const PAGE = 500;

/**
 * The documents that the sync has brought, as they are judged; page by page, memory stays flat. Rows that lack what a
 * judgement needs are counted in `left`.
 */
export async function* storedFacts(
  context: Pick<Context, 'settings' | 'store'>,
  narrow: Pick<DocumentFilter, 'companies' | 'families' | 'since'>,
  left: { unreadable: number },
): AsyncGenerator<DocumentFact> {
  const { space } = await context.settings();
  const { documents } = await context.store();
  const filter: DocumentFilter = { families, ...narrow, profile: space, limit: PAGE };
  for (let page = await documents.list(filter); page.length > 0; ) {
    for (const row of page) {
      const read = factOfRow(row);
      if ('fact' in read) yield read.fact;
      else left.unreadable += 1;
    }
    const after = page.at(-1);
    page = after === undefined || page.length < PAGE ? [] : await documents.list({ ...filter, after });
  }
}

/** A document of the store as it is judged. */
export function factOfRow(row: DocumentRow): ReadDocument {
  const read = readDocumentFact(valuesOfRow(row), row.companyId);
  return 'fact' in read ? { fact: { ...read.fact, captured: capturedOf(row) } } : read;
}

/**
 * When a sync has last read the lists of a company to their end, of those that it has ever read: the oldest of them counts.
 * `undefined`: none; 0: begun, and never ended. Milliseconds.
 */
export async function lastSyncedAt(
  context: Pick<Context, 'settings' | 'store'>,
  companyId: string,
): Promise<number | undefined> {
  const { space: profile } = await context.settings();
  const { cursors } = await context.store();
  const ends = await Promise.all(
    families.map(async (family) => {
      const group = { profile, companyId, family };
      const documents = await cursors.get({ ...group, stream: 'documents' });
      // It is read after that of the documents, and its cursor moves at its end only.
      const events = await cursors.get({ ...group, stream: 'events' });
      if (documents === undefined && events === undefined) return [];
      const endedAt = fieldOf(documents?.position, 'endedAt');
      return [Math.max(typeof endedAt === 'number' ? endedAt : 0, events?.at ?? 0)];
    }),
  );
  const times = ends.flat();
  return times.length === 0 ? undefined : Math.min(...times);
}

/**
 * When a sync has last read the lists of one family of a company to their end: the documents, and, but for NFS-e, whose events
 * the service does not list, the events. `undefined`: never. Milliseconds.
 */
export async function listsReadAt(
  { cursors }: Pick<Store, 'cursors'>,
  group: DocumentGroup,
): Promise<number | undefined> {
  const documents = await cursors.get({ ...group, stream: 'documents' });
  const endedAt = fieldOf(documents?.position, 'endedAt');
  if (typeof endedAt !== 'number') return undefined;
  if (group.family === 'nfse') return endedAt;
  // The cursor of the events moves at the end of their list only.
  const events = await cursors.get({ ...group, stream: 'events' });
  return events === undefined ? undefined : Math.min(endedAt, events.at);
}

/** So many companies are named in a command that is shown; more of them are all. */
const MOST_NAMED = 5;

/** The sync of these companies, as it is typed. */
export async function syncLine(
  context: Pick<Context, 'settings'>,
  companies: readonly (string | undefined)[],
): Promise<string> {
  const { profile } = await context.settings();
  const ids = [...new Set(companies.flatMap((id) => (id === undefined ? [] : [id])))];
  const isAll = ids.length === 0 || ids.length > MOST_NAMED;
  return isAll
    ? fiscalLine({ command: 'inbound sync', flags: [['--all-companies', true]], profile })
    : fiscalLine({ command: 'inbound sync', company: ids.join(','), profile });
}

/** The company of the metadata is the one that captured the document. */
function capturedOf({ data, xmlKind }: DocumentRow): CapturedFact {
  const holder = fieldOf(fieldOf(data, 'company'), 'federalTaxNumber');
  const operationType = fieldOf(data, 'operationType');
  // A number comes without its zeros.
  const text = typeof holder === 'number' ? String(holder).padStart(14, '0') : holder;
  return {
    ...(typeof text === 'string' ? { holderTaxNumber: checkCnpj(text).value } : {}),
    ...(typeof operationType === 'string' ? { operationType } : {}),
    ...(xmlKind === undefined ? {} : { xmlKind }),
  };
}

/** What the sync keeps of a document, by the names of a fact. */
function valuesOfRow(row: DocumentRow): DocumentValues {
  const { accessKey, id, issuer, recipient, amountText, issuedOn, authorizedOn, status, nsu } = row;
  return {
    ...{ accessKey: accessKey ?? id, issuerTaxNumber: issuer, recipientTaxNumber: recipient },
    ...{ totalAmountText: amountText, issuedOn, authorizedOn, status, nsu },
  };
}

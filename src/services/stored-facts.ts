import type { CapturedFact, DocumentFact } from '../domain/document-fact.js';
import { fieldOf } from '../domain/record.js';
import { checkCnpj } from '../domain/tax-number.js';
import type { DocumentFilter, DocumentRow } from '../store/documents.js';
import type { Context } from './context.js';
import { readDocumentFact, type DocumentValues } from './document-values.js';

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
      const read = readDocumentFact(valuesOfRow(row), row.companyId);
      if ('fact' in read) yield { ...read.fact, captured: capturedOf(row) };
      else left.unreadable += 1;
    }
    const after = page.at(-1);
    page = after === undefined || page.length < PAGE ? [] : await documents.list({ ...filter, after });
  }
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

import type { DocumentFilter, DocumentRow, DocumentRows } from '../../store/documents.js';

/** The stored documents of a filter, in pages of its limit: memory stays flat whatever a month holds. */
export async function* documentPages(
  documents: Pick<DocumentRows, 'list'>,
  filter: Omit<DocumentFilter, 'after'>,
): AsyncGenerator<readonly DocumentRow[]> {
  for (let after: DocumentRow | undefined; ; ) {
    const page = await documents.list({ ...filter, ...(after === undefined ? {} : { after }) });
    if (page.length > 0) yield page;
    after = page.at(-1);
    if (page.length < filter.limit) return;
  }
}

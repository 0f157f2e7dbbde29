import { reasons } from '../../errors/reasons.js';
import { Prose } from '../../domain/prose.js';
import { cancelKinds, changeKinds } from '../../jobs/kinds/invoice-change.js';
import { generalInvoice, issueKinds } from '../../jobs/kinds/invoice-issue.js';
import type { IssueItem } from '../../jobs/kinds/invoice-items.js';
import type { ItemRow } from '../../store/store.js';
import type { BatchFamily } from '../../services/batch/run-batch.js';
import { itemDigest } from './identity.js';
import { conflictHint } from './outcome.js';
import { externalOf, issueOperations } from './invoice.js';
import { everyModel } from './options.js';

/** The kinds of job for issued invoices. */
export const invoiceKindNames: ReadonlySet<string> = new Set(
  [generalInvoice, ...issueKinds, ...cancelKinds, ...changeKinds].map(({ name }) => name),
);

/** What invoices add to a batch: their ids, and the problems of skipped ones. */
export const invoiceFamily: BatchFamily = {
  label: { en: 'invoices', pt: 'notas fiscais' },
  idField: 'invoiceId',
  next: {
    en: 'to have their XML and PDF in the archive: fiscal invoice sync',
    pt: 'para ter XML e PDF na pasta de documentos: fiscal invoice sync',
  },
  fields: (item, duplicate) => {
    const invoiceId = item.resourceId ?? duplicate?.resourceId;
    return {
      ...externalOf(item),
      ...(invoiceId === undefined ? {} : { invoiceId }),
      ...(duplicate === undefined ? {} : { duplicateOf: duplicate.id }),
    };
  },
  conflict: (operation) => {
    const model = everyModel.find((one) => issueOperations[one] === operation);
    return model === undefined ? undefined : conflictHint(model);
  },
  problem: async (item, duplicate) =>
    await Promise.resolve(duplicate === undefined || isSame(item, duplicate) ? undefined : otherContent),
};

/** A record with a used externalId and other content is skipped, and the user must know. */
const otherContent = { errorCode: 'invoice.other_content', error: new Prose(reasons.otherInvoiceContent) } as const;

function isSame(item: ItemRow, duplicate: ItemRow): boolean {
  const [mine, other] = [issueOf(item), issueOf(duplicate)];
  return mine === undefined || other === undefined || itemDigest(mine) === itemDigest(other);
}

/** Only items of an issue hold an invoice. */
function issueOf({ input }: ItemRow): IssueItem | undefined {
  if (typeof input !== 'object' || input === null || !('invoice' in input)) return undefined;
  // Written by a kind of this family, whose input has this type.
  return input as IssueItem;
}

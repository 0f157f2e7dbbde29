import {
  anything,
  count,
  each,
  fromService,
  list,
  listOf,
  one,
  type Outputs,
  record,
  text,
  textOrNumber,
  time,
} from '../../cli/output-schema.js';
import { batch, bytes, syncRecords, withDryRun } from '../shared-records.js';

/** Of `list --local`: what became of its files. */
const archive = record({ state: text }, { ...each(text, 'path sha256 signature reason'), bytes: count });

/** An invoice as the service has it: its fields are those of its model. */
const invoice = fromService({
  ...each(
    text,
    'id externalId status model operationNature operationType environment errorCode errorMessage',
  ),
  ...each(text, 'flowStatus flowMessage description accessKey checkCode'),
  ...{ ...each(count, 'serie number'), servicesAmount: textOrNumber, archive },
  ...{ buyer: fromService(), borrower: fromService(), items: listOf(fromService()) },
  ...{ payment: listOf(fromService()), totals: fromService(), authorization: fromService() },
  ...each(time, 'createdOn modifiedOn issuedOn cancelledOn'),
});

/** What became of a request to issue; with --sample, an invoice to fill in. */
const issued = withDryRun(
  one({
    sample: fromService({
      type: text,
      ...each(anything, 'cliente itens operationNature items cityServiceCode borrower'),
    }),
    invoice: record(each(text, 'id jobId'), {
      ...each(text, 'status externalId lookup accessKey protocol'),
      ...each(count, 'serie number'),
    }),
  }),
);

/** What became of a request to change an invoice. */
const changedInvoice = record(each(text, 'id status state jobId'), { message: text });
const changed = withDryRun(one({ invoice: changedInvoice }));

/** Of one invoice, or of numbers. */
const disabled = withDryRun(
  one({
    invoice: changedInvoice,
    disablement: record(
      {
        ...each(text, 'environment state reason status jobId'),
        ...each(count, 'serie beginNumber lastNumber'),
      },
      { protocol: text },
    ),
  }),
);

const imported = batch({ ...each(text, 'externalId invoiceId') });

const events = list({
  invoice: fromService({
    ...each(text, 'type description status protocol reason'),
    ...{ createdOn: time, sequence: count },
  }),
});

export const outputs: Outputs = {
  'invoice apply': imported,
  'invoice cancel': changed,
  'invoice correct': changed,
  'invoice disable': disabled,
  'invoice email': withDryRun(
    one({ invoice: fromService({ ...each(text, 'id message'), accepted: count }) }),
  ),
  'invoice events': events,
  'invoice get': withDryRun(one({ invoice })),
  'invoice issue': issued,
  'invoice list': withDryRun(list({ invoice })),
  'invoice pdf': bytes('invoice'),
  'invoice sync': syncRecords,
  'invoice xml': bytes('invoice'),
};

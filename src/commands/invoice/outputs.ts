import {
  anything,
  count,
  each,
  fromService,
  list,
  listOf,
  one,
  type Output,
  type Outputs,
  record,
  text,
  textOrNumber,
  time,
} from '../../cli/output-schema.js';
import { batch, bytes, syncRecords, withDryRun } from '../shared-records.js';

/** Of `list --local`: what became of its files. */
const archive = record({ state: text }, { ...each(text, 'path sha256 signature reason'), bytes: count });

/** An invoice as the service has it. */
const merchandise = fromService({
  ...each(text, 'id status operationNature operationType environment errorCode errorMessage'),
  ...{ ...each(count, 'serie number'), buyer: fromService(), items: listOf(fromService()) },
  ...{ archive, payment: listOf(fromService()), totals: fromService(), authorization: fromService() },
  ...each(time, 'createdOn modifiedOn issuedOn cancelledOn'),
});

const service = fromService({
  ...each(text, 'id externalId status flowStatus flowMessage description accessKey checkCode'),
  ...{ archive, servicesAmount: textOrNumber, number: count, borrower: fromService() },
  ...each(time, 'createdOn modifiedOn issuedOn cancelledOn'),
});

/** What became of a request to issue; with --sample, an invoice to fill in, which has these fields. */
const issued = (sample: string): Output =>
  withDryRun(
    one({
      sample: fromService({ type: text }, each(anything, sample)),
      invoice: record(each(text, 'id jobId'), {
        ...each(text, 'status externalId lookup accessKey protocol'),
        ...each(count, 'serie number'),
      }),
    }),
  );

/** What became of a request to change an invoice. */
const changed = withDryRun(one({ invoice: record(each(text, 'id status state jobId'), { message: text }) }));

const disabled: Output = withDryRun(
  one({
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

/** The commands that an NF-e and an NFC-e have. */
function merchandiseOutputs(model: string): Outputs {
  return {
    [`invoice ${model} cancel`]: changed,
    [`invoice ${model} disable`]: disabled,
    [`invoice ${model} events`]: events,
    [`invoice ${model} get`]: withDryRun(one({ invoice: merchandise })),
    [`invoice ${model} import`]: imported,
    [`invoice ${model} issue`]: issued('operationNature items'),
    [`invoice ${model} list`]: withDryRun(list({ invoice: merchandise })),
    [`invoice ${model} pdf`]: bytes('invoice'),
    [`invoice ${model} rejection-xml`]: bytes('invoice'),
    [`invoice ${model} xml`]: bytes('invoice'),
  };
}

export const outputs: Outputs = {
  'invoice create': issued('cliente itens'),
  'invoice get': one({ invoice: fromService({ ...each(text, 'id status') }) }),
  'invoice sync': syncRecords,
  ...merchandiseOutputs('nfe'),
  ...merchandiseOutputs('nfce'),
  'invoice nfe correct': changed,
  'invoice nfe disable-invoice': changed,
  'invoice nfe letter-pdf': bytes('invoice'),
  'invoice nfe letter-xml': bytes('invoice'),
  'invoice nfse cancel': changed,
  'invoice nfse cancellation-xml': bytes('invoice'),
  'invoice nfse email': withDryRun(
    one({ invoice: fromService({ ...each(text, 'id message'), accepted: count }) }),
  ),
  'invoice nfse get': withDryRun(one({ invoice: service })),
  'invoice nfse import': imported,
  'invoice nfse issue': issued('cityServiceCode borrower'),
  'invoice nfse list': withDryRun(list({ invoice: service })),
  'invoice nfse pdf': bytes('invoice'),
  'invoice nfse xml': bytes('invoice'),
};

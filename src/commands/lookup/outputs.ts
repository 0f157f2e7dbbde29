import { count, each, fromService, type Output, type Outputs, text, time } from '../../cli/output-schema.js';
import { itemRecord, summaryRecord } from '../shared-records.js';

/** One number is answered as the service has it; several are a job. */
function lookup(answer = fromService()): Output {
  return {
    prints: 'either',
    records: {
      lookup: answer,
      item: itemRecord({ source: text, fetchedAt: time, answer: fromService() }),
      summary: summaryRecord(),
    },
  };
}

const document = fromService({
  ...each(text, 'type accessKey companyId status'),
  ...{ issuedOn: time, nsu: count, ...each(fromService(), 'issuer taker') },
});

export const outputs: Outputs = {
  'lookup address': lookup(fromService({ address: fromService() })),
  'lookup cnpj': lookup(fromService(each(text, 'federalTaxNumber name tradeName status'))),
  'lookup cpf': lookup(fromService(each(text, 'federalTaxNumber name status'))),
  'lookup cte': lookup(document),
  'lookup nfe': {
    prints: 'bytes',
    records: {
      ...lookup(fromService({ ...each(text, 'accessKey currentStatus path sha256'), issuedOn: time }))
        .records,
    },
  },
};

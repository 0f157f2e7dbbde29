import { each, either, fromService, type Output, type Outputs, record, usual } from '../../presenters/record.js';
import { address, documentRecord, itemRecord, party, summaryRecord } from '../shared-records.js';

/** One number is answered as the service has it; several are a job. */
function lookup(answer = fromService()): Output {
  return either({
    lookup: answer,
    item: itemRecord({ ...usual('source fetchedAt'), ...each(fromService(), 'answer') }),
    summary: summaryRecord(),
  });
}

/** An NF-e as the query of the authority answers it, and its events. */
const invoice = fromService(
  { ...usual('accessKey path sha256 issuedOn'), ...each('text', 'currentStatus') },
  {},
  {
    ...usual('serie number sequence description stateCode environmentType operationNature authorizedOn'),
    ...each(party, 'issuer: emitente, buyer: destinatário'),
    ...each(fromService(), 'totals: totais'),
    ...each(record('accessKey description receiptOn'), 'protocol: protocolo'),
  },
);

export const outputs: Outputs = {
  'lookup address': lookup(
    fromService(each(address, 'address: endereço'), {}, { ...address.seen, ...each(address, 'addresses') }),
  ),
  'lookup cnpj': lookup(
    fromService(
      'federalTaxNumber name tradeName status',
      {},
      { ...each('time', 'openedOn: opened | abertura'), ...each(address, 'address: endereço') },
    ),
  ),
  'lookup cpf': lookup(
    fromService(
      'federalTaxNumber name status',
      {},
      { ...usual('createdOn'), ...each('day', 'birthOn: born | nascimento') },
    ),
  ),
  'lookup cte': lookup(documentRecord()),
  'lookup nfe': { ...lookup(invoice), prints: 'bytes' },
};

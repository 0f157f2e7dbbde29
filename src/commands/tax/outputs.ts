import { each, fromService, list, listOf, one, type Outputs, usual } from '../../presenters/record.js';

const party = fromService({}, {}, each('text', 'state: UF | UF'));

const item = fromService(
  { ...usual('id'), ...each(fromService(), 'icms, pis, cofins, ibs, cbs') },
  {},
  usual('origin sku quantity unitAmount'),
);

export const outputs: Outputs = {
  'tax calculate': one({
    tax: fromService({
      ...usual('operationType'),
      ...each(party, 'issuer: emitente, recipient'),
      ...each(listOf(item), 'items: itens'),
    }),
  }),
  'tax codes': list({ tax: fromService('code description') }),
};

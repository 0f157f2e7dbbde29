import { each, listOf, one, type Outputs, record, usual } from '../../presenters/record.js';

export const outputs: Outputs = {
  setup: one({
    setup: record(
      {
        ...usual('profile'),
        ...each(listOf('word'), 'keys: chaves'),
        hosts: record(
          {},
          { ...usual('service'), ...each('text', 'product, query, legalEntity, naturalPerson, address: endereço') },
        ),
      },
      {
        ...usual('archive path current'),
        ...each(record('id', 'name taxNumber'), 'company: empresa'),
        ...each(listOf('text'), 'next: próximo passo'),
        completion: record({ ...usual('file'), ...each('text', 'shell, line: linha'), ...each('flag', 'isThere') }),
        checks: listOf(record({ ...usual('check status'), ...each('sentence', 'found: encontrado') }, 'advice')),
      },
    ),
  }),
};

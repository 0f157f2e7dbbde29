import { each, list, listOf, nullable, type Outputs, record, usual } from '../../presenters/record.js';

export const outputs: Outputs = {
  doctor: list({
    doctor: record(
      { ...usual('check status'), ...each('sentence', 'found: encontrado') },
      {
        ...usual('advice operation'),
        evidence: listOf(
          record(
            { ...usual('host asked'), ...nullable('key') },
            { ...usual('error'), ...each('count', 'status: situação') },
          ),
        ),
        settings: listOf(record({ ...usual('name'), ...nullable('value') })),
      },
    ),
    'dry-run': record({ ...usual('operation host asked'), ...nullable('key') }),
  }),
};
